//! `bestplan --all`: every shortest plan to the best utility.

use super::problem::{PLAYER, ProblemSearch};
use crate::memory::{StateTable, list_bytes, list_bytes_for_next, push};
use crate::outcome::Halt;
use crate::{Budget, Count, Outcome, Problem, SearchError};
use gdl::limits::heap_block;
use gdl::number::to_u32;
use ggp_game::{Move, Reasoner, Utility};
use serde::Serialize;

/// All plans to one utility with the fewest moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AllPlans<M = Move> {
    /// The number of plans, listed or not.
    pub count: Count,
    /// The moves of the first plans, in the order of moves.
    pub plans: Vec<Vec<M>>,
    /// The utility that every plan reaches.
    pub utility: Utility,
    /// The number of moves of each plan.
    pub length: u32,
}

/// Every plan that reaches the best utility (or the problem's goal) with as few moves as possible: their number, and
/// the first `most` of them.
///
/// - Precondition: one role.
/// - Guarantee: exact if there are finitely many states and the budget allows; otherwise all shortest plans to the best
///   utility found so far.
/// - Cost: every state no farther away than the goal, once, in time and in memory.
/// - Source: breadth-first search by layers, with the shortest lines counted as for the number of shortest paths in a
///   graph.
pub fn all_plans<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    most: usize,
    budget: &Budget,
) -> Result<Outcome<AllPlans>, SearchError> {
    let mut layers = PlanLayers {
        search: ProblemSearch::start(reasoner, problem, budget, ())?,
        states: StateTable::default(),
        steps: Vec::new(),
        step_bytes: 0,
        best: None,
    };
    let end = layers.explore().err();
    let answer = layers.best.as_ref().map(|&(utility, length, ref ends)| layers.plans(utility, length, ends, most));
    layers.search.meter.best_so_far(end, answer)
}

/// The states by their distance from the first.
struct PlanLayers<'a, R: Reasoner> {
    search: ProblemSearch<'a, R, ()>,
    /// Each state with the least number of moves to it.
    states: StateTable<R::State, u32>,
    /// For each state, the moves from it to states one move farther away, in the order of moves.
    steps: Vec<Vec<(Move, u32)>>,
    /// The heap bytes of the inner lists of `steps`.
    step_bytes: usize,
    /// The best utility so far, the number of moves to its nearest terminal states, and all terminal states at that
    /// distance.
    best: Option<(Utility, u32, Vec<u32>)>,
}

impl<R: Reasoner> PlanLayers<'_, R> {
    fn explore(&mut self) -> Result<(), Halt> {
        self.number(self.search.problem.state.clone(), 0)?;
        let mut next = 0;
        while next < self.states.len() {
            let state = self.states.state(to_u32(next)).clone();
            let depth = *self.states.value(to_u32(next));
            let is_farther = |best: &(Utility, u32, Vec<u32>)| depth > best.1;
            let range = self.search.reasoner.utility_range();
            let is_solved = |best: &(Utility, u32, Vec<u32>)| self.search.problem.is_solved_by(best.0, range);
            // Layers come in order of distance, so no later end is as near.
            if self.best.as_ref().is_some_and(|best| is_solved(best) && is_farther(best)) {
                self.search.meter.settle();
                return Ok(());
            }
            if self.search.reasoner.is_terminal(&state)? {
                let utility = self.search.reasoner.goal(&state, PLAYER)?;
                self.end(to_u32(next), utility, depth);
            } else if !self.search.meter.at_horizon(depth) {
                self.expand(next, &state, depth)?;
            }
            next += 1;
        }
        Ok(())
    }

    fn end(&mut self, number: u32, utility: Utility, depth: u32) {
        match &mut self.best {
            Some((best, length, ends)) if *best == utility => {
                if *length == depth {
                    ends.push(number);
                }
            }
            Some((best, ..)) if *best > utility => {}
            best => *best = Some((utility, depth, vec![number])),
        }
    }

    fn expand(&mut self, from: usize, state: &R::State, depth: u32) -> Result<(), Halt> {
        let node = crate::NodeId::new(from as u64);
        let mut steps = Vec::new();
        for chosen in self.search.expand(node, state)? {
            let after = self.search.reasoner.next_state(state, &[chosen])?;
            let to = self.number(after, depth + 1)?;
            // Other moves lead to states that are reached by fewer moves, so no shortest plan has them.
            if *self.states.value(to) == depth + 1 {
                steps.push((chosen, to));
            }
        }
        steps.shrink_to_fit();
        self.step_bytes += heap_block(list_bytes(&steps));
        self.steps[from] = steps;
        Ok(())
    }

    fn number(&mut self, state: R::State, depth: u32) -> Result<u32, Halt> {
        self.search.meter.visit(depth)?;
        if let Some(number) = self.states.find(&state) {
            return Ok(number);
        }
        let heap = self.search.reasoner.heap_bytes(&state);
        let steps = list_bytes_for_next(&self.steps) + self.step_bytes;
        self.search.meter.remember(self.states.bytes_for_next(heap) + steps as u64)?;
        push(&mut self.steps, Vec::new());
        Ok(self.states.insert(state, depth, heap))
    }

    /// The plans to these terminal states, all of which are `length` moves away.
    fn plans(&self, utility: Utility, length: u32, ends: &[u32], most: usize) -> AllPlans {
        // From each state, how many shortest lines there are to one of the ends. Steps lead to higher numbers only.
        let mut lines = vec![Count::ZERO; self.states.len()];
        ends.iter().for_each(|&end| lines[end as usize] = Count::ONE);
        for from in (0..self.states.len()).rev() {
            let beyond: Count = self.steps[from].iter().map(|&(_, to)| lines[to as usize]).sum();
            lines[from] = lines[from] + beyond;
        }
        let mut plans = Vec::new();
        let mut line: Vec<Move> = Vec::new();
        // For each state on the line, the index of the step to try next.
        let mut indices = vec![(0_u32, 0_usize)];
        while let Some((state, index)) = indices.last_mut() {
            if plans.len() == most {
                break;
            }
            let step = self.steps[*state as usize].get(*index);
            *index += 1;
            match step {
                _ if line.len() == length as usize => {
                    plans.push(line.clone());
                    indices.pop();
                    line.pop();
                }
                Some(&(chosen, to)) if lines[to as usize] != Count::ZERO => {
                    line.push(chosen);
                    indices.push((to, 0));
                }
                Some(_) => {}
                None => {
                    indices.pop();
                    line.pop();
                }
            }
        }
        AllPlans { count: lines[0], plans, utility, length }
    }
}
