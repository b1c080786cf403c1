//! `paranoid`: what a role can force when it takes all others for one opponent.

use super::alpha_beta::{Pruning, alpha_beta};
use super::{Budget, Choice, Contest, Observer, Outcome, SearchError};
use crate::game::Reasoner;

/// What a role can be sure of in a game of any number of players, whatever the others agree on.
///
/// The others are taken to care only for holding the role down, so the game is one of two sides and [`alpha_beta()`] solves it.
/// At the horizon a state is worth what speaks for the role, less what speaks for the others.
///
/// - Guarantee and cost: those of alpha-beta. The value is a lower bound of what the role gets from others who look after
///   themselves, as [`super::max_n()`] supposes.
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
