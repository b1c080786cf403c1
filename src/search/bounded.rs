//! The core of the searches that go down one line at a time: [`super::best_plan()`], [`super::depth_first()`], [`super::iterative_deepening()`],
//! [`super::ida_star()`]. A round goes down as long as the cost of a line stays within a bound; the line is kept here and not on
//! the stack of the program, so it may be of any length.

use super::outcome::Halt;
use super::problem::{Form, Search};
use super::trace::{Bound, Estimate};
use super::{Budget, Event, NodeId, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::{Heuristic, Move, Reasoner};
use rustc_hash::FxHashMap;

/// What bounds the rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounds {
    /// One round, and nothing but the budget bounds it.
    One,
    /// The number of moves, one more in each round.
    Depth,
    /// The estimated cost of the whole line, in each round the least that was beyond the last.
    Cost,
}

/// Searches in rounds until one solves the problem, or there is nothing beyond the bound.
pub(super) fn bounded<R: Reasoner, H: Heuristic<R>, O: Observer>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: H,
    rounds: Rounds,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<Plan>, SearchError> {
    let mut search = Search::start(reasoner, problem, budget, observer)?;
    if rounds == Rounds::One && problem.form == Form::Tree && !search.meter.has_horizon() {
        // Nothing else would end a line of a game without end.
        search.meter.bound_lines();
    }
    let seen = FxHashMap::default();
    let mut bounded =
        Bounded { search, heuristic, rounds, bound: u64::MAX, line: Vec::new(), round: 0, seen, beyond: None };
    let end = bounded.run();
    bounded.search.finish(end)
}

struct Bounded<'a, R: Reasoner, H, O> {
    search: Search<'a, R, O>,
    heuristic: H,
    rounds: Rounds,
    /// The cost that no line of this round may exceed.
    bound: u64,
    /// The states from the first to the one whose moves are tried now.
    line: Vec<Step<R::State>>,
    /// The number of this round.
    round: u32,
    /// In a graph search, what is known of each state.
    seen: FxHashMap<R::State, Seen>,
    /// In a tree search, the least cost of a line that went beyond the bound.
    beyond: Option<u64>,
}

/// A state on the line.
struct Step<S> {
    state: S,
    node: NodeId,
    moves: std::vec::IntoIter<Move>,
    /// The move that was tried last.
    chosen: Option<Move>,
}

/// What is known of a state.
#[derive(Clone, Copy)]
struct Seen {
    /// The last round that reached it.
    round: u32,
    /// The fewest moves to it in that round.
    depth: u32,
    /// The cost of the line through it, where that is beyond the bound of that round.
    beyond: Option<u64>,
}

impl<R: Reasoner, H: Heuristic<R>, O: Observer> Bounded<'_, R, H, O> {
    fn run(&mut self) -> Result<(), Halt> {
        self.bound = match self.rounds {
            Rounds::One => u64::MAX,
            Rounds::Depth => 0,
            Rounds::Cost => match self.estimate(self.search.problem.state, 0)?.total() {
                Some(total) => total,
                None => return Ok(()),
            },
        };
        loop {
            match self.rounds {
                Rounds::One => {}
                Rounds::Depth => self.begin_round(Bound::Depth(self.bound as u32)),
                Rounds::Cost => self.begin_round(Bound::Cost(self.bound)),
            }
            if self.round()? {
                return Ok(());
            }
            match self.least_beyond() {
                Some(next) => self.bound = next,
                None => return Ok(()),
            }
        }
    }

    fn begin_round(&mut self, bound: Bound) {
        self.search.observer.observe(Event::Round { bound });
        self.round += 1;
        self.beyond = None;
    }

    /// The least cost of a line beyond the bound. In a graph search only states count that no line within the bound reaches.
    fn least_beyond(&self) -> Option<u64> {
        match self.search.problem.form {
            Form::Tree => self.beyond,
            Form::Graph => {
                let of_this_round = self.seen.values().filter(|seen| seen.round == self.round);
                of_this_round.filter_map(|seen| seen.beyond).min()
            }
        }
    }

    /// Goes down all lines within the bound; true as soon as one solves the problem.
    fn round(&mut self) -> Result<bool, Halt> {
        self.line.clear();
        if self.enter(self.search.problem.state.clone(), None)? {
            return Ok(true);
        }
        while let Some(step) = self.line.last_mut() {
            let Some(chosen) = step.moves.next() else {
                self.line.pop();
                continue;
            };
            step.chosen = Some(chosen);
            let (state, node) = (step.state.clone(), step.node);
            let next = self.search.reasoner.next_state(&state, &[chosen])?;
            if self.enter(next, Some((node, chosen)))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Looks at a state behind the end of the line, and makes it the new end unless it is the end of the game, known or beyond the
    /// bound. True where it solves the problem.
    fn enter(&mut self, state: R::State, from: Option<(NodeId, Move)>) -> Result<bool, Halt> {
        let depth = self.line.len() as u32;
        let estimate = self.estimate(&state, depth)?;
        let node = self.search.generate(from, depth, Some(estimate).filter(|_| self.rounds == Rounds::Cost))?;
        if !self.is_news(&state, depth)? {
            self.search.observer.observe(Event::Repeated { node });
            return Ok(false);
        }
        match estimate.total() {
            Some(total) if total <= self.bound => {}
            total => return Ok(self.leave(&state, node, total)),
        }
        if let Some(utility) = self.search.end(node, &state)? {
            let line = &self.line;
            return Ok(self.search.take(utility, || {
                let nodes = line.iter().map(|step| step.node).chain([node]).collect();
                (line.iter().filter_map(|step| step.chosen).collect(), nodes)
            }));
        }
        if self.search.meter.at_horizon(depth) {
            return Ok(self.leave(&state, node, None));
        }
        if self.rounds == Rounds::Depth && u64::from(depth) == self.bound {
            return Ok(self.leave(&state, node, Some(self.bound + 1)));
        }
        let moves = self.search.expand(node, &state)?.into_iter();
        self.line.push(Step { state, node, moves, chosen: None });
        Ok(false)
    }

    /// Leaves a node to a later round, which must allow this cost, or for good. The problem is not solved by that.
    fn leave(&mut self, state: &R::State, node: NodeId, cost: Option<u64>) -> bool {
        self.search.observer.observe(Event::Beyond { node });
        self.beyond = self.beyond.into_iter().chain(cost).min();
        if let Some(seen) = self.seen.get_mut(state) {
            seen.beyond = cost;
        }
        false
    }

    /// Whether a state has to be looked at in this round: it has not been reached yet, or only by longer lines, and then more of what
    /// lies behind it may be within the bound.
    fn is_news(&mut self, state: &R::State, depth: u32) -> Result<bool, Halt> {
        if self.search.problem.form == Form::Tree {
            return Ok(true);
        }
        let fresh = Seen { round: self.round, depth, beyond: None };
        let is_limited = self.is_limited();
        match self.seen.get_mut(state) {
            Some(seen) if seen.round < self.round => *seen = fresh,
            Some(seen) if depth < seen.depth && is_limited => *seen = fresh,
            Some(_) => return Ok(false),
            None => {
                let bytes = size_of::<(R::State, Seen)>() + self.search.reasoner.heap_bytes(state);
                self.search.meter.remember(bytes)?;
                self.seen.insert(state.clone(), fresh);
            }
        }
        Ok(true)
    }

    /// Whether anything bounds the lines, so that it matters how long the way to a state is.
    fn is_limited(&self) -> bool {
        self.rounds != Rounds::One || self.search.meter.has_horizon()
    }

    fn estimate(&mut self, state: &R::State, depth: u32) -> Result<Estimate, Halt> {
        let to_go = self.heuristic.estimate(self.search.reasoner, state)?;
        Ok(Estimate { so_far: u64::from(depth), to_go })
    }
}
