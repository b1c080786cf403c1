//! What a state and each of its moves are worth, now and at best.

use super::text::{cost_text, line};
use super::{AnswerContent, AnswerValue, TextStyle};
use crate::table::{Column, Table};
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_game::Utility;
use ggp_search::Cost;
use serde::Serialize;

/// What a state and each of its moves are worth, now and at best.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Prospects {
    /// The state itself, then the state after each legal move.
    pub rows: Vec<Prospect>,
    /// The cost of all searches.
    pub cost: Cost,
}

/// What one state is worth.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Prospect {
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
