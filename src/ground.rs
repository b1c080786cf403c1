//! Rules to ground rules: every instance of a rule that can ever matter.
//!
//! What can be true, legal or derived in *some* state is over-estimated by a least fixpoint in which negations of what depends
//! on the state are taken to hold; relations that never change are evaluated exactly and vanish. Each way to satisfy a rule's
//! body in that estimate is one ground rule. This is the step from [`crate::rules`] to networks of propositions.

mod instances;
mod limit;
mod rewrite;

pub use instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
pub use limit::{GroundBudget, GroundError};

use crate::rules::RuleSet;

/// Grounds the rules of a game.
///
/// # Errors
/// [`GroundError`] where the budget does not suffice, with the relation that grew largest; or where somebody interrupts.
pub fn ground(rules: &RuleSet, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    let rewritten = rewrite::rewrite(rules);
    instances::instantiate(rules, &rewritten, budget)
}
