//! Models of opponents: the probability with which a role makes each of its moves.

use crate::{Budget, Outcome, SearchError};
use gdl::number::Real;
use ggp_game::{Move, Reasoner, Role};

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
#[inline]
pub fn shared_among_best(is_best: &[bool], epsilon: Real) -> Vec<Real> {
    let best = is_best.iter().filter(|&&is_best| is_best).count();
    let any = epsilon.over(Real::count(is_best.len()));
    let share = epsilon.complement().over(Real::count(best.max(1)));
    is_best.iter().map(|&is_best| if is_best { any.plus(share) } else { any }).collect()
}
