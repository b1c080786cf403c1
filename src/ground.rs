//! Rules to ground rules: every instance of a rule that can ever matter.
//!
//! What can be true, legal or derived in *some* state is over-estimated by a least fixpoint in which negations of what depends
//! on the state are taken to hold; relations that never change are evaluated exactly and vanish. Each way to satisfy a rule's
//! body in that estimate is one ground rule, unless it takes fewer rules to say the same through auxiliary relations. This is
//! the step from [`crate::rules`] to networks of propositions.

mod consistent;
mod instances;
mod limit;
mod measure;
mod rewrite;
mod split;
mod write;

pub use instances::{Atom, AtomId, AtomKind, GroundLiteral, GroundRule, Grounding};
pub use limit::{GroundBudget, GroundError, Progress};

use crate::interpreter::closure::{Closure, OpenRule, Stopped, Unfinished};
use crate::rules::{Keyword, Literal, RelationId, RuleSet};
use rustc_hash::FxHashSet;
use split::Part;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is asked about facts and moves, whether or not a rule reads it.
const ASKED: [Keyword; 3] = [Keyword::Init, Keyword::Base, Keyword::Input];

/// Grounds the rules of a game.
///
/// # Errors
/// [`GroundError`] if the budget does not suffice, with the rule that was at work; if the caller interrupts; or if the result
/// breaks a law of all groundings.
pub fn ground(rules: &RuleSet, budget: &GroundBudget) -> Result<Grounding, GroundError> {
    let rewritten = rewrite::rewrite(rules);
    let mut auxiliaries = rewritten.auxiliaries;
    let split: Vec<Vec<Part>> = rewritten.rules.iter().map(|rule| split::split(rule, &mut auxiliaries)).collect();
    let mut open = rewritten.bridges;
    open.extend(split.iter().flatten().map(possible));
    let read: FxHashSet<RelationId> = open.iter().flat_map(|rule| &rule.body).filter_map(relation).collect();
    open.retain(|rule| read.contains(&rule.head.0));
    let explain = |stop| limit::explain(rules, &split, budget, stop);
    let done = Arc::new(AtomicUsize::new(0));
    let limits = budget.limits(&done, rewritten.rules.len());
    let mut closure = Closure::new(rules, &open, &ASKED, limits, budget.work()).map_err(explain)?;
    let cut_out = split.iter().flat_map(|parts| &parts[..parts.len() - 1]);
    cut_out.for_each(|part| closure.forget(part.head.relation));
    let mut writer = write::Writer::new(rules, &mut closure).map_err(|reason| explain(reason.into()))?;
    for rule in &rewritten.rules {
        let explain = |Stopped { reason, found }| {
            let at = Some((rule.head.relation, found, rule.span));
            limit::explain(rules, &split, budget, Unfinished { reason, at })
        };
        for instances in measure::instances(rule, &mut auxiliaries, &mut closure).map_err(explain)? {
            writer.write(&instances, &auxiliaries, &mut closure).map_err(explain)?;
        }
        done.fetch_add(1, Ordering::Relaxed);
    }
    let grounding = writer.finish(&mut closure);
    grounding.check()?;
    Ok(grounding)
}

fn relation(literal: &Literal) -> Option<RelationId> {
    match literal {
        Literal::Atom(atom) => Some(atom.relation),
        _ => None,
    }
}

/// The rule that finds out what a part can give.
fn possible(part: &Part) -> OpenRule {
    OpenRule { head: (part.head.relation, part.head.arguments.clone()), body: part.joins(), span: part.span }
}
