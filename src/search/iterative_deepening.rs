//! `ids`: iterative deepening.

use super::bounded::{Rounds, bounded};
use super::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::Reasoner;

/// A plan with the fewest moves, found by depth-first searches to the depths 0, 1, 2 and so on.
///
/// - Precondition: one role.
/// - Guarantee: complete, and no plan to a utility as good is shorter. As a tree search it ends only if it finds what it looks for, or
///   the tree is finite; as a graph search it ends when a round meets no new state.
/// - Cost: as a tree search every line nearer than the goal, each once for every round, and one line in memory; as a graph search, which
///   remembers how near each state is, less time and as much memory as there are states.
/// - Source: Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985.
#[doc(alias = "ids")]
pub fn iterative_deepening<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    bounded(reasoner, problem, (), Rounds::Depth, budget, observer)
}
