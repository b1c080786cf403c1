//! What follows from states that a search comes to one after the other, asked about before it comes there: so an engine that looks at
//! many states at once is given many.
//!
//! What is asked too early changes no answer and no count: the search counts what it comes to.

use crate::game::{BatchReasoner, Expansion, Expansions, ReasonError};
use std::ops::Range;

/// What is known about states with consecutive numbers.
#[derive(Debug)]
pub(super) struct Lookahead<S> {
    known: Range<usize>,
    expansions: Expansions<S>,
    /// About so many states it is asked next.
    next: usize,
    /// How many bytes the answers take.
    bytes: usize,
}

/// What follows from a state, and how many bytes all that is known ahead takes.
pub(super) struct Ahead<'a, S> {
    pub(super) of: Expansion<'a, S>,
    pub(super) bytes: usize,
}

impl<S> Lookahead<S> {
    /// About so many successors and moves are held at a time, unless those of a single state are more.
    const SUCCESSORS: usize = 1 << 13;
    /// Before anything is known it is asked about so many states.
    const FIRST: usize = 1 << 7;

    /// Nothing is known.
    pub(super) fn new() -> Self {
        Self { known: 0..0, expansions: Expansions::default(), next: Self::FIRST, bytes: 0 }
    }

    /// What follows from the state with a number; `states` are those from it on that the search will come to.
    pub(super) fn get<'a, R: BatchReasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        number: usize,
        states: impl Iterator<Item = &'a S>,
    ) -> Result<Ahead<'_, S>, ReasonError>
    where
        S: 'a,
    {
        if !self.known.contains(&number) {
            let states: Vec<&S> = states.take(self.next.min(reasoner.batch())).collect();
            reasoner.expand(&states, &mut self.expansions);
            self.known = number..number + states.len();
            let branching = self.expansions.size() / states.len().max(1);
            self.bytes = self.expansions.bytes(|state| reasoner.heap_bytes(state));
            self.next = (Self::SUCCESSORS / branching.max(1)).max(1);
        }
        Ok(Ahead { of: self.expansions.get(number - self.known.start)?, bytes: self.bytes })
    }
}
