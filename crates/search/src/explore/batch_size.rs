//! The number of states that are expanded at a time. Engines compute many states at once in less time than one after
//! the other; but all successors are held in memory together, so the more joint moves states have, the fewer are
//! expanded.

use std::ops::Range;

/// The number of states to expand at a time, learned from those that were expanded last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BatchSize {
    states: usize,
    /// The number of successors to hold at a time, approximately; a single state may have more.
    successors: usize,
}

impl BatchSize {
    /// The greatest number of states.
    pub(crate) const MOST: usize = 1 << 10;
    /// The number of states that are expanded first, when the branching factor is not yet known.
    const FIRST: usize = 1 << 7;

    /// Holds about this many successors at a time.
    pub(crate) fn holding(successors: usize) -> Self {
        Self { states: Self::FIRST, successors }
    }

    pub(crate) fn states(self) -> usize {
        self.states
    }

    /// Those of some states that are expanded next, from the first on.
    pub(crate) fn next(self, states: Range<usize>) -> Range<usize> {
        states.start..states.end.min(states.start + self.states)
    }

    /// Learns how many successors states have from those that were expanded last.
    pub(crate) fn learn(&mut self, states: usize, successors: usize) {
        self.states = (self.successors * states / successors.max(1)).clamp(1, Self::MOST);
    }
}

/// Holds some thousand successors, which stay in the cache.
impl Default for BatchSize {
    fn default() -> Self {
        Self::holding(1 << 13)
    }
}
