//! `bestmove`: the first move of a line to the best utility in a one-player game.

use super::best_plan::best_plan;
use super::{Budget, Observer, Outcome, Problem, SearchError};
use crate::game::{Move, Reasoner, Utility};

/// The first move, in the order of moves, after which the best utility can still be reached, and that utility. If
/// states can repeat, a move that only leads back to the same state does not count.
///
/// - Precondition: one role, and a state that is not terminal.
/// - Guarantee: exact if the budget allows and there are finitely many states (as a tree search: lines); otherwise the
///   first move of the best line found.
/// - Cost: that of [`best_plan()`].
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "bestmove")]
pub fn best_move<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<(Move, Utility)>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    if reasoner.is_terminal(problem.state)? {
        return Err(SearchError::Over);
    }
    let outcome = best_plan(reasoner, problem, budget, observer)?;
    Ok(outcome.map(|plan| (plan.moves[0], plan.utility)))
}
