//! `evaluation explain`: the features of a state with what each contributes to its evaluation.

use super::{AnswerKind, ArgumentKind, Arguments, Command};
use crate::engine::{Feature, FeaturedState};
use crate::game::Reasoner;
use crate::repl::answer::{EvaluatedRole, ExplainedEvaluation, FeatureGroup};
use crate::repl::{Answer, CommandError, Session, read};

pub(super) const EVALUATION: Command = Command {
    name: "evaluation",
    operands: "explain SHEET",
    summary: "list the features that a sheet finds in the current state: their number, their weight and what they contribute",
    example: "evaluation explain connect_four_weights",
    takes: ArgumentKind::Heuristic,
    answers: AnswerKind::Value,
    ..Command::run_by(explain)
};

fn explain(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let sheet = match read::word(arguments.operands()) {
        ("explain", sheet) if !sheet.is_empty() => sheet,
        _ => return Err(EVALUATION.misused("`evaluation explain` needs a sheet")),
    };
    let FeaturedState { engine, state, features, warnings } = session.featured(sheet, Feature::Evaluation)?;
    let holding = features.holding(engine, &state)?;
    let of_role = |role: &crate::rules::GroundTerm| {
        let mut groups: Vec<FeatureGroup> = Vec::new();
        for (_, key, weight) in holding.iter().filter(|(owner, ..)| owner.as_ref() == Some(role)) {
            let same = |group: &&mut FeatureGroup| group.feature == *key.name && group.weight == *weight;
            match groups.iter_mut().find(same) {
                Some(group) => group.keys.push(key.clone()),
                None => groups.push(FeatureGroup {
                    feature: key.name.to_string(),
                    weight: *weight,
                    keys: vec![key.clone()],
                }),
            }
        }
        EvaluatedRole { role: role.clone(), value: groups.iter().map(FeatureGroup::contribution).sum(), groups }
    };
    let roles = engine.roles().iter().map(of_role).filter(|evaluated| !evaluated.groups.is_empty()).collect();
    Ok(Answer::new(ExplainedEvaluation { roles, warnings }))
}
