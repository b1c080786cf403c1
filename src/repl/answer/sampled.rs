//! What random games say of the moves of a role: the answer of `mcts` and `montecarlo`.

use super::LineMove;
use crate::rules::GroundTerm;
use crate::statistics::Interval;
use serde::Serialize;

/// The first moves of a role by random play, and the recommended one.
#[derive(Clone, Debug, Serialize)]
pub struct SampledChoice {
    /// The role that asks.
    pub(crate) role: GroundTerm,
    /// The recommended move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The mean utility of the random games that began with it; its exact value if that is proven.
    pub(crate) mean: f64,
    /// Whether that value is proven.
    pub(crate) proven: bool,
    /// The moves that are expected, as far as the search knows.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) line: Vec<LineMove>,
    /// All first moves, the most visited first or, where all are visited alike, the one with the greatest mean.
    pub(crate) moves: Vec<SampledMove>,
    /// The number of first moves that the text lists; JSON has all of them.
    #[serde(skip)]
    pub(crate) listed: usize,
    /// The number of random games of a visit, whose mean is its result.
    pub(crate) games: usize,
    /// The number of nodes of the search tree, if the search keeps one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tree_nodes: Option<usize>,
}

/// A first move by random play.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SampledMove {
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
    /// The number of visits that began with it.
    pub(crate) visits: u32,
    /// Their mean utility for the role; `None` without a visit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mean: Option<f64>,
    /// The mean with its 95% confidence interval, where the games are independent of each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) interval: Option<Interval>,
    /// The exact value, if it is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) proven: Option<f64>,
}
