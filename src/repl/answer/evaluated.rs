//! The answers of `evaluation explain` and `replan`.

use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line};
use crate::game::Utility;
use crate::limits::Stop;
use crate::quantity::{counted, grouped};
use crate::repl::value::AnswerValue;
use crate::repl::words::cost_text;
use crate::rules::GroundTerm;
use crate::search::{Cost, RatedMove, Worth};
use crate::table::{Column, Table};
use serde::Serialize;

/// The evaluation of a state, feature by feature.
#[derive(Clone, Debug, Serialize)]
pub struct ExplainedEvaluation {
    /// The roles that have features.
    pub(crate) roles: Vec<EvaluatedRole>,
    /// Warnings about the sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// The evaluation of a state for one role.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct EvaluatedRole {
    /// The role.
    pub(crate) role: GroundTerm,
    /// The sum of all contributions.
    pub(crate) value: i64,
    /// Its features, in the canonical order of their keys.
    pub(crate) groups: Vec<FeatureGroup>,
}

/// Features of one name and weight.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct FeatureGroup {
    /// The name of the keys.
    pub(crate) feature: String,
    /// What each of them adds.
    pub(crate) weight: i64,
    /// The keys that hold.
    pub(crate) keys: Vec<GroundTerm>,
}

impl FeatureGroup {
    /// The number of keys times their weight.
    pub(crate) fn contribution(&self) -> i64 {
        self.weight.saturating_mul(i64::try_from(self.keys.len()).unwrap_or(i64::MAX))
    }
}

/// A player that searches again at every step.
#[derive(Clone, Debug, Serialize)]
pub struct ReplanAnswer {
    /// Its steps.
    pub(crate) steps: Vec<ReplannedStep>,
    /// The evaluation of the state after the last step, for its role.
    pub(crate) evaluation: i64,
    /// The utility, if the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) utility: Option<Utility>,
    /// The limit that stopped it, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of all its searches.
    pub(crate) cost: Cost,
    /// Warnings about the sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// One step of such a player.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ReplannedStep {
    /// The evaluation of the state before it.
    pub(crate) evaluation: i64,
    /// The move that was made.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// All moves with the values that the search found.
    pub(crate) moves: Vec<RatedMove<GroundTerm>>,
    /// The moves of the greatest value, in the order in which they are preferred.
    pub(crate) best: Vec<GroundTerm>,
}

impl AnswerContent for ExplainedEvaluation {
    fn kind(&self) -> &'static str {
        "explained_evaluation"
    }

    /// A table for each role: the features by name and weight, their number and what they contribute.
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

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl AnswerContent for ReplanAnswer {
    fn kind(&self) -> &'static str {
        "replanned"
    }

    /// A line for each step with the values of all moves.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let columns = [Column::Right, Column::Right, Column::Left, Column::Left, Column::Left];
        let mut table = Table::new(columns).row(["step", "now", "makes", "values", "equally good"]);
        for (number, ReplannedStep { evaluation, chosen, moves, best }) in (1..).zip(&self.steps) {
            let values = joined(
                moves.iter().map(|RatedMove { chosen, worth }| {
                    let worth = match worth {
                        Worth::Utility(utility) => format!("{utility} at the end"),
                        worth => worth.number(),
                    };
                    format!("{} {worth}", chosen.display(style.dialect))
                }),
                ", ",
            );
            let equal = if best.len() > 1 {
                joined(best.iter().map(|term| term.display(style.dialect)), ", ")
            } else {
                String::new()
            };
            table = table.row([
                number.to_string(),
                evaluation.to_string(),
                chosen.display(style.dialect).to_string(),
                values,
                equal,
            ]);
        }
        let table = table.row(["end".to_string(), self.evaluation.to_string()]);
        let end = match (self.utility, self.stopped) {
            (Some(utility), _) => format!("the game is over: {utility}"),
            (None, Some(stop)) => stop.to_string(),
            (None, None) => "the game goes on".to_string(),
        };
        let steps = counted(self.steps.len(), "step");
        table.to_string() + &line(format!("{steps}, {end} ({})", cost_text(&self.cost)))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::List(self.steps.iter().map(|step| step.chosen.clone()).collect()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }

    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        Some(&mut self.warnings)
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
