//! All states below a state, each once, with the joint moves between them, as [`super::tree()`] and [`super::perft()`]
//! count them.
//!
//! States are found breadth first and numbered in that order, so a state with a greater number is at least as far from
//! the first state.

use super::lookahead::Lookahead;
use crate::game::{BatchReasoner, Expansion, ReasonError, Reasoner, Role, Turn, Utility};
use crate::limits::Stop;
use crate::number::to_u32;
use crate::search::budget::Meter;
use crate::search::memory::{StateTable, list_bytes, list_bytes_for_next, push};
use crate::search::outcome::Halt;
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// States and the joint moves between them.
#[derive(Debug, Default)]
pub(crate) struct StateGraph {
    /// For each visited state, the least number of joint moves to it.
    pub(crate) distances: Vec<u32>,
    /// For each state, whether it is terminal.
    pub(crate) terminal: Vec<bool>,
    /// For each expanded state, the end of its successors in `successors`.
    ends: Vec<usize>,
    /// The successor states, one entry for each joint move, in canonical order.
    pub(crate) successors: Vec<u32>,
    /// For each terminal state that has been evaluated, in the order of their numbers, the index of its ending.
    pub(crate) ending_of: Vec<u32>,
    /// The endings: the utility of each role, if the rules define exactly one.
    pub(crate) endings: Vec<Vec<Option<Utility>>>,
    /// The index of each ending.
    ending_numbers: FxHashMap<Vec<Option<Utility>>, u32>,
    /// The greatest number of roles that have a choice in one state.
    pub(crate) choosing: usize,
    /// The last complete layer: every state at most this many joint moves away has been visited.
    pub(crate) complete: u32,
}

struct Exploration<'a, 'b, R: Reasoner> {
    reasoner: &'a mut R,
    meter: &'a mut Meter<'b>,
    graph: StateGraph,
    /// Each state with the least number of joint moves to it.
    states: StateTable<R::State, u32>,
    /// The bytes of the lookahead, and of what the caller stores.
    beside: usize,
    /// The distance of the first state for whose successors the budget had too few nodes. No later state is expanded.
    full_at: Option<u32>,
}

/// The utilities of a terminal state, in the order of the roles.
pub(crate) type Goals = [Result<Utility, ReasonError>];

impl StateGraph {
    /// Explores the states that are at most `depth` joint moves away; those at that distance are visited but not
    /// expanded. `visit` is called with every nearer state when it is visited: with its distance and, if it is
    /// terminal, its goals. It returns the number of bytes that it stores for the state.
    ///
    /// If the exploration is halted, what was found is returned: the graph, and the states by their numbers, of which
    /// the last may not have been visited.
    pub(crate) fn explore<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        depth: u32,
        meter: &mut Meter<'_>,
        mut visit: impl FnMut(&mut R, &R::State, u32, Option<&Goals>) -> Result<usize, Halt>,
    ) -> (Self, StateTable<R::State, u32>, Option<Halt>) {
        let graph = Self::default();
        let states = StateTable::default();
        let mut exploration = Exploration { reasoner, meter, graph, states, beside: 0, full_at: None };
        let halt = exploration.run(state, depth, &mut visit).err();
        (exploration.graph, exploration.states, halt)
    }

    /// The number of visited states.
    pub(crate) fn len(&self) -> usize {
        self.terminal.len()
    }

    /// The successors of a state, one entry for each joint move; empty for a state that is not expanded.
    pub(crate) fn successors(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.successors[start..end]
    }

    /// The bytes that all lists have allocated.
    pub(crate) fn bytes(&self) -> usize {
        let numbers = list_bytes(&self.distances) + list_bytes(&self.successors) + list_bytes(&self.ending_of);
        numbers + list_bytes(&self.terminal) + list_bytes(&self.ends)
    }

    /// The bytes in use while one more state with one more successor is added.
    fn bytes_for_next(&self) -> usize {
        let numbers = list_bytes_for_next(&self.distances) + list_bytes_for_next(&self.successors);
        let endings = list_bytes_for_next(&self.ending_of);
        numbers + endings + list_bytes_for_next(&self.terminal) + list_bytes_for_next(&self.ends)
    }

    /// The bytes in use while states with these numbers of successors are added.
    pub(crate) fn bytes_for(&self, states: usize, successors: usize) -> usize {
        let each = 2 * size_of::<u32>() + size_of::<bool>() + size_of::<usize>();
        let bytes = self.bytes();
        bytes + (bytes / 8).max(states * each + successors * size_of::<u32>())
    }

    /// Ends the successors of the next state.
    pub(crate) fn end_successors(&mut self) {
        push(&mut self.ends, self.successors.len());
    }

    /// The index of the ending with these goals.
    ///
    /// # Errors
    /// If the engine has not evaluated a goal.
    pub(crate) fn ending(&mut self, goals: &Goals) -> Result<u32, Halt> {
        let utilities = goals.iter().map(worth).collect::<Result<Vec<_>, _>>()?;
        if let Some(&number) = self.ending_numbers.get(&utilities) {
            return Ok(number);
        }
        let number = to_u32(self.endings.len());
        self.ending_numbers.insert(utilities.clone(), number);
        self.endings.push(utilities);
        Ok(number)
    }

    /// The number of joint moves in all states.
    pub(crate) fn edges(&self) -> usize {
        self.successors.len()
    }

    /// The states, each before all of its successors; incomplete if some state can be reached again from itself (Kahn's
    /// algorithm).
    pub(crate) fn topological_order(&self) -> Vec<u32> {
        let mut arrivals = vec![0_u32; self.len()];
        self.successors.iter().for_each(|&to| arrivals[to as usize] += 1);
        let mut order: Vec<u32> = if arrivals.first() == Some(&0) { vec![0] } else { Vec::new() };
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &to in self.successors(state as usize) {
                arrivals[to as usize] -= 1;
                if arrivals[to as usize] == 0 {
                    order.push(to);
                }
            }
        }
        order
    }
}

impl<R: BatchReasoner> Exploration<'_, '_, R> {
    fn run(
        &mut self,
        first: &R::State,
        depth: u32,
        visit: &mut impl FnMut(&mut R, &R::State, u32, Option<&Goals>) -> Result<usize, Halt>,
    ) -> Result<(), Halt> {
        self.number(Cow::Borrowed(first), 0)?;
        let (mut next, mut lookahead) = (0, Lookahead::new());
        while next < self.states.len() {
            let distance = *self.states.value(to_u32(next));
            self.graph.complete = distance.saturating_sub(1);
            self.meter.visit(distance)?;
            push(&mut self.graph.distances, distance);
            let state = self.states.state(to_u32(next));
            if distance >= depth {
                let terminal = self.reasoner.is_terminal(state)?;
                push(&mut self.graph.terminal, terminal);
            } else if self.full_at.is_some() {
                let goals = goals(self.reasoner, state)?;
                push(&mut self.graph.terminal, goals.is_some());
                if let Some(goals) = &goals {
                    let ending = self.graph.ending(goals)?;
                    push(&mut self.graph.ending_of, ending);
                }
                self.beside += visit(self.reasoner, state, distance, goals.as_deref())?;
            } else {
                let coming = self.states.from(next).iter();
                let near = coming.take_while(|(_, distance)| *distance < depth).map(|(state, _)| state);
                let known = lookahead.get(self.reasoner, next, near)?;
                let (expansion, ahead) = (known.of, known.bytes);
                let goals = if let Expansion::End(goals) = expansion { Some(goals) } else { None };
                push(&mut self.graph.terminal, goals.is_some());
                if let Some(goals) = goals {
                    let ending = self.graph.ending(goals)?;
                    push(&mut self.graph.ending_of, ending);
                }
                self.beside += visit(self.reasoner, state, distance, goals)?;
                if let Expansion::Turn(turn) = expansion {
                    self.beside += ahead;
                    self.expand(to_u32(next), turn, distance)?;
                    self.beside -= ahead;
                }
            }
            self.graph.end_successors();
            next += 1;
        }
        if let Some(distance) = self.full_at {
            // All states up to this distance have been visited, but not all that are one move farther.
            self.graph.complete = distance;
            return Err(Stop::Nodes { limit: self.meter.most_nodes() }.into());
        }
        self.graph.complete = depth;
        Ok(())
    }

    /// Numbers the successors of a state, as far as the budget has nodes for them.
    fn expand(&mut self, from: u32, turn: Turn<'_, R::State>, distance: u32) -> Result<(), Halt> {
        const MOVES_PER_CHECK: usize = 256;
        self.meter.expand();
        self.graph.choosing = self.graph.choosing.max(turn.choosing().count());
        for joint_move in 0..turn.joint_moves() {
            if joint_move % MOVES_PER_CHECK == MOVES_PER_CHECK - 1 {
                self.meter.pause()?;
            }
            let after = turn.successor(self.reasoner, self.states.state(from), joint_move)?;
            let Some(number) = self.number(after, distance + 1)? else {
                self.full_at = Some(distance);
                return Ok(());
            };
            push(&mut self.graph.successors, number);
        }
        Ok(())
    }

    /// The number of a state, which is added if it is new; `None` if the budget has no node for it. The first state is
    /// kept whatever the memory limit, so that there is an answer.
    fn number(&mut self, state: Cow<'_, R::State>, distance: u32) -> Result<Option<u32>, Halt> {
        if let Some(number) = self.states.find(&state) {
            return Ok(Some(number));
        }
        let is_first = self.states.len() == 0;
        if !is_first && self.states.len() as u64 >= self.meter.most_nodes() {
            return Ok(None);
        }
        let heap = self.reasoner.heap_bytes(&state);
        let beside = self.beside + self.graph.bytes_for_next();
        let held = self.meter.holds(self.states.bytes_for_next(heap) + beside as u64);
        if !is_first {
            held?;
        }
        Ok(Some(self.states.insert(state.into_owned(), distance, heap)))
    }
}

/// The utility of a terminal state for a role, if the rules define exactly one.
fn worth(goal: &Result<Utility, ReasonError>) -> Result<Option<Utility>, Halt> {
    match goal {
        Ok(utility) => Ok(Some(*utility)),
        Err(
            ReasonError::GoalUndefined { .. } | ReasonError::GoalNotUnique { .. } | ReasonError::GoalNotInteger { .. },
        ) => Ok(None),
        Err(error) => Err(error.clone().into()),
    }
}

/// The utilities of a state for each role, if it is terminal.
fn goals<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Option<Vec<Result<Utility, ReasonError>>>, Halt> {
    if !reasoner.is_terminal(state)? {
        return Ok(None);
    }
    let roles = (0..reasoner.roles().len()).map(Role::new);
    Ok(Some(roles.map(|role| reasoner.goal(state, role)).collect()))
}
