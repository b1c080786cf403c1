//! The states of an exploration as keys, with what expands them batch by batch.

use super::at_once::AtOnce;
use super::key_set::KeySet;
use crate::game::{Fluent, KeyExpansion, KeyExpansions, KeyReasoner, KeyTurn, ReasonError, Reasoner};
use crate::number::to_u32;
use crate::search::memory::list_bytes;
use crate::search::outcome::Halt;
use std::ops::Range;

/// States as keys, numbered in the order in which they are met, with what expands them.
pub(crate) struct Keyed {
    pub(crate) keys: Box<dyn KeyReasoner>,
    pub(crate) set: KeySet,
    /// The numbers of the successors of the states that were expanded last, as far as they have been numbered.
    pub(crate) numbers: Vec<u32>,
    /// The memory of expansions.
    spare: KeyExpansions,
    pub(crate) at_once: AtOnce,
}

impl std::fmt::Debug for Keyed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Keyed").field("set", &self.set).finish_non_exhaustive()
    }
}

/// What an exploration by keys has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Explored {
    /// All states are known.
    All,
    /// A state has more joint moves than are computed at once, so states have to be expanded by other means.
    TooWide,
    /// A state that was taken for one of the next layer is elsewhere, so states have to be explored without layers.
    Unlayered,
}

/// The states at one distance from the first.
pub(crate) struct Layer {
    /// The distance, in joint moves.
    pub(crate) depth: u32,
    pub(crate) states: Range<usize>,
}

/// What an exploration by keys is for: what it does with the states that it comes to.
pub(crate) trait KeyVisitor {
    /// Comes to a layer, of which all states are known and none is expanded. The exploration ends if there is a result.
    fn begin_layer(&mut self, _keyed: &mut Keyed, _layer: &Layer) -> Result<Option<Explored>, Halt> {
        Ok(None)
    }

    /// Those of the waiting states of a layer that are expanded next, from the first on.
    fn next_part(&mut self, keyed: &Keyed, waiting: Range<usize>, _depth: u32) -> Result<Range<usize>, Halt> {
        Ok(keyed.at_once.of(waiting))
    }

    /// Visits a part of a layer with its expansions, and numbers the successors. Returns whether the exploration ends.
    fn visit(
        &mut self,
        keyed: &mut Keyed,
        part: Range<usize>,
        layer: &Layer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt>;
}

impl Keyed {
    /// No states.
    pub(crate) fn new(keys: Box<dyn KeyReasoner>) -> Self {
        let set = KeySet::new(keys.words());
        Self { keys, set, numbers: Vec::new(), spare: KeyExpansions::default(), at_once: AtOnce::default() }
    }

    /// The key of a state.
    ///
    /// # Errors
    /// If the state has none.
    pub(crate) fn key_of<R: Reasoner>(&self, reasoner: &R, state: &R::State) -> Result<Vec<u64>, ReasonError> {
        let (mut fluents, mut key) = (Vec::new(), Vec::new());
        reasoner.fluents(state, &mut fluents);
        self.keys.push_key(&fluents, &mut key)?;
        Ok(key)
    }

    /// Explores all states that can be reached from the first, layer by layer, until they are all known or the visitor
    /// ends it. The successors of a part of a layer are numbered by the visitor ([`Keyed::number`]).
    pub(crate) fn explore(&mut self, first: &[u64], visitor: &mut impl KeyVisitor) -> Result<Explored, Halt> {
        self.set.number(first, &mut self.numbers);
        let (mut next, mut layer) = (0, Layer { depth: 0, states: 0..1 });
        while next < self.set.len() {
            if next == layer.states.end {
                layer = Layer { depth: layer.depth + 1, states: next..self.set.len() };
            }
            if next == layer.states.start
                && let Some(explored) = visitor.begin_layer(self, &layer)?
            {
                return Ok(explored);
            }
            let part = visitor.next_part(self, next..layer.states.end, layer.depth)?;
            next = part.end;
            let Some(expansions) = self.expand(part.clone()) else { return Ok(Explored::TooWide) };
            if visitor.visit(self, part, &layer, &expansions)? {
                break;
            }
            if let Some(error) = expansions.error() {
                return Err(error.clone().into());
            }
            self.give_back(expansions);
        }
        Ok(Explored::All)
    }

    /// Expands states; `None` if one of them has more joint moves than are stored. [`Keyed::give_back`] takes the
    /// expansions when they are no longer needed.
    pub(crate) fn expand(&mut self, states: Range<usize>) -> Option<KeyExpansions> {
        let mut expansions = std::mem::take(&mut self.spare);
        self.keys.expand(self.set.keys(states.clone()), &mut expansions);
        let is_wide =
            |expansion: &KeyExpansion| matches!(expansion, KeyExpansion::Turn(KeyTurn { is_stored: false, .. }));
        if expansions.all().iter().any(is_wide) {
            return None;
        }
        self.at_once.learn(states.len(), self.successors(&expansions));
        Some(expansions)
    }

    /// The number of successors in expansions.
    pub(crate) fn successors(&self, expansions: &KeyExpansions) -> usize {
        expansions.successors().len() / self.set.width()
    }

    /// The bytes of expansions and of the numbers of their successors.
    pub(crate) fn scratch(&self, expansions: &KeyExpansions) -> usize {
        expansions.bytes() + list_bytes(&self.numbers)
    }

    /// Numbers the successors in expansions; new ones are added.
    pub(crate) fn number(&mut self, expansions: &KeyExpansions) {
        self.set.number(expansions.successors(), &mut self.numbers);
    }

    /// Gives back the memory of expansions.
    pub(crate) fn give_back(&mut self, expansions: KeyExpansions) {
        self.spare = expansions;
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
        let Self { keys, set, spare: expansions, .. } = self;
        keys.expand(set.keys(number..number + 1), expansions);
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
