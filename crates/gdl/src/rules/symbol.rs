//! Interned names.

use crate::number::to_u32;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// An interned name of an object, a function or a relation. Ids are dense, in the order of first appearance.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct SymbolId(u32);

impl SymbolId {
    /// The maximum number of names in one table.
    pub(crate) const LIMIT: usize = 1 << 31;

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
    /// The id of a name; adds the name if it is new.
    ///
    /// # Panics
    /// If the table has `SymbolId::LIMIT` names, which no text that [`crate::syntax`] accepts can contain.
    pub fn intern(&mut self, name: &str) -> SymbolId {
        if let Some(&id) = self.ids.get(name) {
            return id;
        }
        assert!(self.names.len() < SymbolId::LIMIT, "too many names");
        let id = SymbolId(to_u32(self.names.len()));
        let name: Arc<str> = name.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// The id of a name, if the table has it.
    pub fn get(&self, name: &str) -> Option<SymbolId> {
        self.ids.get(name).copied()
    }

    /// True if some name begins with `prefix`. Linear in the number of names.
    pub fn begins(&self, prefix: &str) -> bool {
        self.names.iter().any(|name| name.starts_with(prefix))
    }

    /// The text of a name; it is shared, so that terms built from it need no copy.
    pub fn name(&self, id: SymbolId) -> &Arc<str> {
        &self.names[id.index()]
    }

    /// The text of the name with this index: see [`SymbolId::index`].
    pub fn name_at(&self, index: usize) -> &Arc<str> {
        &self.names[index]
    }

    /// The id of the name with this index.
    pub(crate) fn id_at(&self, index: usize) -> SymbolId {
        debug_assert!(index < self.names.len(), "the table has the name");
        SymbolId(to_u32(index))
    }

    /// The number of names.
    pub fn count(&self) -> usize {
        self.names.len()
    }
}
