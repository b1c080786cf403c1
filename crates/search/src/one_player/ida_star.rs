//! `ida`: iterative-deepening A*.

use super::bounded::{DepthRounds, bounded};
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use ggp_game::{Heuristic, Reasoner};

/// Finds a plan by depth-first searches bounded by an estimated cost f = g + h, which grows from round to round.
///
/// - Precondition: one role; for the guarantee, a heuristic that never overestimates the moves to a goal of the utility
///   that is found.
/// - Guarantee: complete; no plan is shorter if the heuristic is admissible. A tree search ends only if it finds a plan
///   or the tree is finite.
/// - Cost: as a tree search every line with f less than the length of the plan, once in each round, and one line in
///   memory. A graph search remembers states and searches them again only if a shorter line reaches them.
/// - Source: Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985.
#[doc(alias = "ida")]
pub fn ida_star<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    heuristic: impl Heuristic<R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    bounded(reasoner, problem, heuristic, DepthRounds::Cost, budget, observer)
}
