//! `bfs`: breadth-first search.

use super::best_first::{Priority, best_first};
use crate::game::BatchReasoner;
use crate::search::{Budget, Observer, Outcome, Plan, Problem, SearchError};

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
    best_first(reasoner, problem, (), Priority::None, budget, observer)
}
