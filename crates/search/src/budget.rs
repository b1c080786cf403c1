//! The limits of a search, and the meter that enforces them.

use super::outcome::Halt;
use super::{Cost, NodeId, Outcome, SearchError, SearchProgress};
use gdl::limits::{Limits, Stop};
use gdl::time::Instant;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limits of a search: those of any work, and what only searches have. The defaults: no limit on time or nodes,
/// [`Budget::MEMORY`], and, for recursive searches, lines of at most [`Budget::DEPTH`] joint moves.
#[derive(Clone, Debug)]
pub struct Budget {
    /// The interrupt and the deadline of the caller, and the memory for what the search remembers.
    limits: Limits,
    /// The time of each search.
    time: Option<Duration>,
    nodes: u64,
    depth: Option<u32>,
    extends_forced: bool,
    progress: Option<Arc<SearchProgress>>,
    /// The start of the work that the limit on time is for, if it began before the search.
    begun: Option<Instant>,
}

impl Budget {
    /// The longest line of a recursive search, in joint moves. Lines of this length fit every thread's stack.
    pub const DEPTH: u32 = 1_000;

    /// The default limit on what a search remembers, in bytes: 4 GiB, and 1 GiB in a browser, whose tabs have less.
    pub const MEMORY: u64 = if cfg!(target_family = "wasm") { 1 << 30 } else { 4 << 30 };

    /// No limit on time, nodes or depth, and [`Budget::MEMORY`].
    #[inline]
    pub fn new() -> Self {
        let limits = Limits::new().with_memory(Self::MEMORY);
        let nodes = u64::MAX;
        Self { limits, time: None, nodes, depth: None, extends_forced: false, progress: None, begun: None }
    }

    /// Adds the interrupt and the deadline of these limits, usually those of the game. Their limit on memory is
    /// ignored, since it is for a single answer of an engine ([`Budget::with_memory`]).
    #[inline]
    pub fn with_limits(mut self, limits: &Limits) -> Self {
        self.limits = limits.clone().with_memory(self.limits.memory());
        self
    }

    /// Stops before more than `nodes` states are generated.
    #[inline]
    pub fn with_nodes(mut self, nodes: u64) -> Self {
        self.nodes = nodes;
        self
    }

    /// Searches at most `depth` joint moves ahead.
    #[inline]
    pub fn with_depth(mut self, depth: u32) -> Self {
        self.depth = Some(depth);
        self
    }

    /// Does not count joint moves without a choice towards the depth, so that lines go on, beyond the horizon too,
    /// until some role has a choice or the game ends; where that never happens, the horizon is after 32 of them. For
    /// searches of several players.
    #[inline]
    pub fn extending_forced(mut self) -> Self {
        self.extends_forced = true;
        self
    }

    /// The budget of a search within a search: the same limits without those on depth and nodes, and without progress.
    #[inline]
    pub fn within(&self) -> Self {
        Self { depth: None, nodes: u64::MAX, progress: None, begun: None, ..self.clone() }
    }

    /// Stops when this much time has passed since the search began.
    #[inline]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = Some(time);
        self
    }

    /// Counts the time from this instant on, because other work for the same answer came before the search.
    #[inline]
    pub fn begun_at(self, instant: Instant) -> Self {
        Self { begun: Some(instant), ..self }
    }

    /// Stops before what is remembered exceeds `bytes`, estimated from the sizes of what is stored.
    #[inline]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.limits = self.limits.with_memory(bytes);
        self
    }

    /// Stops soon after this flag is set.
    #[inline]
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.limits = self.limits.with_interrupt(flag);
        self
    }

    /// Keeps the numbers of `progress` up to date while the search runs.
    #[inline]
    pub fn with_progress(mut self, progress: Arc<SearchProgress>) -> Self {
        self.progress = Some(progress);
        self
    }

    /// The budget that is left after this many nodes and this much time.
    #[inline]
    pub fn after(&self, nodes: u64, time: Duration) -> Self {
        // The time that is left starts with the next search, so `begun` does not apply to it.
        let left = self.clone().with_nodes(self.nodes.saturating_sub(nodes));
        Self { time: self.time.map(|limit| limit.saturating_sub(time)), begun: None, ..left }
    }

    /// The limit of the whole budget that corresponds to a limit of what was left of it.
    #[inline]
    pub fn whole(&self, stop: Stop) -> Stop {
        match stop {
            Stop::Nodes { .. } => Stop::Nodes { limit: self.nodes },
            Stop::Time { limit } => Stop::Time { limit: self.time.unwrap_or(limit) },
            stop => stop,
        }
    }

    /// The same limits without progress, for one of several searches whose sum is published.
    #[inline]
    pub(super) fn silent(self) -> Self {
        Self { progress: None, ..self }
    }

    /// Publishes the progress of several searches together.
    #[inline]
    pub(super) fn publish(&self, nodes: u64, depth: u32) {
        if let Some(progress) = &self.progress {
            progress.set(nodes, depth);
        }
    }

    /// True if there is a limit on time, nodes or depth.
    #[inline]
    pub fn is_limited(&self) -> bool {
        self.time.is_some() || self.nodes < u64::MAX || self.depth.is_some()
    }

    /// The limit on the time of a search, if there is one.
    #[inline]
    pub fn time(&self) -> Option<Duration> {
        self.time
    }

    /// The limit on depth, if there is one.
    #[inline]
    pub fn depth(&self) -> Option<u32> {
        self.depth
    }

    /// True if joint moves without a choice do not count towards the depth.
    #[inline]
    pub(super) fn extends_forced(&self) -> bool {
        self.extends_forced
    }

    /// The limit on nodes.
    #[inline]
    pub fn most_nodes(&self) -> u64 {
        self.nodes
    }

    /// The limit on memory, in bytes.
    #[inline]
    pub(super) fn memory(&self) -> u64 {
        self.limits.memory()
    }
}

impl Default for Budget {
    #[inline]
    fn default() -> Self {
        Self::new()
    }
}

/// Counts the work of one search and stops it at its limits.
#[derive(Debug)]
pub(super) struct Meter<'a> {
    budget: &'a Budget,
    /// The limits of the budget, from the start of this search on.
    limits: Limits,
    started: Instant,
    cost: Cost,
    /// The search stops at lines longer than this, in joint moves.
    most_depth: u32,
    /// True if the horizon cut something off, so that the answer is not exact.
    is_cut: bool,
    /// The most bytes that were remembered at a time.
    most_memory: u64,
}

impl<'a> Meter<'a> {
    /// The number of nodes between two checks of the clock.
    const NODES_PER_CHECK: u64 = 64;

    /// A meter for a recursive search, whose depth the stack bounds.
    #[inline]
    pub(super) fn start(budget: &'a Budget) -> Self {
        let most_depth = budget.depth.unwrap_or(Budget::DEPTH).min(Budget::DEPTH);
        let started = budget.begun.unwrap_or_else(Instant::now);
        let limits = budget.limits.of_work(started, budget.time);
        Self { budget, limits, started, cost: Cost::default(), most_depth, is_cut: false, most_memory: 0 }
    }

    /// A meter for a search that is not recursive: only the budget bounds its depth.
    #[inline]
    pub(super) fn start_flat(budget: &'a Budget) -> Self {
        Self { most_depth: budget.depth.unwrap_or(u32::MAX), ..Self::start(budget) }
    }

    /// A meter for a recursive search that applies the budget's depth itself.
    #[inline]
    pub(super) fn start_without_horizon(budget: &'a Budget) -> Self {
        Self { most_depth: Budget::DEPTH, ..Self::start(budget) }
    }

    /// Stops the search at lines of more than [`Budget::DEPTH`] joint moves.
    #[inline]
    pub(super) fn bound_lines(&mut self) {
        self.most_depth = Budget::DEPTH;
    }

    /// Counts remembered states as well and reports their number.
    #[inline]
    pub(super) fn remembering(mut self) -> Self {
        self.cost.states = Some(0);
        self
    }

    /// Counts a generated state, `depth` joint moves from the first, and numbers its node.
    pub(super) fn visit(&mut self, depth: u32) -> Result<NodeId, Halt> {
        // The flag is cheap to read, so it is checked at each node, and the clock is not.
        if self.limits.is_interrupted() {
            return Err(Stop::Interrupted.into());
        }
        if self.cost.nodes >= self.budget.nodes {
            return Err(Stop::Nodes { limit: self.budget.nodes }.into());
        }
        self.reach(depth)?;
        // Reading the clock may take longer than computing a node.
        if self.cost.nodes.is_multiple_of(Self::NODES_PER_CHECK) {
            self.check(depth)?;
        }
        let node = NodeId::new(self.cost.nodes);
        self.cost.nodes += 1;
        self.cost.depth = self.cost.depth.max(depth);
        Ok(node)
    }

    /// Checks that lines may be this long.
    #[inline]
    pub(super) fn reach(&self, depth: u32) -> Result<(), Halt> {
        if self.may_reach(depth) { Ok(()) } else { Err(Stop::Depth { limit: self.most_depth }.into()) }
    }

    /// True if lines may be this long.
    #[inline]
    pub(super) fn may_reach(&self, depth: u32) -> bool {
        depth <= self.most_depth
    }

    /// Counts states that are generated together, at a depth that lines may have, for a search without a limit on
    /// nodes.
    #[inline]
    pub(super) fn visit_all(&mut self, states: usize, depth: u32) -> Result<(), Halt> {
        self.pause()?;
        self.cost.nodes += states as u64;
        self.reaches(depth);
        Ok(())
    }

    /// Takes back what was counted since [`Meter::cost`] returned this cost.
    #[inline]
    pub(super) fn restore(&mut self, cost: Cost) {
        self.cost = cost;
    }

    /// Publishes the progress, and checks the interrupt and the clock.
    #[inline]
    fn check(&self, depth: u32) -> Result<(), Halt> {
        if let Some(progress) = &self.budget.progress {
            progress.set(self.cost.nodes, self.cost.depth.max(depth));
        }
        Ok(self.limits.check()?)
    }

    #[inline]
    pub(super) fn expand(&mut self) {
        self.cost.expanded += 1;
    }

    /// Counts a line of this length.
    #[inline]
    pub(super) fn reaches(&mut self, depth: u32) {
        self.cost.depth = self.cost.depth.max(depth);
    }

    /// Counts states that were expanded without the meter.
    #[inline]
    pub(super) fn expanded_also(&mut self, count: u64) {
        self.cost.expanded += count;
    }

    /// Counts leaves as well and reports their number.
    #[inline]
    pub(super) fn counting_leaves(mut self) -> Self {
        self.cost.leaves = Some(0);
        self
    }

    /// Counts pops as well and reports their number.
    #[inline]
    pub(super) fn count_pops(&mut self) {
        self.cost.pops = Some(0);
    }

    /// Counts a node that is taken from the queue or the stack.
    #[inline]
    pub(super) fn pop(&mut self) {
        *self.cost.pops.get_or_insert(0) += 1;
    }

    /// Counts a terminal node, or one at the horizon.
    #[inline]
    pub(super) fn leaf(&mut self) {
        *self.cost.leaves.get_or_insert(0) += 1;
    }

    /// The cost so far, without the time.
    #[inline]
    pub(super) fn cost(&self) -> Cost {
        self.cost
    }

    /// True if a node at `depth` lies on the horizon, so that its successors are not searched. If so the answer is not
    /// exact, unless [`Meter::settle`] is called.
    #[inline]
    pub(super) fn at_horizon(&mut self, depth: u32) -> bool {
        let at_horizon = self.is_at_horizon(depth);
        self.is_cut |= at_horizon;
        at_horizon
    }

    /// Notes that the horizon cut something off.
    #[inline]
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
    }

    /// True as [`Meter::at_horizon`], without an effect on the answer.
    #[inline]
    pub(super) fn is_at_horizon(&self, depth: u32) -> bool {
        self.budget.depth.is_some_and(|limit| depth >= limit)
    }

    /// True if the budget limits the depth.
    #[inline]
    pub(super) fn has_horizon(&self) -> bool {
        self.budget.depth.is_some()
    }

    /// Makes the answer exact in spite of the horizon, because nothing that was cut off can be better than what has
    /// been found.
    #[inline]
    pub(super) fn settle(&mut self) {
        self.is_cut = false;
    }

    /// Counts a remembered state; `all_bytes` is the memory in use with it.
    #[inline]
    pub(super) fn remember(&mut self, all_bytes: u64) -> Result<(), Halt> {
        self.holds(all_bytes)?;
        *self.cost.states.get_or_insert(0) += 1;
        Ok(())
    }

    #[inline]
    pub(super) fn most_nodes(&self) -> u64 {
        self.budget.nodes
    }

    /// Sets the number of remembered states, for a table that limits its memory itself.
    #[inline]
    pub(super) fn remembered(&mut self, states: u64) {
        self.cost.states = Some(states);
    }

    /// Checks that the search may remember this many bytes.
    #[inline]
    pub(super) fn holds(&mut self, bytes: u64) -> Result<(), Halt> {
        self.holds_beside(bytes, 0)
    }

    /// Checks as [`Meter::holds`], with `scratch` more bytes in use. Scratch counts towards the limit but not as
    /// remembered, since its size depends on the engine.
    #[inline]
    pub(super) fn holds_beside(&mut self, bytes: u64, scratch: u64) -> Result<(), Halt> {
        self.limits.check_memory(bytes + scratch)?;
        self.most_memory = self.most_memory.max(bytes);
        Ok(())
    }

    /// The most bytes that were remembered at a time.
    #[inline]
    pub(super) fn most_memory(&self) -> u64 {
        self.most_memory
    }

    /// The budget of a search within this one: the same interrupt and time.
    #[inline]
    pub(super) fn share(&self) -> Budget {
        self.budget.within().begun_at(self.started)
    }

    /// The budget as [`Meter::share`], but only until this share of the time is spent, from 0 to 1.
    #[inline]
    pub(super) fn share_until(&self, spent: f64) -> Budget {
        let share = self.share();
        let time = share.time.map(|limit| limit.mul_f64(spent));
        Budget { time, ..share }
    }

    /// Checks the interrupt and the clock, for work that visits no node.
    #[inline]
    pub(super) fn pause(&self) -> Result<(), Halt> {
        self.check(0)
    }

    /// Forgets what has been counted, for a search that begins again by other means.
    #[inline]
    pub(super) fn begin_again(&mut self) {
        let Cost { states, leaves, pops, .. } = self.cost;
        // A count that is reported stays reported.
        let zero = |count: Option<u64>| count.map(|_| 0);
        self.cost = Cost { states: zero(states), leaves: zero(leaves), pops: zero(pops), ..Cost::default() };
    }

    /// The limit on memory, in bytes.
    #[inline]
    pub(super) fn limit(&self) -> u64 {
        self.limits.memory()
    }

    /// The halt of a search that cannot count what it would remember.
    #[inline]
    pub(super) fn out_of_memory(&self) -> Halt {
        Stop::Memory { limit: self.limits.memory() }.into()
    }

    #[inline]
    pub(super) fn nodes(&self) -> u64 {
        self.cost.nodes
    }

    /// The share of the time or of the nodes that is spent, whichever is greater, from 0 to 1; 0 without limits on
    /// both.
    #[inline]
    pub(super) fn spent(&self) -> f64 {
        let of_time = self.budget.time.map_or(0.0, |limit| self.started.elapsed().div_duration_f64(limit));
        // Without a limit on nodes this share is practically 0.
        (self.cost.nodes as f64 / self.budget.nodes as f64).max(of_time)
    }

    /// Makes the outcome of a search whose best answer so far is final unless something halted it.
    pub(super) fn best_so_far<T>(mut self, halt: Option<Halt>, best: Option<T>) -> Result<Outcome<T>, SearchError> {
        self.cost.time = self.started.elapsed();
        let stopped = match halt {
            None => self.cut_at(),
            Some(halt) => Some(halt.stop()?),
        };
        Ok(Outcome { answer: best, stopped, cost: self.cost })
    }

    /// The limit on depth, if it cut something off: that of the budget, or of a search that deepens without one.
    #[inline]
    fn cut_at(&self) -> Option<Stop> {
        self.is_cut.then(|| Stop::Depth { limit: self.budget.depth.unwrap_or(Budget::DEPTH) })
    }
}
