//! `astar`: A*.

use super::best_first::{Priority, best_first, every_best};
use super::problem::ProblemSearch;
use crate::{AllPlans, Budget, Observer, Outcome, Plan, Problem, SearchError};
use ggp_game::{BatchReasoner, Heuristic};

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
    best_first(ProblemSearch::start(reasoner, problem, budget, observer)?, heuristic, Priority::Total)
}

/// Every plan with the fewest moves, by a tree search that goes on beyond the first goal through all nodes whose f is
/// not greater; the first `most` of them are listed, in the order in which they were found.
///
/// - Precondition: one role, a problem with [`super::Form::Tree`] and [`super::GoalTest::Expansion`]; for the
///   guarantee, a heuristic that never overestimates.
/// - Guarantee: all optimal plans if the budget allows.
/// - Cost: that of [`a_star()`], and every other line whose f is not greater than the length of the plans.
/// - Source: as for [`a_star()`].
pub fn a_star_all<R: BatchReasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: impl Heuristic<R>,
    most: usize,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<AllPlans>, SearchError> {
    every_best(reasoner, problem, heuristic, most, budget, observer)
}
