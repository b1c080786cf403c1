//! The best moves of a role by a search of its own, as models of opponents need them.

use super::alpha_beta::{EqualMoves, Pruning, alpha_beta};
use super::contest::Contest;
use super::expectimax::{Expectation, Opponents, expectimax};
use crate::{Budget, Outcome, SearchError};
use ggp_game::{BatchReasoner, Move, Role};

/// Which of its moves are best for a role that searches `depth` joint moves ahead, or to the end of the game. It
/// assumes that all others play against it, except chance.
pub fn best_moves<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    moves: &[Move],
    depth: Option<u32>,
    budget: &Budget,
) -> Result<Outcome<Vec<bool>>, SearchError> {
    let budget = depth.map_or_else(|| budget.clone(), |depth| budget.clone().with_depth(depth));
    if Role::chance(reasoner.roles()).is_none() {
        let pruning = Pruning { ties: EqualMoves::Honest, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, contest, pruning, &budget, ())?;
        return Ok(outcome.map(|choice| moves.iter().map(|chosen| choice.equals.contains(chosen)).collect()));
    }
    let outcome = expectimax(reasoner, contest, Opponents::Minimax, &budget, ())?;
    Ok(outcome.map(|Expectation { utility, moves: rated, .. }| {
        let is_best =
            |chosen: &Move| rated.iter().any(|rated| rated.chosen == *chosen && !utility.exceeds(rated.worth));
        moves.iter().map(is_best).collect()
    }))
}
