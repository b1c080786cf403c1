//! `greedy`: greedy best-first search.

use super::best_first::{Priority, best_first};
use super::problem::ProblemSearch;
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use ggp_game::{BatchReasoner, Heuristic};

/// Finds a plan by expanding the node with the least h first: the estimated number of moves to go, whatever the number
/// of moves so far.
///
/// - Precondition: one role.
/// - Guarantee: as a graph search complete if there are finitely many states; the plan need not be short. As a tree
///   search it may cycle for ever.
/// - Cost: every state in the worst case, in time and in memory; few with a good heuristic.
/// - Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, the chapter on solving problems by
///   searching.
pub fn greedy<R: BatchReasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: impl Heuristic<R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    best_first(ProblemSearch::start(reasoner, problem, budget, observer)?, heuristic, Priority::ToGo)
}
