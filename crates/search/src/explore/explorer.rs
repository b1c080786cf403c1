//! The exploration of all states, layer by layer: one loop over what stores states, for whatever a visitor does with
//! them.

use super::batch_size::BatchSize;
use crate::outcome::Halt;
use ggp_game::{KeyExpansions, ReasonError};
use std::ops::Range;

/// States, numbered in the order in which they are met, with what expands them. The first is in the store.
pub(crate) trait ExplorationStore {
    fn len(&self) -> usize;

    /// Those of some states that are expanded next, from the first on.
    fn next_part(&self, states: Range<usize>) -> Range<usize>;

    /// Replaces the contents of `expansions` by the expansions of states, without successors; these are numbered by
    /// [`ExplorationStore::number`]. Returns false if a state has more joint moves than can be numbered.
    fn expand(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<bool, ReasonError>;

    /// As [`ExplorationStore::expand`], but finds out only which of the states are terminal; the others have no joint
    /// moves.
    fn test(&mut self, states: Range<usize>, expansions: &mut KeyExpansions) -> Result<(), ReasonError>;

    /// Numbers the successors of the states that were expanded last; new ones are added, until there are `most` states
    /// and one more is met. `holds` is asked beforehand, once or for some of them at a time.
    fn number(&mut self, expansions: &KeyExpansions, most: u64, holds: Holds<'_>) -> Result<(), Halt>;

    /// The numbers of these successors, as far as they have been numbered.
    fn numbers(&self) -> &[u32];
}

/// Whether memory allows what numbering needs.
pub(crate) type Holds<'h> = &'h mut dyn FnMut(Growth) -> Result<(), Halt>;

/// What is needed while successors are numbered.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Growth {
    /// The number of successors of the states that were expanded last, up to the next time that this is asked.
    pub(crate) successors: usize,
    /// The bytes of the store with all of them.
    pub(crate) bytes: u64,
    /// The bytes of expansions, whose size depends on the engine.
    pub(crate) scratch: u64,
}

/// The states at one distance from the first.
pub(crate) struct StateLayer {
    /// The distance, in joint moves.
    pub(crate) depth: u32,
    pub(crate) states: Range<usize>,
}

/// What an exploration has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExplorationEnd {
    /// All states are known.
    All,
    /// A state has more joint moves than are computed at once, so states have to be expanded by other means.
    TooWide,
    /// A state that was taken for one of the next layer is elsewhere, so states have to be explored without layers.
    Unlayered,
}

/// What an exploration is for: what it does with the states that it comes to.
pub(crate) trait Visitor<S: ExplorationStore> {
    /// Comes to a layer, of which all states are known and none is expanded. The exploration ends if there is a result.
    fn begin_layer(&mut self, _store: &mut S, _layer: &StateLayer) -> Result<Option<ExplorationEnd>, Halt> {
        Ok(None)
    }

    /// Whether states of this layer are expanded, and not only tested.
    fn expands(&self, _layer: &StateLayer) -> bool {
        true
    }

    /// Those of the waiting states of a layer that are expanded next, from the first on.
    fn next_part(&mut self, store: &S, waiting: Range<usize>, _depth: u32) -> Result<Range<usize>, Halt> {
        Ok(store.next_part(waiting))
    }

    /// Visits a part of a layer with its expansions, and numbers the successors. Returns whether the exploration ends.
    fn visit(
        &mut self,
        store: &mut S,
        part: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt>;
}

/// Explores all states that can be reached from the first, layer by layer, until they are all known or the visitor ends
/// it.
pub(crate) fn explore<S: ExplorationStore>(
    store: &mut S,
    visitor: &mut impl Visitor<S>,
) -> Result<ExplorationEnd, Halt> {
    let mut next = 0;
    let mut layer = StateLayer { depth: 0, states: 0..1 };
    let mut expansions = KeyExpansions::default();
    while next < store.len() {
        if next == layer.states.end {
            layer = StateLayer { depth: layer.depth + 1, states: next..store.len() };
        }
        if next == layer.states.start
            && let Some(explored) = visitor.begin_layer(store, &layer)?
        {
            return Ok(explored);
        }
        let waiting = next..layer.states.end;
        let part = if visitor.expands(&layer) {
            let part = visitor.next_part(store, waiting, layer.depth)?;
            if !store.expand(part.clone(), &mut expansions)? {
                return Ok(ExplorationEnd::TooWide);
            }
            part
        } else {
            let part = next..waiting.end.min(next + BatchSize::MOST);
            store.test(part.clone(), &mut expansions)?;
            part
        };
        next = part.end;
        if visitor.visit(store, part, &layer, &expansions)? {
            break;
        }
        if let Some(error) = expansions.error() {
            return Err(error.clone().into());
        }
    }
    Ok(ExplorationEnd::All)
}
