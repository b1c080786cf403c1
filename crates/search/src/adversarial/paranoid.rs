//! `paranoid`: the utility that a role can force if it treats all others as one opponent.

use super::alpha_beta::{Pruning, alpha_beta};
use crate::{Budget, Choice, Contest, Observer, Outcome, SearchError};
use ggp_game::Reasoner;

/// The utility that a role is sure of in a game of any number of players, whatever the others agree on.
///
/// The others are assumed only to hold the role down, so the game has two sides and [`alpha_beta()`] solves it. At the
/// horizon the value of a state is its evaluation for the role minus those for the others.
///
/// - Guarantee and cost: those of alpha-beta. The value is a lower bound on what the role gets if the others maximise
///   their own utility, as [`super::max_n()`] assumes.
/// - Source: Sturtevant and Korf, *On Pruning Techniques for Multi-Player Games*, AAAI 2000.
pub fn paranoid<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    pruning: Pruning,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    alpha_beta(reasoner, contest, pruning, budget, observer)
}
