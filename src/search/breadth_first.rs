//! `bfs`: breadth-first search.

use super::best_first::{Priority, best_first};
use super::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::BatchReasoner;

/// A plan with the fewest moves.
///
/// - Precondition: one role.
/// - Guarantee: complete, and no plan to a utility as good is shorter; the first such plan in the order of moves. As a tree search it ends
///   only if it finds what it looks for, or the tree is finite.
/// - Cost: every state nearer than the goal, in time and in memory; as a tree search every line.
/// - Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, the chapter on solving problems by searching; here a
///   node is tested when it is expanded.
#[doc(alias = "bfs")]
pub fn breadth_first<R: BatchReasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    best_first(reasoner, problem, (), Priority::None, budget, observer)
}
