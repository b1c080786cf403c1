//! What deliberation costs, and what moves promise.

use super::NodeCount;
use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::game::Utility;
use crate::limits::Stop;
use crate::quantity::{counted, counted_as, grouped};
use crate::repl::value::AnswerValue;
use crate::repl::words::cost_text;
use crate::rules::GroundTerm;
use crate::search::{Cost, DeliberationStep};
use crate::table::{Column, Table};
use serde::Serialize;

/// A game played by compulsive deliberation, beside planning once.
#[derive(Clone, Debug, Serialize)]
pub struct DeliberationAnswer {
    /// The steps, first to last; if the search was stopped, those that were finished.
    pub steps: Vec<DeliberationStep<GroundTerm>>,
    /// The utility at the end of the game; `None` if the search was stopped before it.
    pub utility: Option<Utility>,
    /// The calls of a player that plans once.
    pub planning: u64,
    /// The utility of its plan.
    pub planned: Utility,
    /// Whether planning was finished; if not, the plan is the best so far.
    #[serde(skip)]
    pub is_planned: bool,
    /// The limit that stopped the search, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// Warnings about the question, such as moves that do not exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl DeliberationAnswer {
    /// The calls of all steps.
    pub fn calls(&self) -> u64 {
        self.steps.iter().map(|step| step.calls).sum()
    }
}

/// What a state and each of its moves are worth, now and at best.
#[derive(Clone, Debug, Serialize)]
pub struct Prospects {
    /// The state itself, then the state after each legal move.
    pub rows: Vec<Prospect>,
    /// The cost of all searches.
    pub cost: Cost,
}

/// What one state is worth.
#[derive(Clone, Debug, Serialize)]
pub struct Prospect {
    /// The move that leads to it; `None` for the current state.
    #[serde(rename = "move")]
    pub chosen: Option<GroundTerm>,
    /// Its reward; `None` if the rules give it none.
    pub reward: Option<Utility>,
    /// The best reward at an end that can be reached from it; the best that is known if the search was stopped. `None` if
    /// no end was met before, or none can be reached.
    pub utility: Option<Utility>,
    /// The limit that stopped the search, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
}

impl Prospect {
    /// The best reward, or the bound on it that a stopped search knows, as text.
    pub(crate) fn utility_text(&self) -> String {
        match (self.utility, self.stopped) {
            (None, None) => "no end".to_string(),
            (None, Some(_)) => "unknown".to_string(),
            (Some(utility), None) => utility.to_string(),
            (Some(utility), Some(_)) => format!("at least {utility}"),
        }
    }
}

impl AnswerContent for DeliberationAnswer {
    fn kind(&self) -> &'static str {
        "deliberated"
    }

    /// A line for each step, and the sum beside the cost of planning once.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let rows = self.steps.iter().zip(1..).map(|(step, number)| {
            let chosen = step.chosen.display(style.dialect).to_string();
            [number.to_string(), chosen, step.utility.to_string(), grouped(step.calls)]
        });
        use Column::{Left, Right};
        let table =
            Table::new([Right, Left, Right, Right]).row(["step", "move", "utility", "calls"]).rows(rows).to_string();
        let Self { utility, planning, planned, is_planned, stopped, .. } = self;
        let (calls, steps) = (self.calls(), self.steps.len());
        let (spent, ratio) = (counted_as(calls, "call", "calls"), calls as f64 / *planning as f64);
        let end = utility.map_or(String::new(), |utility| format!(", ends with {utility}"));
        let once = counted_as(*planning, "call", "calls");
        let [deliberation, planning, ratio] = match stopped {
            None => [format!("{spent}{end}"), format!("{once}, ends with {planned}"), format!("ratio: {ratio:.2}")],
            Some(stop) if !is_planned => {
                return line(format!("planning once: best so far, {stop}; {once}, ends with {planned}"));
            }
            Some(stop) if steps == 0 => {
                return line(format!("deliberation: {stop} in the first step"))
                    + &line(format!("planning once: {once}, ends with {planned}"));
            }
            Some(stop) => [
                format!("{stop}; {spent} in {}{end}", counted(steps, "finished step")),
                format!("{once}, ends with {planned}"),
                format!("ratio: at least {ratio:.2}"),
            ],
        };
        table
            + &line(format!("deliberation: {deliberation}"))
            + &line(format!("planning once: {planning}"))
            + &line(ratio)
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.steps.iter().map(|step| step.calls)))
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.calls()))
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

impl AnswerContent for Prospects {
    fn kind(&self) -> &'static str {
        "prospects"
    }

    /// A line for the state, and one for each move.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let rows = self.rows.iter().map(|row| {
            [
                row.chosen.as_ref().map_or("(none)".to_string(), |chosen| chosen.display(style.dialect).to_string()),
                row.reward.map_or("none".to_string(), |reward| reward.to_string()),
                row.utility_text(),
            ]
        });
        use Column::{Left, Right};
        let table = Table::new([Left, Right, Right]).row(["move", "reward now", "utility"]).rows(rows).to_string();
        let end = self.stopped().map_or("exact".to_string(), |stop| format!("best so far, {stop}"));
        table + &line(format!("({end}; {})", cost_text(&self.cost)))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::numbers(self.rows.iter().map(Prospect::utility_text)))
    }

    fn stopped(&self) -> Option<Stop> {
        self.rows.iter().find_map(|row| row.stopped)
    }
}
