//! How much work a search may do, and the meter that holds it to that.

use super::outcome::{Halt, Stop};
use super::{Cost, Outcome, SearchError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of one search. Without further word: all the time and nodes it wants, lines of [`Budget::DEPTH`] joint moves.
#[derive(Clone, Debug)]
pub struct Budget {
    nodes: u64,
    depth: u32,
    time: Option<Duration>,
    interrupt: Arc<AtomicBool>,
}

impl Budget {
    /// The default limit on depth. The textbook's searches are recursive; lines of this length fit every thread's stack.
    pub const DEPTH: u32 = 1_000;

    /// The limits that hold without further word.
    pub fn new() -> Self {
        Self { nodes: u64::MAX, depth: Self::DEPTH, time: None, interrupt: Arc::default() }
    }

    /// Stops before more than `nodes` states are visited.
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Stops before a line of more than `depth` joint moves; no more than [`Budget::DEPTH`] are given.
    pub fn with_depth(mut self, depth: u32) -> Self {
        self.depth = depth.min(Self::DEPTH);
        self
    }

    /// Stops when this time has passed since the search began.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Stops soon after somebody sets this flag.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = flag;
        self
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new()
    }
}

/// Counts the work of one search and says when it is enough.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    started: Instant,
    cost: Cost,
}

impl<'a> Meter<'a> {
    /// How many nodes are visited between two looks at the clock.
    const NODES_PER_LOOK: u64 = 64;

    /// Starts counting.
    pub(super) fn start(budget: &'a Budget) -> Self {
        Self { budget, started: Instant::now(), cost: Cost::default() }
    }

    /// Counts a visit to a state that is `depth` joint moves away from the first.
    pub(super) fn visit(&mut self, depth: u32) -> Result<(), Halt> {
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted.into());
        }
        if self.cost.nodes >= self.budget.nodes {
            return Err(Stop::Nodes { limit: self.budget.nodes }.into());
        }
        if depth > self.budget.depth {
            return Err(Stop::Depth { limit: self.budget.depth }.into());
        }
        if let Some(limit) = self.budget.time
            && self.cost.nodes.is_multiple_of(Self::NODES_PER_LOOK)
            && self.started.elapsed() >= limit
        {
            return Err(Stop::Time { limit }.into());
        }
        self.cost.nodes += 1;
        self.cost.depth = self.cost.depth.max(depth);
        Ok(())
    }

    /// Counts the expansion of a state that has been visited.
    pub(super) fn expand(&mut self) {
        self.cost.expanded += 1;
    }

    /// Makes an outcome of how the search ended and of the best that it had found by then.
    pub(super) fn outcome<T>(self, end: Result<T, Halt>, best: Option<T>) -> Result<Outcome<T>, SearchError> {
        match end {
            Ok(answer) => self.best_so_far(None, Some(answer)),
            Err(halt) => self.best_so_far(Some(halt), best),
        }
    }

    /// Makes an outcome for a search whose best so far is the answer when nothing halts it.
    pub(super) fn best_so_far<T>(mut self, halt: Option<Halt>, best: Option<T>) -> Result<Outcome<T>, SearchError> {
        self.cost.time = self.started.elapsed();
        match halt {
            None => Ok(Outcome { answer: best, stopped: None, cost: self.cost }),
            Some(Halt::Stopped(stop)) => Ok(Outcome { answer: best, stopped: Some(stop), cost: self.cost }),
            Some(Halt::Failed(error)) => Err(error.into()),
        }
    }
}
