//! `bestmove`: the first move of a line to the best utility in a one-player game.

use super::max_score::{Search, no_move};
use super::outcome::Halt;
use super::{Budget, Outcome, SearchError};
use crate::game::{Move, Reasoner, Utility};

/// The first move, in canonical order, after which the best utility can still be reached, and that utility.
///
/// - Precondition: one role, and a state that is not terminal.
/// - Guarantee: exact where the game tree below the state is finite and the budget allows; otherwise the best of the moves
///   that were searched to their end.
/// - Cost: that of [`super::max_score()`].
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "bestmove")]
pub fn best_move<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
) -> Result<Outcome<(Move, Utility)>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    if reasoner.is_terminal(state)? {
        return Err(SearchError::Over);
    }
    let mut search = Search::start(reasoner, budget);
    let mut best = None;
    let end = choose(&mut search, state, &mut best);
    search.meter.outcome(end, best)
}

fn choose<R: Reasoner>(
    search: &mut Search<'_, R>,
    state: &R::State,
    best: &mut Option<(Move, Utility)>,
) -> Result<(Move, Utility), Halt> {
    search.meter.visit(0)?;
    for chosen in search.expand(state)? {
        let next = search.reasoner.next_state(state, &[chosen])?;
        let utility = search.score(&next, 1)?;
        if best.is_none_or(|(_, known)| utility > known) {
            *best = Some((chosen, utility));
        }
        if utility >= Utility::MAX {
            break;
        }
    }
    best.ok_or_else(|| no_move(search.reasoner).into())
}
