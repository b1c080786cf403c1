//! Rules to ground rules: every instance of a rule that can ever matter.
//!
//! What can be true, legal or derived in *some* state is over-estimated by a least fixpoint in which negations of what depends
//! on the state are taken to hold; relations that never change are evaluated exactly and vanish. Each way to satisfy a rule's
//! body in that estimate is one ground rule, unless it takes fewer rules to say the same through auxiliary relations. This is
//! the step from [`crate::rules`] to networks of propositions.

mod instances;
mod limit;
mod merge;
mod rewrite;
mod split;
mod write;

pub use instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
pub use limit::{GroundBudget, GroundError};

use crate::interpreter::closure::{Closure, OpenRule, Unfinished};
use crate::rules::RuleSet;
use split::Part;

/// Grounds the rules of a game.
///
/// # Errors
/// [`GroundError`] where the budget does not suffice, with the rule that was at work; or where somebody interrupts.
pub fn ground(rules: &RuleSet, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    let rewritten = rewrite::rewrite(rules);
    let mut auxiliaries = rewritten.auxiliaries;
    let split: Vec<Vec<Part>> = rewritten.rules.iter().map(|rule| split::split(rule, &mut auxiliaries)).collect();
    let mut open = rewritten.bridges;
    open.extend(split.iter().flatten().map(possible));
    let explain = |stop| limit::explain(rules, &split, budget, stop);
    let mut closure = Closure::new(rules, &open, budget.limits(), budget.interrupt.clone()).map_err(explain)?;
    let mut writer = write::Writer::new(rules, &auxiliaries, &mut closure);
    for parts in &split {
        let whole = parts.last().expect("the rule itself is the last of its parts");
        let count = closure.count(whole.head.relation);
        let explain = |reason| {
            let at = Some((whole.head.relation, count, whole.span));
            limit::explain(rules, &split, budget, Unfinished { reason, at })
        };
        for instances in merge::instances(parts.clone(), &mut closure).map_err(explain)? {
            writer.write(&instances, &mut closure).map_err(explain)?;
        }
    }
    Ok(writer.finish())
}

/// The rule that finds out what a part can give.
fn possible(part: &Part) -> OpenRule {
    OpenRule { head: (part.head.relation, part.head.arguments.clone()), body: part.joins(), span: part.span }
}
