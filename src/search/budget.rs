//! How much work a search may do, and the meter that holds it to that.

use super::outcome::{Halt, Stop};
use super::{Cost, NodeId, Outcome, Progress, SearchError};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The limits of one search. Without further word: all the time and nodes it wants, [`Budget::MEMORY`], and, where the search is
/// recursive, lines of [`Budget::DEPTH`] joint moves.
#[derive(Clone, Debug)]
pub struct Budget {
    nodes: u64,
    depth: Option<u32>,
    time: Option<Duration>,
    memory: u64,
    interrupt: Arc<AtomicBool>,
    progress: Option<Arc<Progress>>,
}

impl Budget {
    /// The longest lines of recursive searches, as the textbook's are; they fit every thread's stack.
    pub const DEPTH: u32 = 1_000;

    /// The bytes that a search may use for what it remembers, if nothing else is said: 4 GiB.
    pub const MEMORY: u64 = 4 << 30;

    /// The limits that hold without further word.
    pub fn new() -> Self {
        Self {
            nodes: u64::MAX,
            depth: None,
            time: None,
            memory: Self::MEMORY,
            interrupt: Arc::default(),
            progress: None,
        }
    }

    /// Stops before more than `nodes` states are generated.
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Looks no farther than `depth` joint moves ahead.
    pub fn with_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Stops when this time has passed since the search began.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Stops before what is remembered takes more than so many bytes. They are estimated from the sizes of what is stored.
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Stops soon after somebody sets this flag.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = flag;
        self
    }

    /// Keeps these numbers up to date.
    pub fn with_progress(mut self, progress: Arc<Progress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// How far ahead a search may look, if that is limited.
    pub(super) fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// How many bytes a search may use for what it remembers.
    pub(super) fn memory(&self) -> u64 {
        self.memory
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
    /// Lines longer than this end the search.
    most_depth: u32,
    /// Whether something was left out at the horizon.
    is_cut: bool,
    /// The most that were remembered at a time.
    most_memory: u64,
}

impl<'a> Meter<'a> {
    /// How many nodes are visited between two looks at the clock.
    const NODES_PER_LOOK: u64 = 64;

    /// Starts counting for a recursive search: the stack bounds its depth.
    pub(super) fn start(budget: &'a Budget) -> Self {
        let most_depth = budget.depth.unwrap_or(Budget::DEPTH).min(Budget::DEPTH);
        Self { budget, started: Instant::now(), cost: Cost::default(), most_depth, is_cut: false, most_memory: 0 }
    }

    /// Starts counting for a search that is not recursive: only the budget bounds its depth.
    pub(super) fn start_flat(budget: &'a Budget) -> Self {
        Self { most_depth: budget.depth.unwrap_or(u32::MAX), ..Self::start(budget) }
    }

    /// Starts counting for a recursive search whose depth is counted in plies: it sees to the budget's depth itself.
    pub(super) fn start_plies(budget: &'a Budget) -> Self {
        Self { most_depth: Budget::DEPTH, ..Self::start(budget) }
    }

    /// Ends the search at lines of more than [`Budget::DEPTH`] joint moves.
    pub(super) fn bound_lines(&mut self) {
        self.most_depth = Budget::DEPTH;
    }

    /// Starts counting for a search that remembers states, and says how many.
    pub(super) fn remembering(mut self) -> Self {
        self.cost.states = Some(0);
        self
    }

    /// Counts a state that has been generated, `depth` joint moves away from the first, and numbers its node.
    pub(super) fn visit(&mut self, depth: u32) -> Result<NodeId, Halt> {
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted.into());
        }
        if self.cost.nodes >= self.budget.nodes {
            return Err(Stop::Nodes { limit: self.budget.nodes }.into());
        }
        if depth > self.most_depth {
            return Err(Stop::Depth { limit: self.most_depth }.into());
        }
        if self.cost.nodes.is_multiple_of(Self::NODES_PER_LOOK) {
            self.look(depth)?;
        }
        let node = NodeId::new(self.cost.nodes);
        self.cost.nodes += 1;
        self.cost.depth = self.cost.depth.max(depth);
        Ok(node)
    }

    /// Looks at the clock, and shows how far the search has come.
    fn look(&self, depth: u32) -> Result<(), Halt> {
        if let Some(progress) = &self.budget.progress {
            progress.set(self.cost.nodes, self.cost.depth.max(depth));
        }
        match self.budget.time {
            Some(limit) if self.started.elapsed() >= limit => Err(Stop::Time { limit }.into()),
            _ => Ok(()),
        }
    }

    /// Counts the expansion of a state that has been visited.
    pub(super) fn expand(&mut self) {
        self.cost.expanded += 1;
    }

    /// Whether a node so far away lies at the depth that the budget gives, so that its successors are out of reach. Then the
    /// answer is not exact, unless [`Meter::settle`] says so.
    pub(super) fn at_horizon(&mut self, depth: u32) -> bool {
        let at_horizon = self.is_at_horizon(depth);
        self.is_cut |= at_horizon;
        at_horizon
    }

    /// Whether a node so far away lies at the depth that the budget gives.
    pub(super) fn is_at_horizon(&self, depth: u32) -> bool {
        self.budget.depth.is_some_and(|limit| depth >= limit)
    }

    /// Whether the budget gives a depth.
    pub(super) fn has_horizon(&self) -> bool {
        self.budget.depth.is_some()
    }

    /// What was left out at the horizon does not matter: nothing there can be better than what has been found.
    pub(super) fn settle(&mut self) {
        self.is_cut = false;
    }

    /// Counts a state that is remembered; everything that is remembered takes this many bytes then.
    pub(super) fn remember(&mut self, all_bytes: u64) -> Result<(), Halt> {
        self.holds(all_bytes)?;
        *self.cost.states.get_or_insert(0) += 1;
        Ok(())
    }

    /// The nodes that the budget allows.
    pub(super) fn most_nodes(&self) -> u64 {
        self.budget.nodes
    }

    /// So many states are remembered now, by a table that sees to its memory itself.
    pub(super) fn remembered(&mut self, states: u64) {
        self.cost.states = Some(states);
    }

    /// This many bytes are remembered now, or would be after the next step.
    pub(super) fn holds(&mut self, bytes: u64) -> Result<(), Halt> {
        self.holds_beside(bytes, 0)
    }

    /// As [`Meter::holds`], where scratch memory is in use besides. It counts towards the limit, but not as remembered, since its size
    /// depends on the engine.
    pub(super) fn holds_beside(&mut self, bytes: u64, scratch: u64) -> Result<(), Halt> {
        if bytes + scratch > self.budget.memory {
            return Err(Stop::Memory { limit: self.budget.memory }.into());
        }
        self.most_memory = self.most_memory.max(bytes);
        Ok(())
    }

    /// The most bytes that were remembered at a time.
    pub(super) fn most_memory(&self) -> u64 {
        self.most_memory
    }

    /// Looks whether it is enough, for work that visits no node.
    pub(super) fn pause(&self) -> Result<(), Halt> {
        if self.budget.interrupt.load(Ordering::Relaxed) {
            return Err(Stop::Interrupted.into());
        }
        self.look(0)
    }

    /// The nodes so far.
    pub(super) fn nodes(&self) -> u64 {
        self.cost.nodes
    }

    /// Makes an outcome for a search whose best so far is the answer when nothing halts it.
    pub(super) fn best_so_far<T>(mut self, halt: Option<Halt>, best: Option<T>) -> Result<Outcome<T>, SearchError> {
        self.cost.time = self.started.elapsed();
        match halt {
            None => Ok(Outcome { answer: best, stopped: self.cut_at(), cost: self.cost }),
            Some(Halt::Stopped(stop)) => Ok(Outcome { answer: best, stopped: Some(stop), cost: self.cost }),
            Some(Halt::Failed(error)) => Err(error.into()),
            Some(Halt::Refused(error)) => Err(error),
        }
    }

    /// The limit on depth, where something was left out for it.
    fn cut_at(&self) -> Option<Stop> {
        self.budget.depth.filter(|_| self.is_cut).map(|limit| Stop::Depth { limit })
    }
}
