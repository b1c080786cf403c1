//! The answers of `evaluation explain` and `replan`.

use crate::game::Utility;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::search::{Cost, RatedMove};
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
pub struct Replanned {
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
