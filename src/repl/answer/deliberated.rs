//! What deliberation costs, and what moves promise.

use crate::game::Utility;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::search::{Cost, DeliberationStep};
use serde::Serialize;

/// A game played by compulsive deliberation, beside planning once.
#[derive(Clone, Debug, Serialize)]
pub struct Deliberated {
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

impl Deliberated {
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
    /// The best reward at an end that can be reached from it; the best that is known if the search was stopped, `None`
    /// if no end was met before.
    pub utility: Option<Utility>,
    /// The limit that stopped the search, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
}

impl Prospect {
    /// The best reward, or the bound on it that a stopped search knows, as text.
    pub(crate) fn utility_text(&self) -> String {
        match (self.utility, self.stopped) {
            (None, _) => "unknown".to_string(),
            (Some(utility), None) => utility.to_string(),
            (Some(utility), Some(_)) => format!("at least {utility}"),
        }
    }
}

impl Prospects {
    /// The limit that stopped one of the searches.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.rows.iter().find_map(|row| row.stopped)
    }
}
