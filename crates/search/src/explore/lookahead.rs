//! Expands the states that a search will reach next in one batch, so that an engine that computes many states at once
//! is given many.
//!
//! Expanding states early changes neither answers nor counts: the search counts a state when it reaches it.

use super::batch_size::BatchSize;
use ggp_game::{BatchReasoner, Expansion, Expansions, ReasonError};
use std::ops::Range;

/// The expansions of states with consecutive numbers.
#[derive(Debug)]
pub(crate) struct Lookahead<S> {
    known: Range<usize>,
    expansions: Expansions<S>,
    at_once: BatchSize,
    /// The bytes that the expansions use.
    bytes: usize,
}

/// The expansion of a state, and the bytes that all expansions use.
pub(crate) struct ExpansionAhead<'a, S> {
    pub(crate) of: Expansion<'a, S>,
    pub(crate) bytes: usize,
}

impl<S> Lookahead<S> {
    pub(crate) fn new() -> Self {
        Self { known: 0..0, expansions: Expansions::default(), at_once: BatchSize::default(), bytes: 0 }
    }

    /// The expansion of the state with this number; `states` are the states from it on, in the order in which the
    /// search will reach them.
    pub(crate) fn get<'a, R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        number: usize,
        states: impl Iterator<Item = &'a S>,
    ) -> Result<ExpansionAhead<'_, S>, ReasonError>
    where
        S: 'a,
    {
        if !self.known.contains(&number) {
            let states: Vec<&S> = states.take(self.at_once.states().min(reasoner.batch())).collect();
            reasoner.expand(&states, &mut self.expansions);
            self.known = number..number + states.len();
            self.bytes = self.expansions.bytes(|state| reasoner.heap_bytes(state));
            self.at_once.learn(states.len(), self.expansions.size());
        }
        Ok(ExpansionAhead { of: self.expansions.get(number - self.known.start)?, bytes: self.bytes })
    }
}
