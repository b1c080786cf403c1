//! The core of depth-first searches with a stack ([`Siblings::Together`]): the children of a node are generated all at
//! once and wait, and the one that was generated last is visited first. Nothing is remembered, so this is a tree
//! search.
//!
//! [`Siblings::Together`]: super::Siblings::Together

use super::bounded::DepthRounds;
use super::problem::ProblemSearch;
use crate::events::{Bound, RoundCost};
use crate::memory;
use crate::outcome::Halt;
use crate::{Budget, Event, GoalTest, NodeId, Observer, Outcome, Plan, Problem, SearchError};
use gdl::limits::heap_block;
use ggp_game::{Move, Reasoner, Utility};

/// Searches without a bound or, in rounds, to the depths 1, 2, 3 and so on, until a node solves the problem or nothing
/// waits any more. The first state is tested before the first round if nodes are tested when they are generated. Nodes
/// at the bound of a round are taken from the stack and not expanded.
pub(super) fn stacked<R: Reasoner, O: Observer>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    rounds: DepthRounds,
    budget: &Budget,
    observer: O,
) -> Result<Outcome<Plan>, SearchError> {
    let mut search = ProblemSearch::start(reasoner, problem, budget, observer)?;
    search.meter.count_pops();
    let mut stacked = StackedSearch {
        search,
        bound: None,
        families: Vec::new(),
        spare_states: Vec::new(),
        spare_lists: Vec::new(),
        moves: Vec::new(),
        heap: 0,
        is_cut: false,
    };
    let end = stacked.run(rounds);
    stacked.search.finish(end)
}

struct StackedSearch<'a, R: Reasoner, O> {
    search: ProblemSearch<'a, R, O>,
    /// The depth at which nodes are not expanded in this round.
    bound: Option<u32>,
    /// The expanded nodes of the current line, from the first on, with their waiting children.
    families: Vec<OpenFamily<R::State>>,
    /// States that are no longer needed. The next nodes use their memory again, so that a running search allocates
    /// none.
    spare_states: Vec<R::State>,
    /// Empty lists of children, whose memory is used again as well.
    spare_lists: Vec<Vec<(NodeId, Move)>>,
    /// Scratch: the legal moves of the node that is being expanded.
    moves: Vec<Move>,
    /// The heap bytes of the families, and of the states and lists that are spare.
    heap: usize,
    /// True if the bound of this round cut off a node that a later round may expand.
    is_cut: bool,
}

/// An expanded node, and its children that wait.
struct OpenFamily<S> {
    state: S,
    node: NodeId,
    /// The children that wait, the next one last, with the moves that lead to them.
    waiting: Vec<(NodeId, Move)>,
    /// The state of the child that was generated last, until it is visited. The states of the others are computed again
    /// when their turn comes: most searches never reach them.
    newest: Option<S>,
    /// The move to the child that is on the line.
    chosen: Option<Move>,
    heap: usize,
}

impl<R: Reasoner, O: Observer> StackedSearch<'_, R, O> {
    fn run(&mut self, rounds: DepthRounds) -> Result<(), Halt> {
        if rounds == DepthRounds::One {
            return self.round().map(drop);
        }
        for depth in 1.. {
            let before = self.search.meter.cost();
            self.bound = Some(depth);
            self.search.observer.observe(&Event::Round { bound: Bound::Depth(depth) });
            let is_solved = self.round()?;
            let cost = RoundCost::between(&before, &self.search.meter.cost());
            self.search.observer.observe(&Event::RoundOver { bound: Bound::Depth(depth), cost });
            if is_solved || !self.is_cut {
                break;
            }
        }
        Ok(())
    }

    /// Follows all lines within the bound; returns true as soon as a node solves the problem.
    fn round(&mut self) -> Result<bool, Halt> {
        self.is_cut = false;
        let state = self.search.problem.state.clone();
        let first = self.search.generate(None, 0, None)?;
        if self.search.tests_at(GoalTest::Generation)
            && let Some(utility) = self.search.end(first, &state)?
        {
            return Ok(self.keep_if_best(first, None, utility));
        }
        self.search.meter.pop();
        if self.visit(first, state)? {
            return Ok(true);
        }
        while let Some(family) = self.families.last_mut() {
            let Some((node, chosen)) = family.waiting.pop() else {
                self.close();
                continue;
            };
            family.chosen = Some(chosen);
            let state = match family.newest.take() {
                Some(state) => state,
                None => self.next_state(chosen)?,
            };
            self.search.meter.pop();
            if self.visit(node, state)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Processes a node that was taken from the stack; true if it or one of its children solves the problem.
    fn visit(&mut self, node: NodeId, state: R::State) -> Result<bool, Halt> {
        let depth = gdl::number::to_u32(self.families.len());
        if self.search.tests_at(GoalTest::Expansion)
            && let Some(utility) = self.search.end(node, &state)?
        {
            return Ok(self.keep_if_best(node, None, utility));
        }
        let is_beyond_all = self.search.meter.at_horizon(depth);
        if is_beyond_all || self.bound == Some(depth) {
            // No round goes beyond the horizon of the budget.
            self.is_cut |= !is_beyond_all;
            self.search.leave(node);
            self.keep(state);
            self.show_stack();
            return Ok(false);
        }
        let mut moves = std::mem::take(&mut self.moves);
        self.search.expand_into(node, &state, &mut moves)?;
        let heap = self.search.reasoner.heap_bytes(&state);
        let mut waiting = self.spare_lists.pop().unwrap_or_default();
        // The bytes of the list count as spare until it is used; the family counts them from now on.
        self.heap -= heap_block(memory::list_bytes(&waiting));
        waiting.reserve_exact(moves.len());
        memory::push(&mut self.families, OpenFamily { state, node, waiting, newest: None, chosen: None, heap });
        for &chosen in &moves {
            if self.add(node, chosen, depth + 1)? {
                return Ok(true);
            }
        }
        self.moves = moves;
        self.count_memory()?;
        Ok(false)
    }

    /// The state after a move in the last family.
    fn next_state(&mut self, chosen: Move) -> Result<R::State, Halt> {
        let spare = self.spare_states.pop();
        self.heap -= spare.as_ref().map_or(0, |state| self.search.reasoner.heap_bytes(state));
        let family = self.families.last().expect("a node has been expanded");
        Ok(self.search.next_state(&family.state, chosen, spare)?)
    }

    /// Keeps a state whose memory can be used again.
    fn keep(&mut self, state: R::State) {
        self.heap += self.search.reasoner.heap_bytes(&state);
        self.spare_states.push(state);
    }

    /// Removes the last family, and keeps its memory.
    fn close(&mut self) {
        let Some(OpenFamily { state, mut waiting, newest, heap, .. }) = self.families.pop() else { return };
        self.heap -= heap;
        waiting.clear();
        self.heap += heap_block(memory::list_bytes(&waiting));
        self.spare_lists.push(waiting);
        self.keep(state);
        newest.into_iter().for_each(|state| self.keep(state));
    }

    /// Generates a child of the last family, and puts it on the stack unless it is terminal; true if it solves the
    /// problem.
    fn add(&mut self, parent: NodeId, chosen: Move, depth: u32) -> Result<bool, Halt> {
        let state = self.next_state(chosen)?;
        let node = self.search.generate(Some((parent, chosen)), depth, None)?;
        if self.search.tests_at(GoalTest::Generation)
            && let Some(utility) = self.search.end(node, &state)?
        {
            return Ok(self.keep_if_best(node, Some(chosen), utility));
        }
        let family = self.families.last_mut().expect("its parent has been expanded");
        family.waiting.push((node, chosen));
        let before = family.newest.replace(state);
        before.into_iter().for_each(|state| self.keep(state));
        self.show_stack();
        Ok(false)
    }

    /// Keeps the line to a terminal node; `last` is the move to it if it has not been taken from the stack.
    fn keep_if_best(&mut self, node: NodeId, last: Option<Move>, utility: Utility) -> bool {
        let families = &self.families;
        self.search.keep_if_best(utility, || {
            let nodes = families.iter().map(|family| family.node).chain([node]).collect();
            let moves = families.iter().filter_map(|family| family.chosen);
            (moves.chain(last).collect(), nodes)
        })
    }

    fn count_memory(&mut self) -> Result<(), Halt> {
        let family = self.families.last_mut().expect("a node has been expanded");
        // The newest child's state is about as large as its parent's.
        family.heap = 2 * family.heap + heap_block(memory::list_bytes(&family.waiting));
        self.heap += family.heap;
        let lists = memory::list_bytes(&self.spare_states) + memory::list_bytes(&self.spare_lists);
        self.search.meter.holds((memory::list_bytes_for_next(&self.families) + lists + self.heap) as u64)
    }

    fn show_stack(&mut self) {
        if self.search.observer.wants_frontier() {
            let newest_first = self.families.iter().rev().flat_map(|family| family.waiting.iter().rev());
            let nodes = newest_first.map(|&(node, _)| (node, None)).collect();
            self.search.observer.observe(&Event::Frontier { nodes });
        }
    }
}
