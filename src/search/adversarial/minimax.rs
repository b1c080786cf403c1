//! `minimax`: the utility that a role can force against all others.

use super::contest::{Choice, Contest};
use super::two_sided::two_sided;
use crate::game::BatchReasoner;
use crate::search::{Budget, Observer, Outcome, SearchError};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// With simultaneous moves the value is the pessimistic one: the others choose knowing the role's move. In a
/// turn-taking game of two opponents it is the value of the game.
///
/// - Guarantee: exact if the game tree below the state is finite and the budget allows; with a limited depth, the value
///   of the tree down to the horizon, where the evaluation replaces what lies beyond; when stopped, the best of the
///   moves that were searched completely.
/// - Cost: every node of the tree below the state; nothing is pruned. With a table every state below the first, for
///   each number of joint moves to the horizon.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small multiple-player games.
pub fn minimax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, false, budget, observer)
}
