//! `heuristic check`: compares a heuristic with the true number of moves, in all states of a small game.

use super::problem::PLAYER;
use crate::budget::Meter;
use crate::explore::layers::EngineStates;
use crate::explore::state_graph::StateGraph;
use crate::memory::{StateTable, push};
use crate::outcome::Halt;
use crate::{Budget, Outcome, SearchError};
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, Heuristic, KeyExpansion, KeyExpansions, Utility};
use std::collections::VecDeque;
use std::hash::Hash;
use std::ops::Range;

/// Comparison of a heuristic with the true number of moves.
#[derive(Clone, Debug, PartialEq)]
pub struct HeuristicCheck<S> {
    /// The utility that makes a terminal state a goal.
    pub goal: Utility,
    /// The number of distinct states that can be reached.
    pub states: u64,
    /// The number of them from which a goal can be reached.
    pub solvable: u64,
    /// The number of states whose estimate is more than the true number of moves to a goal; 0 if the heuristic is
    /// admissible.
    pub overestimates: u64,
    /// The overestimated state nearest to the first state.
    pub first_overestimate: Option<Overestimate<S>>,
    /// The number of moves at which the estimate falls by more than one. The heuristic is consistent if there are none
    /// and all goals are estimated as 0.
    pub inconsistencies: u64,
    /// The first such move, by the number of its state.
    pub first_inconsistency: Option<Inconsistency<S>>,
    /// The mean estimate over the solvable states.
    pub mean_estimate: f64,
    /// The mean of the true number of moves over the solvable states.
    pub mean_distance: f64,
}

/// A state whose estimate is too high.
#[derive(Clone, Debug, PartialEq)]
pub struct Overestimate<S> {
    /// The state.
    pub state: S,
    /// `None` if the heuristic says that no goal can be reached.
    pub estimate: Option<u64>,
    /// The true number of moves to a goal.
    pub distance: u32,
}

/// A move after which the estimate falls by more than one.
#[derive(Clone, Debug, PartialEq)]
pub struct Inconsistency<S> {
    /// The state before the move.
    pub before: S,
    /// Its estimate; `None` if the heuristic says that no goal can be reached.
    pub estimate_before: Option<u64>,
    /// The state after the move.
    pub after: S,
    /// Its estimate.
    pub estimate_after: u64,
}

impl<S> HeuristicCheck<S> {
    /// True if no estimate is too high.
    pub fn is_admissible(&self) -> bool {
        self.overestimates == 0
    }

    /// True if no estimate falls by more than one at a move. A consistent heuristic is also admissible, so a heuristic
    /// that is not admissible is not called consistent.
    pub fn is_consistent(&self) -> bool {
        self.inconsistencies == 0 && self.is_admissible()
    }
}

/// Compares a heuristic with the true number of moves to a goal, in every state that can be reached. Goals are the
/// terminal states worth `goal` or more; by default, those of the best utility that can be reached.
///
/// - Precondition: one role.
/// - Guarantee: exact; no answer if the budget is too small.
/// - Cost: every state and every move once, in time and in memory.
/// - Source: Pearl, *Heuristics*, 1984, for the definitions of admissible and consistent.
pub fn heuristic_check<R: BatchReasoner>(
    reasoner: &mut R,
    state: &R::State,
    mut heuristic: impl Heuristic<R>,
    goal: Option<Utility>,
    budget: &Budget,
) -> Result<Outcome<HeuristicCheck<R::State>>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    let mut meter = Meter::start_flat(budget);
    let mut estimates = Vec::new();
    let mut ends = Vec::new();
    let mut store = EngineStates::new(reasoner, StateTable::default(), state);
    let estimate =
        |store: &mut EngineStates<'_, R, StateTable<R::State, ()>>, part: Range<usize>, expansions: &KeyExpansions| {
            let mut bytes = 0;
            for (number, expansion) in part.zip(expansions.all()) {
                push(&mut estimates, heuristic.estimate(store.reasoner, store.table.state(to_u32(number)))?);
                bytes += size_of::<Option<u64>>();
                if let KeyExpansion::End(end) = *expansion {
                    push(&mut ends, (number, expansions.ends()[end as usize][PLAYER.index()].clone()?));
                    bytes += size_of::<(usize, Utility)>();
                }
            }
            // Lists grow by an eighth at a time, so up to that much is spare.
            Ok::<usize, Halt>(bytes + bytes / 8)
        };
    let (graph, end) = StateGraph::explore(&mut store, u32::MAX, &mut meter, estimate);
    let all = StateEstimates { states: store.table, estimates, ends };
    let complete = if end.is_ok() { all.compare(&graph, goal) } else { None };
    meter.best_so_far(end.err(), complete)
}

/// All states by their numbers.
struct StateEstimates<S> {
    states: StateTable<S, ()>,
    estimates: Vec<Option<u64>>,
    /// The numbers of the terminal states, with their utilities.
    ends: Vec<(usize, Utility)>,
}

impl<S: Clone + Hash + Eq> StateEstimates<S> {
    /// Compares the estimates of all states; `None` if no terminal state can be reached.
    fn compare(&self, graph: &StateGraph, goal: Option<Utility>) -> Option<HeuristicCheck<S>> {
        let goal = goal.or_else(|| self.ends.iter().map(|&(_, utility)| utility).max())?;
        let goals = self.ends.iter().filter(|&&(_, utility)| utility >= goal).map(|&(number, _)| number);
        let distances = distances(graph, goals.collect());
        let solvable: Vec<(usize, u32)> =
            distances.iter().enumerate().filter_map(|(number, &distance)| Some((number, distance?))).collect();
        let is_over = |&&(number, distance): &&(usize, u32)| {
            self.estimates[number].is_none_or(|estimate| estimate > u64::from(distance))
        };
        let over: Vec<_> = solvable.iter().filter(is_over).collect();
        // States are numbered by distance, so the first is the nearest.
        let first_overestimate = over.first().map(|&&(number, distance)| Overestimate {
            state: self.states.state(to_u32(number)).clone(),
            estimate: self.estimates[number],
            distance,
        });
        let (inconsistencies, first_inconsistency) = self.falls(graph);
        let mean = |sum: f64| if solvable.is_empty() { 0.0 } else { sum / solvable.len() as f64 };
        let estimate = |&(number, _): &(usize, u32)| self.estimates[number].unwrap_or(0) as f64;
        Some(HeuristicCheck {
            goal,
            states: self.states.len() as u64,
            solvable: solvable.len() as u64,
            overestimates: over.len() as u64,
            first_overestimate,
            inconsistencies,
            first_inconsistency,
            mean_estimate: mean(solvable.iter().map(estimate).sum()),
            mean_distance: mean(solvable.iter().map(|&(_, distance)| f64::from(distance)).sum()),
        })
    }

    /// The number of moves at which the estimate falls by more than one, and the first such move.
    fn falls(&self, graph: &StateGraph) -> (u64, Option<Inconsistency<S>>) {
        let mut count = 0;
        let mut first = None;
        for before in 0..self.states.len() {
            for after in graph.successors(before).iter().map(|&after| after as usize) {
                let Some(estimate_after) = self.estimates[after] else { continue };
                let estimate_before = self.estimates[before];
                if estimate_before.is_none_or(|estimate| estimate > estimate_after + 1) {
                    count += 1;
                    first.get_or_insert_with(|| Inconsistency {
                        before: self.states.state(to_u32(before)).clone(),
                        estimate_before,
                        after: self.states.state(to_u32(after)).clone(),
                        estimate_after,
                    });
                }
            }
        }
        (count, first)
    }
}

/// For each state the fewest moves to one of the goals, by breadth-first search backwards from the goals; `None` if no
/// goal can be reached.
fn distances(graph: &StateGraph, goals: Vec<usize>) -> Vec<Option<u32>> {
    let mut before = vec![Vec::new(); graph.len()];
    for from in 0..graph.len() {
        graph.successors(from).iter().for_each(|&to| before[to as usize].push(from));
    }
    let mut distances = vec![None; graph.len()];
    goals.iter().for_each(|&goal| distances[goal] = Some(0));
    let mut queue = VecDeque::from(goals);
    while let Some(to) = queue.pop_front() {
        for &from in &before[to] {
            if distances[from].is_none() {
                distances[from] = distances[to].map(|distance: u32| distance + 1);
                queue.push_back(from);
            }
        }
    }
    distances
}
