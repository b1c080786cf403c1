//! `bfs`: breadth-first search.
//!
//! It has two stores with the same plan, counts and limits: states in the queue of `best_first.rs`, or keys in the
//! layers of all explorations ([`breadth_first_by_keys`]). The keys are chosen where the answer and its counts are the
//! same: for a graph search in canonical order, which tests a node when it is expanded, has no horizon and no observer,
//! if the engine has keys.

use super::best_first::{Priority, best_first};
use super::problem::{Form, PLAYER, ProblemSearch};
use crate::explore::layers::{ExplorationEnd, KeyedStates, StateLayer, StateStore, Visitor, explore};
use crate::memory::{list_bytes_for_next, push};
use crate::outcome::Halt;
use crate::{Budget, GoalTest, Observer, Outcome, Plan, Problem, SearchError};
use gdl::number::to_u32;
use ggp_game::{BatchReasoner, KeyExpansion, KeyExpansions, KeyReasoner, Move, ReasonError, Reasoner};
use std::ops::Range;

/// Finds a plan with the fewest moves.
///
/// - Precondition: one role.
/// - Guarantee: complete; no shorter plan reaches as good a utility; among equals the first in the order of moves. A
///   tree search ends only if it finds a plan or the tree is finite.
/// - Cost: every state nearer than the goal, in time and in memory; as a tree search every line.
/// - Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, the chapter on solving problems by
///   searching; here a node is tested when it is expanded.
#[doc(alias = "bfs")]
pub fn breadth_first<R: BatchReasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    let mut search = ProblemSearch::start(reasoner, problem, budget, observer)?;
    search.meter.count_pops();
    match breadth_first_by_keys(&mut search) {
        Some(end) => search.finish(end),
        None => best_first(search, (), Priority::None),
    }
}

/// Runs a search by keys: for a graph search in canonical order that tests states when they are expanded and reports to
/// no observer. `None` if the search is another one, if the engine has no keys, or if a state has too many joint moves;
/// then nothing is counted.
fn breadth_first_by_keys<R: BatchReasoner, O: Observer>(
    search: &mut ProblemSearch<'_, R, O>,
) -> Option<Result<(), Halt>> {
    let Problem { form, order, goal_test, state, .. } = search.problem;
    let is_for_keys = *form == Form::Graph
        && order.is_canonical()
        && *goal_test == GoalTest::Expansion
        && !search.observer.is_on()
        && !search.meter.has_horizon();
    if !is_for_keys {
        return None;
    }
    let keys = search.reasoner.keys(state)?;
    match explore_keys(search, keys) {
        Ok(ExplorationEnd::TooWide | ExplorationEnd::Unlayered) => {
            search.meter.begin_again();
            search.best = None;
            None
        }
        Ok(ExplorationEnd::All) => Some(Ok(())),
        Err(halt) => Some(Err(halt)),
    }
}

fn explore_keys<R: Reasoner, O: Observer>(
    search: &mut ProblemSearch<'_, R, O>,
    keys: Box<dyn KeyReasoner>,
) -> Result<ExplorationEnd, Halt> {
    let mut keyed = KeyedStates::new(keys, search.reasoner, search.problem.state)?;
    search.meter.visit(0)?;
    search.meter.remember(keyed.set.bytes() as u64)?;
    explore(&mut keyed, &mut KeySearch { search, parents: vec![0] })
}

struct KeySearch<'s, 'a, R: Reasoner, O> {
    search: &'s mut ProblemSearch<'a, R, O>,
    /// For each state, the one from which it was reached first; the first state has itself.
    parents: Vec<u32>,
}

impl<R: Reasoner, O: Observer> Visitor<KeyedStates> for KeySearch<'_, '_, R, O> {
    /// Tests and counts states; the exploration ends if the problem is solved.
    fn visit(
        &mut self,
        keyed: &mut KeyedStates,
        part: Range<usize>,
        layer: &StateLayer,
        expansions: &KeyExpansions,
    ) -> Result<bool, Halt> {
        let mut first = 0;
        let mut bytes = 0;
        keyed.number(expansions, u64::MAX, &mut |growth| {
            let parents = list_bytes_for_next(&self.parents) + growth.successors * size_of::<u32>();
            bytes = growth.bytes + growth.scratch + parents as u64;
            self.search.meter.holds(bytes)
        })?;
        for (number, expansion) in part.zip(expansions.all()) {
            self.search.meter.pop();
            match *expansion {
                KeyExpansion::End(end) => {
                    self.search.meter.leaf();
                    let utility = expansions.ends()[end as usize][PLAYER.index()].clone()?;
                    let is_best = self.search.best.as_ref().is_none_or(|(best, _)| utility > best.utility);
                    // A line costs an expansion for each of its moves, so it is made only for a better end.
                    let line = if is_best { self.line(keyed, number)? } else { Vec::new() };
                    if self.search.keep_if_best(utility, || (line, Vec::new())) {
                        return Ok(true);
                    }
                }
                KeyExpansion::Turn(turn) => {
                    self.search.meter.expand();
                    for &after in &keyed.numbers[first..first + turn.joint_moves] {
                        self.search.meter.visit(layer.depth + 1)?;
                        // New states are numbered in the order in which they are found.
                        if after as usize == self.parents.len() {
                            self.search.meter.remember(bytes)?;
                            push(&mut self.parents, to_u32(number));
                        }
                    }
                    first += turn.joint_moves;
                }
            }
        }
        Ok(false)
    }
}

impl<R: Reasoner, O: Observer> KeySearch<'_, '_, R, O> {
    /// The moves from the first state to this one: of the moves between two states, the first.
    fn line(&mut self, keyed: &mut KeyedStates, number: usize) -> Result<Vec<Move>, ReasonError> {
        let mut line = Vec::new();
        let mut number = number;
        let mut fluents = Vec::new();
        let mut legal = Vec::new();
        let mut expansions = KeyExpansions::default();
        while number != 0 {
            let parent = self.parents[number] as usize;
            let KeyedStates { keys, set, .. } = &mut *keyed;
            keys.expand(set.keys(parent..parent + 1), &mut expansions);
            let wanted = set.keys(number..number + 1);
            let mut successors = expansions.successors().chunks_exact(set.width());
            let index = successors.position(|key| key == wanted).expect("a move leads from the parent to its child");
            keyed.fluents(parent, &mut fluents);
            let state = self.search.reasoner.state_from_fluents(&fluents)?;
            self.search.reasoner.legal_moves(&state, PLAYER, &mut legal)?;
            line.push(legal[index]);
            number = parent;
        }
        line.reverse();
        Ok(line)
    }
}
