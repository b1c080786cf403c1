//! The states of a space as keys, with what expands them ([`super::key_space`] explores them).

use super::key_set::KeySet;
use crate::game::{Fluent, KeyExpansions, KeyReasoner, ReasonError};
use crate::number::to_u32;

/// The states of a space as keys, with what expands them.
pub(super) struct Keyed {
    pub(super) keys: Box<dyn KeyReasoner>,
    pub(super) set: KeySet,
    /// The number of the first state of each layer, if every joint move so far leads to the next layer, and successors
    /// are not stored.
    pub(super) layers: Option<Vec<u32>>,
    /// The number of states to expand at a time: fewer if states have many joint moves.
    pub(super) at_once: usize,
    pub(super) expansions: KeyExpansions,
    /// The numbers of the successors of a batch.
    pub(super) numbers: Vec<u32>,
}

impl std::fmt::Debug for Keyed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keyed").field("set", &self.set).finish_non_exhaustive()
    }
}

/// What an exploration by keys has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Explored {
    /// All states are known.
    All,
    /// A state has more joint moves than are computed at once, so states have to be expanded by other means.
    TooWide,
}

impl Keyed {
    /// The number of states of a batch.
    pub(super) const BATCH: usize = 1 << 10;
    /// The number of states that are expanded first, when the branching factor is not yet known.
    const FIRST: usize = 1 << 7;
    /// The number of successors to hold at a time, approximately.
    pub(super) const SUCCESSORS: usize = 1 << 13;

    /// No states; `stores` says whether successors are stored in any case.
    pub(super) fn new(keys: Box<dyn KeyReasoner>, stores: bool) -> Self {
        let set = KeySet::new(keys.words());
        let layers = if stores { None } else { Some(vec![0]) };
        Self { keys, set, layers, at_once: Self::FIRST, expansions: KeyExpansions::default(), numbers: Vec::new() }
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(super) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        self.keys.fluents(self.set.keys(number..number + 1), fluents);
    }

    /// The successors of a state, one for each joint move in canonical order, which are looked for among all states of
    /// the next layer.
    ///
    /// # Errors
    /// Those of the engine.
    pub(super) fn find_successors(&mut self, number: usize) -> Result<Vec<u32>, ReasonError> {
        let Self { keys, set, expansions, layers, .. } = self;
        keys.expand(set.keys(number..number + 1), expansions);
        if let Some(error) = expansions.error() {
            return Err(error.clone());
        }
        let layers = layers.as_deref().unwrap_or_default();
        let layer = layers.partition_point(|&start| start as usize <= number);
        let start = layers.get(layer).map_or(set.len(), |&start| start as usize);
        let end = layers.get(layer + 1).map_or(set.len(), |&start| start as usize);
        let wanted = |successor: &[u64]| {
            let mut next = (start..end).zip(set.keys(start..end).chunks_exact(set.width()));
            to_u32(next.find(|(_, key)| *key == successor).expect("the next layer has every successor").0)
        };
        Ok(expansions.successors().chunks_exact(set.width()).map(wanted).collect())
    }
}
