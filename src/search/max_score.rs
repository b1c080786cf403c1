//! `maxscore`: the best utility that the player of a one-player game can reach.

use super::best_plan::best_plan;
use super::{Budget, Observer, Outcome, Problem, SearchError};
use crate::game::{Reasoner, Utility};

/// The best utility that can be reached from a state by any line of moves.
///
/// - Precondition: one role.
/// - Guarantee: exact if the budget allows and there are finitely many states (as a tree search: lines); otherwise the
///   best found.
/// - Cost: that of [`best_plan()`].
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "maxscore")]
pub fn max_score<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Utility>, SearchError> {
    Ok(best_plan(reasoner, problem, budget, observer)?.map(|plan| plan.utility))
}
