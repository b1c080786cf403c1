//! Answers of searches.

use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::{Cost, Outcome, Stop};
use serde::Serialize;

/// The answer of a search with its price.
#[derive(Clone, Debug, Serialize)]
pub struct SearchAnswer {
    /// What it found.
    #[serde(flatten)]
    pub found: Found,
    /// Whether no further work would change it.
    pub exact: bool,
    /// The limit that stopped it, where it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// What it cost.
    pub cost: Cost,
}

/// What a search found.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "found", rename_all = "snake_case")]
pub enum Found {
    /// A utility.
    Score {
        /// What can be reached.
        utility: Utility,
    },
    /// A move.
    Move {
        /// The move.
        #[serde(rename = "move")]
        chosen: GroundTerm,
        /// What can be reached with it.
        utility: Utility,
    },
    /// A line of moves.
    Plan {
        /// The moves.
        moves: Vec<GroundTerm>,
        /// The utility at its end.
        utility: Utility,
    },
    /// What a role can force.
    Value {
        /// The role.
        role: GroundTerm,
        /// The utility.
        utility: Utility,
        /// The move that forces it; none in a terminal state.
        #[serde(rename = "move")]
        chosen: Option<GroundTerm>,
    },
}

impl SearchAnswer {
    /// The answer of an outcome, with its moves as terms; the limit that stopped the search, where it found nothing.
    pub fn of<T>(outcome: Outcome<T>, found: impl FnOnce(T) -> Found) -> Result<Self, Stop> {
        let Outcome { answer, stopped, cost } = outcome;
        match (answer, stopped) {
            (Some(answer), stopped) => Ok(Self { found: found(answer), exact: stopped.is_none(), stopped, cost }),
            (None, stopped) => Err(stopped.unwrap_or(Stop::Interrupted)),
        }
    }
}
