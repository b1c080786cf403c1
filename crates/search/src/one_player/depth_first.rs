//! `dfs`: depth-first search.

use super::bounded::{DepthRounds, bounded};
use super::stacked::stacked;
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError, Siblings};
use ggp_game::Reasoner;

/// Finds a plan by following the first move as far as it goes, then the next.
///
/// - Precondition: one role.
/// - Guarantee: as a graph search complete if there are finitely many states; the plan need not be short. As a tree
///   search it may cycle for ever, unless the budget limits the depth: then it is depth-limited search.
/// - Cost: every state in the worst case, in time and, as a graph search, in memory; as a tree search every line in
///   time, and one line in memory.
/// - With [`Siblings::Together`]: a tree search of unlimited depth, whose stack grows with every expansion.
/// - Source: Russell and Norvig, *Artificial Intelligence: A Modern Approach*, the chapter on solving problems by
///   searching. There a node is generated together with its siblings, here as [`Problem::siblings`] says.
#[doc(alias = "dfs")]
pub fn depth_first<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    match problem.siblings {
        Siblings::OneByOne => bounded(reasoner, problem, (), DepthRounds::One, budget, observer),
        Siblings::Together => stacked(reasoner, problem, DepthRounds::One, budget, observer),
    }
}
