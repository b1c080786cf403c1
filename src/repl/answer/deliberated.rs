//! What deliberation costs, and what moves promise.

use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::Cost;
use serde::Serialize;

/// A game played by compulsive deliberation, beside planning once.
#[derive(Clone, Debug, Serialize)]
pub struct Deliberated {
    /// The steps, first to last.
    pub steps: Vec<DeliberatedStep>,
    /// The utility at the end of the game.
    pub utility: Utility,
    /// The calls of a player that plans once.
    pub planning: u64,
    /// The utility of its plan.
    pub planned: Utility,
    /// Warnings about the question, such as moves that do not exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A step of compulsive deliberation.
#[derive(Clone, Debug, Serialize)]
pub struct DeliberatedStep {
    /// The move that it chose.
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
    /// The calls that it took, the one for its own state included.
    pub calls: u64,
    /// The utility that the move was found to reach.
    pub utility: Utility,
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
    /// The best reward at an end that can be reached from it.
    pub utility: Utility,
}
