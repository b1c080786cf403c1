//! `bestplan`, `bestmove` and `maxscore`: the best utility that can be reached in a one-player game, the first move
//! towards it, and a whole line of moves.

use super::bounded::{DepthRounds, bounded};
use crate::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use ggp_game::{Move, Reasoner, Utility};

/// The first plan, in the order of moves, that reaches the best utility. It need not be the shortest.
///
/// As a tree search ([`super::Form::Tree`]) this is the textbook's recursive form, node by node: depth first, without
/// memory, ended early only by the best possible utility, and not even by that without [`Problem::exit`]. As a graph
/// search it visits each state once and finds the same plan: a state that is reached again was already searched on an
/// earlier line, and the earlier line comes first in the order of moves.
///
/// - Precondition: one role.
/// - Guarantee: exact if the budget allows and there are finitely many states (as a tree search: lines); otherwise the
///   best plan found. A tree search without a limit on depth stops at lines of [`Budget::DEPTH`] moves.
/// - Cost: every state below the first, up to the first terminal one that is worth 100, in time and memory; as a tree
///   search every node of the tree in time, and one line in memory.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "bestplan")]
pub fn best_plan<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    bounded(reasoner, problem, (), DepthRounds::One, budget, observer)
}

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
