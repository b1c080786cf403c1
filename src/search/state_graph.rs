//! All states below a state, each once, with the joint moves between them: what [`super::tree()`] and [`super::perft()`] count on.
//!
//! States are found breadth first and numbered as they are found, so that each number is at least as far from the first
//! state as those before it.

use super::budget::Meter;
use super::lookahead::Lookahead;
use super::outcome::Halt;
use crate::game::{BatchReasoner, Expansion, ReasonError, Reasoner, Turn, Utility};
use rustc_hash::FxHashMap;

/// States and the joint moves between them.
#[derive(Debug)]
pub(super) struct StateGraph {
    /// For each state, the least number of joint moves to it.
    pub(super) distances: Vec<u32>,
    /// For each state, whether the game is over in it.
    pub(super) terminal: Vec<bool>,
    /// For each expanded state, where its successors end in `successors`.
    ends: Vec<usize>,
    /// The states that joint moves lead to, one entry a joint move, in canonical order.
    successors: Vec<u32>,
    /// The most roles that have a choice in one state.
    pub(super) choosing: usize,
    /// The layers that are complete: every state at most so many joint moves away has been visited.
    pub(super) complete: u32,
}

/// What has been found, and the states that are still to be expanded.
struct Exploration<'a, 'b, R: Reasoner> {
    reasoner: &'a mut R,
    meter: &'a mut Meter<'b>,
    graph: StateGraph,
    states: Vec<R::State>,
    numbers: FxHashMap<R::State, u32>,
}

/// The goal values of a state in which the game is over, role by role.
pub(super) type Goals = [Result<Utility, ReasonError>];

impl StateGraph {
    /// Explores the states that are at most `depth` joint moves away; those that are farther than that are not visited, and
    /// those just so far are not expanded. `look` is shown every nearer state as it is visited: how far away it is, and, where the game is over, what
    /// that is worth.
    ///
    /// What was found is there even where the exploration was halted.
    pub(super) fn explore<R: BatchReasoner>(
        reasoner: &mut R,
        state: &R::State,
        depth: u32,
        meter: &mut Meter<'_>,
        mut look: impl FnMut(&mut R, &R::State, u32, Option<&Goals>) -> Result<(), Halt>,
    ) -> (Self, Option<Halt>) {
        let graph = Self {
            distances: Vec::new(),
            terminal: Vec::new(),
            ends: Vec::new(),
            successors: Vec::new(),
            choosing: 0,
            complete: 0,
        };
        let mut exploration = Exploration { reasoner, meter, graph, states: Vec::new(), numbers: FxHashMap::default() };
        let halt = exploration.run(state, depth, &mut look).err();
        (exploration.graph, halt)
    }

    /// How many states have been visited.
    pub(super) fn len(&self) -> usize {
        self.terminal.len()
    }

    /// The states that the joint moves of a state lead to, one entry a joint move; none for a state that is not expanded.
    pub(super) fn successors(&self, state: usize) -> &[u32] {
        let Some(&end) = self.ends.get(state) else { return &[] };
        let start = if state == 0 { 0 } else { self.ends[state - 1] };
        &self.successors[start..end]
    }

    /// How many joint moves there are in all states together.
    pub(super) fn edges(&self) -> usize {
        self.successors.len()
    }

    /// The states, each before all that its joint moves lead to; fewer than all where some state can be reached again from
    /// itself (Kahn's algorithm).
    pub(super) fn topological_order(&self) -> Vec<u32> {
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
        look: &mut impl FnMut(&mut R, &R::State, u32, Option<&Goals>) -> Result<(), Halt>,
    ) -> Result<(), Halt> {
        self.number(first, 0)?;
        let (mut next, mut lookahead) = (0, Lookahead::new());
        while next < self.states.len() {
            let distance = self.graph.distances[next];
            self.graph.complete = distance.saturating_sub(1);
            self.meter.visit(distance)?;
            if distance < depth {
                let coming = self.states[next..].iter().zip(&self.graph.distances[next..]);
                let near = coming.take_while(|&(_, &distance)| distance < depth).map(|(state, _)| state);
                let expansion = lookahead.get(self.reasoner, next, near)?;
                let goals = if let Expansion::End(goals) = expansion { Some(goals) } else { None };
                self.graph.terminal.push(goals.is_some());
                look(self.reasoner, &self.states[next], distance, goals)?;
                if let Expansion::Turn(turn) = expansion {
                    self.expand(turn, distance)?;
                }
            } else {
                let terminal = self.reasoner.is_terminal(&self.states[next])?;
                self.graph.terminal.push(terminal);
            }
            self.graph.ends.push(self.graph.successors.len());
            next += 1;
        }
        self.graph.complete = depth;
        Ok(())
    }

    fn expand(&mut self, turn: Turn<'_, R::State>, distance: u32) -> Result<(), Halt> {
        self.meter.expand();
        self.graph.choosing = self.graph.choosing.max(turn.choosing().count());
        for after in turn.successors() {
            let number = self.number(after, distance + 1)?;
            self.meter.keep(size_of::<u32>())?;
            self.graph.successors.push(number);
        }
        Ok(())
    }

    /// The number of a state, a new one where it is met for the first time.
    fn number(&mut self, state: &R::State, distance: u32) -> Result<u32, Halt> {
        if let Some(&number) = self.numbers.get(state) {
            return Ok(number);
        }
        // It is kept twice, with its number, its distance, where its successors end, and whether it is terminal.
        let beside = 2 * size_of::<u32>() + size_of::<usize>() + size_of::<bool>();
        self.meter.keep(2 * self.reasoner.heap_bytes(state) + beside)?;
        let number = self.states.len() as u32;
        self.states.push(state.clone());
        self.graph.distances.push(distance);
        self.numbers.insert(state.clone(), number);
        Ok(number)
    }
}
