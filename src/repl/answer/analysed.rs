//! An analysis of a position: the answer of `analyse`, and what a terminal shows while it runs.

use super::LineMove;
use crate::game::Utility;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::search::{Cost, Worth};
use serde::Serialize;

/// The best first moves of the role to move, each with its value and the line that follows.
#[derive(Clone, Debug, Serialize)]
pub struct Analysed {
    /// The search that gave the values.
    pub(crate) algorithm: &'static str,
    /// The role that moves.
    pub(crate) role: GroundTerm,
    /// How far the search has come.
    #[serde(flatten)]
    pub(crate) reached: AnalysisProgress,
    /// The best moves, the best first.
    pub(crate) moves: Vec<AnalysedMove>,
    /// The number of other first moves.
    pub(crate) others: usize,
    /// Whether no further work would change the values.
    pub(crate) exact: bool,
    /// The limit that ended the analysis, if it is not exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The work that was done.
    pub(crate) cost: Cost,
    /// Warnings about the question.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

impl Analysed {
    /// The limit that cut the analysis off. A limit of the search does not count, since an analysis has no other end.
    pub(crate) fn cut_off(&self) -> Option<Stop> {
        self.stopped.filter(|stop| matches!(stop, Stop::Interrupted | Stop::Work { .. }))
    }
}

/// How far an analysis has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnalysisProgress {
    /// All first moves have been searched to this depth.
    Depth(u32),
    /// This many random games have been played.
    Visits(u64),
}

/// A first move in an analysis.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct AnalysedMove {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// Its value; `None` if nothing is known yet.
    #[serde(flatten)]
    pub(crate) value: Option<AnalysedValue>,
    /// The expected line, with this move.
    pub(crate) line: Vec<LineMove>,
}

/// The value of a first move.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum AnalysedValue {
    /// What the role can force.
    Forced(Worth),
    /// The utility at the end of a plan.
    Planned {
        /// The utility.
        utility: Utility,
        /// The number of moves to it.
        length: usize,
    },
    /// The mean of random games, or the exact value if it is proven.
    Mean {
        /// The number of random games.
        visits: u32,
        /// Their mean utility.
        mean: f64,
        /// Whether it is the exact value.
        proven: bool,
    },
}

impl AnalysedValue {
    /// The value as a cell of a table.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Forced(worth) => worth.to_string(),
            Self::Planned { utility, length } => format!("{utility} in {length}"),
            Self::Mean { mean, proven: true, .. } => format!("{} proven", crate::search::trace::value_text(*mean)),
            Self::Mean { mean, .. } => format!("{mean:.1}"),
        }
    }
}
