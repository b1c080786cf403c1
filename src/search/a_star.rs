//! `astar`: A*.

use super::best_first::{Priority, best_first};
use super::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::{BatchReasoner, Heuristic};

/// A plan found by expanding the node of least f = g + h first: moves so far and estimated moves to go.
///
/// - Precondition: one role; for the guarantee, a heuristic that never overestimates the moves to a goal of the utility that is found.
/// - Guarantee: complete; no plan is shorter if the heuristic is admissible. As a graph search a state that is reached by a shorter
///   line is expanded again, so the heuristic need not be consistent.
/// - Cost: with a consistent heuristic, every state with f less than the length of the plan, in time and in memory; as a tree search
///   every such line.
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
