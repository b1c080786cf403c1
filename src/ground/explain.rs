//! The error of a grounding that was stopped, in terms of the sheet's own relations.

use super::limit::{GroundBudget, GroundError};
use super::rewrite::Auxiliaries;
use super::split::Part;
use crate::game::ReasonError;
use crate::interpreter::closure::Unfinished;
use crate::quantity::Size;
use crate::rules::RuleSet;

/// The error of a grounding that was stopped.
pub(super) fn explain(
    rules: &RuleSet,
    split: &[Vec<Part>],
    auxiliaries: &Auxiliaries,
    budget: &GroundBudget,
    stop: Unfinished,
) -> GroundError {
    let (ReasonError::Limit { what, .. }, Some((relation, count, span))) = (&stop.reason, stop.at) else {
        return GroundError::Reason(stop.reason);
    };
    let given = match *what {
        "seconds" => format!("{} s", budget.time.as_secs_f64()),
        "bytes" => Size::new(budget.memory as u64).rounded(),
        _ => return GroundError::Reason(stop.reason),
    };
    // A part that was cut out of a rule is reported under the rule's name.
    let whole = split.iter().find(|parts| parts.iter().any(|part| part.head.relation == relation));
    let relation = whole.and_then(|parts| parts.last()).map_or(relation, |whole| whole.head.relation);
    let relation = auxiliaries.demanded(relation).unwrap_or(relation);
    let known = relation.index() < rules.relations.len();
    let name = if known { rules.relation_name(relation) } else { "an auxiliary relation" };
    GroundError::Limit { given, relation: name.to_string(), span, count }
}
