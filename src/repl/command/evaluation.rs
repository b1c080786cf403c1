//! Command `evaluation explain`: the features of a state, each with its contribution to the evaluation.

use super::{AnswerKind, ArgumentKind, Arguments, Command};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, TextStyle};
use crate::repl::{Answer, CommandError, Session, read};
use crate::table::{Column, Table};
use gdl::quantity::grouped;
use gdl::rules::GroundTerm;
use ggp_engine::{Feature, FeaturedState};
use ggp_game::Reasoner;
use serde::Serialize;

pub(super) const EVALUATION: Command = Command {
    name: "evaluation",
    operands: "explain SHEET",
    summary: "list the features that a sheet finds in the current state: their number, their weight and what they contribute",
    example: "evaluation explain connect_four_weights",
    example_game: "connect_four",
    example_after: &["do drop(4)"],
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
    let of_role = |role: &gdl::rules::GroundTerm| {
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
    Ok(Answer::new(ExplainedEvaluation { roles }).warned(warnings))
}

/// The evaluation of a state, feature by feature.
#[derive(Clone, Debug, Serialize)]
struct ExplainedEvaluation {
    /// The roles that have features.
    roles: Vec<EvaluatedRole>,
}

/// The evaluation of a state for one role.
#[derive(Clone, Debug, Serialize)]
struct EvaluatedRole {
    role: GroundTerm,
    /// The sum of all contributions.
    value: i64,
    /// Its features, in the canonical order of their keys.
    groups: Vec<FeatureGroup>,
}

/// Features of one name and weight.
#[derive(Clone, Debug, Serialize)]
struct FeatureGroup {
    /// The name of the keys.
    feature: String,
    /// The contribution of each of them.
    weight: i64,
    /// The keys that hold.
    keys: Vec<GroundTerm>,
}

impl FeatureGroup {
    /// The number of keys times their weight.
    fn contribution(&self) -> i64 {
        self.weight.saturating_mul(i64::try_from(self.keys.len()).unwrap_or(i64::MAX))
    }
}

impl AnswerContent for ExplainedEvaluation {
    fn kind(&self) -> &'static str {
        "explained_evaluation"
    }

    /// A table for each role: the features by name and weight, their number and their contribution.
    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { roles, .. } = self;
        if roles.is_empty() {
            return line("no feature holds in this state, so it is worth 0 to every role".to_string());
        }
        let mut text = String::new();
        for evaluated in roles {
            let columns = [Column::Left, Column::Right, Column::Right, Column::Right];
            let mut table =
                Table::new(columns).row([evaluated.role.to_string(), "number".into(), "weight".into(), "adds".into()]);
            for group in &evaluated.groups {
                let numbers = [grouped(group.keys.len()), group.weight.to_string(), group.contribution().to_string()];
                table = table.row([format!("  {}", group.feature)].into_iter().chain(numbers));
            }
            text += &table
                .row(["  all".to_string(), String::new(), String::new(), evaluated.value.to_string()])
                .to_string();
        }
        text
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.roles.iter().map(|evaluated| evaluated.value)))
    }
}
