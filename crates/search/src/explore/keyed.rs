//! The states of an exploration as keys, with what expands them batch by batch.

use super::batch_size::BatchSize;
use super::explorer::{ExplorationStore, Growth, Holds};
use super::key_set::KeySet;
use crate::memory::list_bytes;
use crate::outcome::Halt;
use gdl::number::to_u32;
use ggp_game::{Fluent, KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, Reasoner};
use std::ops::Range;

/// States as keys, numbered in the order in which they are met, with what expands them.
pub(crate) struct KeyedStates {
    pub(crate) keys: Box<dyn KeyReasoner>,
    pub(crate) set: KeySet,
    /// The numbers of the successors of the states that were expanded last, as far as they have been numbered.
    pub(crate) numbers: Vec<u32>,
    pub(crate) at_once: BatchSize,
}

impl std::fmt::Debug for KeyedStates {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keyed").field("set", &self.set).finish_non_exhaustive()
    }
}

impl KeyedStates {
    /// The first state as a key.
    ///
    /// # Errors
    /// If the state has none.
    pub(crate) fn new<R: Reasoner>(
        keys: Box<dyn KeyReasoner>,
        reasoner: &R,
        first: &R::State,
    ) -> Result<Self, ReasonError> {
        let mut fluents = Vec::new();
        let mut key = Vec::new();
        reasoner.fluents(first, &mut fluents);
        keys.push_key(&fluents, &mut key)?;
        let mut set = KeySet::new(keys.words());
        set.number_one(&key, u64::MAX);
        Ok(Self { keys, set, numbers: Vec::new(), at_once: BatchSize::default() })
    }

    /// The number of successors in expansions.
    pub(crate) fn successors(&self, expansions: &KeyExpansions) -> usize {
        expansions.successors().len() / self.set.width()
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(crate) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        self.keys.fluents(self.set.keys(number..number + 1), fluents);
    }

    /// The successors of a state, one for each joint move in canonical order, which are looked for among all states of
    /// the next layer. `layers` has the number of the first state of each.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn find_successors(&mut self, number: usize, layers: &[u32]) -> Result<Vec<u32>, ReasonError> {
        let Self { keys, set, .. } = self;
        let mut expansions = KeyExpansions::default();
        keys.expand(set.keys(number..number + 1), &mut expansions);
        if let Some(error) = expansions.error() {
            return Err(error.clone());
        }
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

impl ExplorationStore for KeyedStates {
    fn len(&self) -> usize {
        self.set.len()
    }

    fn next_part(&self, states: Range<usize>) -> Range<usize> {
        self.at_once.next(states)
    }

    fn expand(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<bool, ReasonError> {
        self.keys.expand(self.set.keys(states.clone()), expansions);
        self.at_once.learn(states.len(), self.successors(expansions));
        let is_wide =
            |expansion: &KeyExpansion| matches!(expansion, KeyExpansion::Turn(KeyTurn { is_stored: false, .. }));
        Ok(!expansions.all().iter().any(is_wide))
    }

    fn test(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<(), ReasonError> {
        self.keys.ends(self.set.keys(states), expansions)
    }

    fn number(&mut self, expansions: &KeyExpansions, most: u64, holds: Holds<'_>) -> Result<(), Halt> {
        self.numbers.clear();
        let successors = self.successors(expansions);
        let bytes = self.set.bytes_for_next(successors);
        let scratch = expansions.bytes() + list_bytes(&self.numbers);
        holds(Growth { successors, bytes: bytes as u64, scratch: scratch as u64 })?;
        let room = most.saturating_sub(self.set.len() as u64);
        self.set.number(expansions.successors(), room, &mut self.numbers);
        Ok(())
    }

    fn numbers(&self) -> &[u32] {
        &self.numbers
    }
}
