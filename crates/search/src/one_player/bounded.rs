//! The core of the searches that follow one line at a time: [`super::best_plan()`], [`super::depth_first()`],
//! [`super::iterative_deepening()`], [`super::ida_star()`]. A round extends a line as long as its cost stays within a
//! bound. The line is an explicit stack, not the program's, so it may have any length.

use super::problem::{Form, ProblemSearch};
use crate::events::{Bound, Estimate, RoundCost};
use crate::memory::{self, StateTable};
use crate::outcome::Halt;
use crate::{Budget, Cost, Event, NodeId, Observer, Outcome, Plan, Problem, SearchError};
use gdl::limits::heap_block;
use gdl::number::to_u32;
use ggp_game::{Heuristic, Move, Reasoner};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DepthRounds {
    /// One round, bounded only by the budget.
    One,
    /// The number of moves, one more in each round.
    Depth,
    /// The estimated cost of the whole line; the bound of a round is the least cost that exceeded the bound of the
    /// round before. If nothing is left but what the heuristic calls hopeless, the last round has no bound, since the
    /// best of all ends is the answer where no goal is found.
    Cost,
}

/// Searches in rounds until one solves the problem, or no line exceeds the bound.
pub(super) fn bounded<R: Reasoner, H: Heuristic<R>, O: Observer>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: H,
    rounds: DepthRounds,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<Plan>, SearchError> {
    let search = ProblemSearch::start(reasoner, problem, budget, observer)?;
    let seen = StateTable::default();
    let mut bounded = BoundedSearch {
        search,
        heuristic,
        rounds,
        bound: UNLIMITED,
        line: Vec::new(),
        line_heap: 0,
        round: 0,
        before: Cost::default(),
        seen,
        beyond: None,
    };
    let end = bounded.run();
    bounded.search.finish(end)
}

/// The bound of a round that follows all lines, and the cost of a line that leads to no goal.
const UNLIMITED: u64 = u64::MAX;

struct BoundedSearch<'a, R: Reasoner, H, O> {
    search: ProblemSearch<'a, R, O>,
    heuristic: H,
    rounds: DepthRounds,
    /// The greatest cost of a line in this round.
    bound: u64,
    /// The states from the first to the one whose moves are being tried; each is reached by one move from the one
    /// before.
    line: Vec<BoundedStep<R::State>>,
    /// The heap bytes of the steps of the line.
    line_heap: usize,
    /// The number of the current round.
    round: u32,
    /// The cost of the search before this round.
    before: Cost,
    /// In a graph search, what is known of each state.
    seen: StateTable<R::State, VisitRecord>,
    /// In a tree search, the least cost of a line that exceeded the bound.
    beyond: Option<u64>,
}

/// Storage of the state of a step.
enum StoredState<S> {
    /// In the step itself (tree search).
    State(S),
    /// In the table of seen states, under this number.
    Seen(u32),
}

struct BoundedStep<S> {
    state: StoredState<S>,
    /// The heap bytes of the step.
    heap: usize,
    node: NodeId,
    moves: std::vec::IntoIter<Move>,
    /// The move that was tried last.
    chosen: Option<Move>,
}

#[derive(Clone, Copy)]
struct VisitRecord {
    /// The last round that reached the state.
    round: u32,
    /// The fewest moves to the state in that round.
    depth: u32,
    /// The cost of the line through the state, if it exceeded the bound of that round.
    beyond: Option<u64>,
}

impl<R: Reasoner, H: Heuristic<R>, O: Observer> BoundedSearch<'_, R, H, O> {
    fn run(&mut self) -> Result<(), Halt> {
        self.bound = match self.rounds {
            DepthRounds::One => UNLIMITED,
            DepthRounds::Depth => 0,
            DepthRounds::Cost => self.estimate(self.search.problem.state, 0)?.total().unwrap_or(UNLIMITED),
        };
        loop {
            self.begin_round();
            let is_solved = self.round()?;
            self.end_round();
            if is_solved {
                return Ok(());
            }
            match self.least_beyond() {
                Some(next) => self.bound = next,
                None => return Ok(()),
            }
        }
    }

    fn begin_round(&mut self) {
        if self.bound == UNLIMITED && self.search.problem.form == Form::Tree && !self.search.meter.has_horizon() {
            // Without a bound a line in a cyclic game would never end.
            self.search.meter.bound_lines();
        }
        if let Some(bound) = self.shown_bound() {
            self.search.observer.observe(&Event::Round { bound });
            self.round += 1;
            self.beyond = None;
            self.before = self.search.meter.cost();
        }
    }

    fn end_round(&mut self) {
        if let Some(bound) = self.shown_bound() {
            let cost = RoundCost::between(&self.before, &self.search.meter.cost());
            self.search.observer.observe(&Event::RoundOver { bound, cost });
        }
    }

    /// The bound of this round, if the search has several.
    fn shown_bound(&self) -> Option<Bound> {
        match self.rounds {
            DepthRounds::One => None,
            DepthRounds::Depth => Some(Bound::Depth(u32::try_from(self.bound).unwrap_or(u32::MAX))),
            DepthRounds::Cost if self.bound == UNLIMITED => Some(Bound::Unlimited),
            DepthRounds::Cost => Some(Bound::Cost(self.bound)),
        }
    }

    /// The least cost of a line that exceeded the bound. In a graph search a state that some line within the bound
    /// reaches does not count.
    fn least_beyond(&self) -> Option<u64> {
        match self.search.problem.form {
            Form::Tree => self.beyond,
            Form::Graph => {
                let of_this_round =
                    self.seen.from(0).iter().map(|(_, seen)| seen).filter(|seen| seen.round == self.round);
                of_this_round.filter_map(|seen| seen.beyond).min()
            }
        }
    }

    /// Follows all lines within the bound; returns true as soon as one solves the problem.
    fn round(&mut self) -> Result<bool, Halt> {
        self.line = Vec::new();
        self.line_heap = 0;
        if self.enter(self.search.problem.state.clone(), None)? {
            return Ok(true);
        }
        while let Some(step) = self.line.last_mut() {
            let Some(chosen) = step.moves.next() else {
                self.line_heap -= self.line.pop().map_or(0, |step| step.heap);
                continue;
            };
            step.chosen = Some(chosen);
            let node = step.node;
            let state = match &step.state {
                StoredState::State(state) => state,
                &StoredState::Seen(number) => self.seen.state(number),
            };
            let next = self.search.reasoner.next_state(state, &[chosen])?;
            if self.enter(next, Some((node, chosen)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Processes the state after the last one of the line. Makes it the new end of the line unless it is terminal,
    /// known or beyond the bound. Returns true if it solves the problem.
    fn enter(&mut self, state: R::State, from: Option<(NodeId, Move)>) -> Result<bool, Halt> {
        let depth = to_u32(self.line.len());
        let estimate = self.estimate(&state, depth)?;
        let shown = if self.rounds == DepthRounds::Cost { Some(estimate) } else { None };
        let node = self.search.generate(from, depth, shown)?;
        // Before the bound is compared, since the cost of a line beyond it is kept with the state.
        if !self.is_news(&state, depth)? {
            self.search.observer.observe(&Event::Repeated { node });
            return Ok(false);
        }
        let total = estimate.total().unwrap_or(UNLIMITED);
        if total > self.bound {
            return Ok(self.leave(&state, node, Some(total)));
        }
        if let Some(utility) = self.search.end(node, &state)? {
            let line = &self.line;
            return Ok(self.search.keep_if_best(utility, || {
                let mut nodes: Vec<NodeId> = line.iter().map(|step| step.node).collect();
                nodes.push(node);
                (line.iter().filter_map(|step| step.chosen).collect(), nodes)
            }));
        }
        if self.search.meter.at_horizon(depth) {
            return Ok(self.leave(&state, node, None));
        }
        // The node lies at the bound: its children would exceed it.
        if self.rounds == DepthRounds::Depth && u64::from(depth) == self.bound {
            return Ok(self.leave(&state, node, Some(self.bound + 1)));
        }
        let moves = self.search.expand(node, &state)?;
        let mut heap = heap_block(moves.capacity() * size_of::<Move>());
        // A graph search has the state in its table already.
        let state = match self.seen.find(&state) {
            Some(number) => StoredState::Seen(number),
            None => {
                heap += self.search.reasoner.heap_bytes(&state);
                StoredState::State(state)
            }
        };
        self.search.meter.holds(self.line_bytes(heap) + self.seen.bytes_for_next(0))?;
        self.line_heap += heap;
        memory::push(&mut self.line, BoundedStep { state, heap, node, moves: moves.into_iter(), chosen: None });
        Ok(false)
    }

    /// Leaves a node to a later round whose bound is at least `cost`; without a cost no round takes it. Returns false,
    /// since the problem is not solved.
    fn leave(&mut self, state: &R::State, node: NodeId, cost: Option<u64>) -> bool {
        self.search.leave(node);
        self.beyond = self.beyond.into_iter().chain(cost).min();
        if let Some(number) = self.seen.find(state) {
            self.seen.value_mut(number).beyond = cost;
        }
        false
    }

    /// True if a state has to be searched in this round: it has not been reached yet, or only by longer lines, so that
    /// more of its successors may now lie within the bound.
    fn is_news(&mut self, state: &R::State, depth: u32) -> Result<bool, Halt> {
        if self.search.problem.form == Form::Tree {
            return Ok(true);
        }
        let fresh = VisitRecord { round: self.round, depth, beyond: None };
        let is_limited = self.is_limited();
        let Some(number) = self.seen.find(state) else {
            let heap = self.search.reasoner.heap_bytes(state);
            self.search.meter.remember(self.seen.bytes_for_next(heap) + self.line_bytes(0))?;
            self.seen.insert(state.clone(), fresh, heap);
            return Ok(true);
        };
        let seen = self.seen.value_mut(number);
        // Without a bound on lines the first line to a state has seen all that follows it.
        let is_news = seen.round < self.round || depth < seen.depth && is_limited;
        if is_news {
            *seen = fresh;
        }
        Ok(is_news)
    }

    /// True if lines are bounded, so that the length of the line to a state matters.
    fn is_limited(&self) -> bool {
        self.bound != UNLIMITED || self.search.meter.has_horizon()
    }

    /// The bytes in use while a step with `heap` bytes on the heap is added to the line.
    fn line_bytes(&self, heap: usize) -> u64 {
        (memory::list_bytes_for_next(&self.line) + self.line_heap + heap) as u64
    }

    fn estimate(&mut self, state: &R::State, depth: u32) -> Result<Estimate, Halt> {
        let to_go = self.heuristic.estimate(self.search.reasoner, state)?;
        Ok(Estimate { so_far: u64::from(depth), to_go })
    }
}
