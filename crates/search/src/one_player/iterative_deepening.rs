//! `ids`: iterative deepening.

use super::bounded::{DepthRounds, bounded};
use super::stacked::stacked;
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError, Siblings};
use ggp_game::Reasoner;

/// Finds a plan with the fewest moves by depth-first searches to the depths 0, 1, 2 and so on.
///
/// - Precondition: one role.
/// - Guarantee: complete; no shorter plan reaches as good a utility. A tree search ends only if it finds a plan or the
///   tree is finite; a graph search ends when a round reaches no new state.
/// - Cost: as a tree search every line nearer than the goal, once in each round, and one line in memory; as a graph
///   search, which remembers the least depth of each state, less time, and memory for all states.
/// - With [`Siblings::Together`]: a tree search that begins with depth 1, as students write it.
/// - Source: Korf, *Depth-First Iterative-Deepening: An Optimal Admissible Tree Search*, 1985.
#[doc(alias = "ids")]
pub fn iterative_deepening<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    match problem.siblings {
        Siblings::OneByOne => bounded(reasoner, problem, (), DepthRounds::Depth, budget, observer),
        Siblings::Together => stacked(reasoner, problem, DepthRounds::Depth, budget, observer),
    }
}
