//! Models of opponents: the probability with which a role makes each of its moves, and the best moves of a role by a
//! search of its own.

use super::alpha_beta::{EqualMoves, Pruning, alpha_beta};
use super::contest::{Contest, chance};
use super::expectimax::{Expectation, Opponents, expectimax};
use super::ordering::Ordering;
use crate::game::{BatchReasoner, Move, Reasoner, Role};
use crate::number::Real;
use crate::search::{Budget, Outcome, SearchError};

/// Predicts the moves of the roles that a search does not decide for.
pub trait OpponentModel<R: Reasoner> {
    /// The probability of each of `moves`, the legal moves of `role` in canonical order, of which there are two or
    /// more; with the cost of searches that were made for it. Probabilities are at least 0, and sum to 1. The budget
    /// has the interrupt and the time limit of the search that asks.
    fn predict(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
        moves: &[Move],
        budget: &Budget,
    ) -> Result<Outcome<Vec<Real>>, SearchError>;
}

/// The probabilities of a role that plays one of its best moves with the probability 1 - `epsilon`, and else any move.
/// Of several best moves each has the same share: with k moves of which j are best, a best one has (1 - epsilon) / j +
/// epsilon / k, each other epsilon / k.
pub fn shared_among_best(is_best: &[bool], epsilon: Real) -> Vec<Real> {
    let best = is_best.iter().filter(|&&is_best| is_best).count();
    let any = epsilon.over(Real::count(is_best.len()));
    let share = epsilon.complement().over(Real::count(best.max(1)));
    is_best.iter().map(|&is_best| if is_best { any.plus(share) } else { any }).collect()
}

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
    if chance(reasoner).is_none() {
        let pruning =
            Pruning { ordering: Ordering::Canonical, table: false, ties: EqualMoves::Honest, ..Pruning::default() };
        let outcome = alpha_beta(reasoner, contest, pruning, &budget, ())?;
        return Ok(outcome.map(|choice| moves.iter().map(|chosen| choice.equals.contains(chosen)).collect()));
    }
    let outcome = expectimax(reasoner, contest, Opponents::Minimax, &budget, ())?;
    Ok(outcome.map(|Expectation { utility, moves: rated, .. }| {
        let is_best = |chosen| rated.iter().any(|(rated, mean)| rated == chosen && !utility.exceeds(*mean));
        moves.iter().map(is_best).collect()
    }))
}
