//! `negamax`: minimax with one rule for both sides.

use super::contest::{Choice, Contest};
use super::two_sided::two_sided;
use crate::game::BatchReasoner;
use crate::search::{Budget, Observer, Outcome, SearchError};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// What one side gains the other loses, so each side chooses what is worth least to the other: the value of a node is
/// the greatest of the negated values of its successors. Simultaneous moves are two such choices, the role's first.
///
/// Observers get the value of a node for the side that has moved there, as the rule has it.
///
/// - Guarantee, cost and nodes: those of [`super::minimax()`]; it is the same search, written once for both sides.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975, where it is called
///   F0.
pub fn negamax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, true, budget, observer)
}
