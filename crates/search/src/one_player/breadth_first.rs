//! `bfs`: breadth-first search.
//!
//! It has two stores with the same plan, counts and limits: states in the queue of `best_first.rs`, or keys in the layers
//! of all explorations (`key_search.rs`). The keys are chosen where the answer and its counts are the same: for a graph search
//! in canonical order, which tests a node when it is expanded, has no horizon and no observer, if the engine has keys.

use super::best_first::{Priority, best_first};
use super::key_search::breadth_first_by_keys;
use super::problem::ProblemSearch;
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use ggp_game::BatchReasoner;

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
