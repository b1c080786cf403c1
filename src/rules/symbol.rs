//! Names as small numbers.

use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name of an object, a function or a relation. Ids are dense, in the order of first appearance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The most names that one table holds.
    pub const LIMIT: usize = 1 << 31;

    /// The id as an index into a table of all symbols.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The table of all names of one game.
#[derive(Clone, Debug, Default)]
pub struct Symbols {
    names: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, SymbolId>,
}

impl Symbols {
    /// The id of a name, a new one where it is met for the first time.
    ///
    /// # Panics
    /// Beyond [`SymbolId::LIMIT`] names, which no text that [`crate::syntax`] accepts can hold.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        assert!(self.names.len() < SymbolId::LIMIT, "too many names");
        let id = SymbolId(self.names.len() as u32);
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// The id of a name that has been met.
    pub fn get(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    /// The text of a name; a shared one, so that terms built from it cost no copy.
    pub fn name(&self, id: SymbolId) -> &Arc<str> {
        &self.names[id.index()]
    }

    /// The text of the name with this index: see [`SymbolId::index`].
    pub fn name_at(&self, index: usize) -> &Arc<str> {
        &self.names[index]
    }

    /// How many names there are.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }
}
