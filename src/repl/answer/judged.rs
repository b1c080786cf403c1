//! Answers that judge what somebody has made: a plan, a heuristic.

use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::{Cost, Stop};
use serde::Serialize;

/// A plan, judged.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedPlan {
    /// How many moves it has.
    pub length: usize,
    /// Whether all its moves can be made.
    #[serde(rename = "legal")]
    pub is_legal: bool,
    /// The first move that cannot be made: its place, from 1, and the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<(usize, GroundTerm)>,
    /// Whether that is because the game is over by then.
    #[serde(skip)]
    pub is_over_before: bool,
    /// Whether it ends the game.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// What its end is worth.
    pub utility: Option<Utility>,
    /// The fewest moves to a utility as good.
    pub fewest: Option<u32>,
    /// What kept that from being found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// What it cost to find that.
    pub cost: Cost,
}

impl CheckedPlan {
    /// Whether it is legal, complete and as short as can be.
    pub fn is_good(&self) -> bool {
        self.is_legal && self.is_complete && self.fewest.is_some_and(|fewest| fewest as usize == self.length)
    }
}

/// A heuristic, compared with the truth.
#[derive(Clone, Debug, Serialize)]
pub struct CheckedHeuristic {
    /// The utility that makes a terminal state a goal.
    pub goal: Utility,
    /// The distinct states that can be reached.
    pub states: u64,
    /// Those from which a goal can be reached.
    pub solvable: u64,
    /// Whether it never estimates too much.
    #[serde(rename = "admissible")]
    pub is_admissible: bool,
    /// Whether it is admissible, and never falls by more than one at a move.
    #[serde(rename = "consistent")]
    pub is_consistent: bool,
    /// The states with too high an estimate.
    pub overestimates: u64,
    /// One of them that is nearest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_overestimate: Option<WrongEstimate>,
    /// The moves after which it falls by more than one.
    pub inconsistencies: u64,
    /// The first of them: the facts before and after, and both estimates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_inconsistency: Option<([Vec<GroundTerm>; 2], Option<u64>, u64)>,
    /// The mean estimate of the solvable states.
    pub mean_estimate: f64,
    /// Their true mean.
    pub mean_moves: f64,
    /// What it cost.
    pub cost: Cost,
    /// What is odd about the sheet.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A state with too high an estimate.
#[derive(Clone, Debug, Serialize)]
pub struct WrongEstimate {
    /// The facts of the state.
    pub facts: Vec<GroundTerm>,
    /// The estimate; `None` for "no way".
    pub estimate: Option<u64>,
    /// The true number of moves.
    pub moves: u32,
}
