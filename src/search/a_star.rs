//! `astar`: A*.

use super::best_first::{Priority, best_first};
use super::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::{BatchReasoner, Heuristic};

/// Finds a plan by expanding the node with the least f = g + h first, where g is the number of moves so far and h the
/// estimated number of moves to go.
///
/// - Precondition: one role; for the guarantee, a heuristic that never overestimates the moves to a goal of the utility
///   that is found.
/// - Guarantee: complete; no plan is shorter if the heuristic is admissible. A graph search expands a state again if a
///   shorter line reaches it, so the heuristic need not be consistent.
/// - Cost: with a consistent heuristic, every state with f less than the length of the plan, in time and in memory; as
///   a tree search every such line.
/// - Source: Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost Paths*, 1968.
#[doc(alias = "astar")]
pub fn a_star<R: BatchReasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: impl Heuristic<R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    best_first(reasoner, problem, heuristic, Priority::Total, budget, observer)
}
