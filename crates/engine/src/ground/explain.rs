//! The error of a grounding that was stopped, in terms of the sheet's own relations.

use super::auxiliary::AuxiliaryRelations;
use super::limit::{GroundError, InterruptedRule};
use crate::interpreter::closure::ClosureError;
use gdl::limits::Stop;
use gdl::rules::{RelationId, RuleSet};
use ggp_game::ReasonError;

/// The error of a grounding that was stopped. `parts` has the heads of the parts of each rule, that of the rule last.
pub(super) fn explain(
    rules: &RuleSet,
    parts: &[Vec<RelationId>],
    auxiliaries: &AuxiliaryRelations,
    stop: ClosureError,
) -> GroundError {
    let limit = match stop.reason {
        ReasonError::Stopped(limit @ (Stop::Time { .. } | Stop::Memory { .. })) => limit,
        reason => return GroundError::Reason(reason),
    };
    let at = stop.at.map(|(relation, count, span)| {
        let relation = own_relation(rules, parts, auxiliaries, relation);
        InterruptedRule { relation: relation.to_string(), count, span }
    });
    GroundError::Limit { limit, at }
}

/// The name of the relation of the sheet that an auxiliary relation was made for.
fn own_relation<'a>(
    rules: &'a RuleSet,
    parts: &[Vec<RelationId>],
    auxiliaries: &AuxiliaryRelations,
    relation: RelationId,
) -> &'a str {
    // A part that was cut out of a rule is reported under the rule's name.
    let whole = parts.iter().find(|heads| heads.contains(&relation));
    let relation = whole.and_then(|heads| heads.last()).copied().unwrap_or(relation);
    let relation = auxiliaries.demanded(relation).unwrap_or(relation);
    let known = relation.index() < rules.relations.len();
    if known { rules.relation_name(relation) } else { "an auxiliary relation" }
}
