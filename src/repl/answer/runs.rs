//! Several runs of a search in random order, and plans step by step.

use super::{Boards, NodeCount, SearchAnswer};
use crate::game::Utility;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::statistics::Summary;
use serde::Serialize;

/// Runs of the same search with different seeds.
#[derive(Clone, Debug, Serialize)]
pub struct Runs {
    /// What is counted.
    #[serde(serialize_with = "by_name")]
    pub counted: NodeCount,
    /// The runs, in the order of their seeds. A run that was interrupted is not among them.
    pub runs: Vec<Run>,
    /// The number of runs that were asked for.
    pub of: u64,
    /// Why not all of them were made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
    /// The middle and the spread of the counts; `None` if there are none.
    pub(crate) summary: Option<Summary>,
    /// The seed of the run whose answer is shown.
    pub shown: Option<u64>,
    /// The first answer.
    pub first: Option<Box<SearchAnswer>>,
}

impl Runs {
    /// The counts of the runs that no limit stopped.
    pub(crate) fn counts(&self) -> impl Iterator<Item = u64> {
        self.runs.iter().filter_map(|run| run.count)
    }
}

/// One run.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Run {
    /// Its seed.
    pub seed: u64,
    /// Its count; `None` if a limit other than one on depth stopped it.
    pub count: Option<u64>,
}

fn by_name<S: serde::Serializer>(count: &NodeCount, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(count.name())
}

/// A plan step by step.
#[derive(Clone, Debug, Serialize)]
pub struct ShownPlan {
    /// The current state, and the state after each move.
    pub steps: Vec<ShownStep>,
    /// The utility at the end of the plan, if it ends the game.
    pub utility: Option<Utility>,
}

/// A state of a plan.
#[derive(Clone, Debug, Serialize)]
pub struct ShownStep {
    /// The move that leads to it; `None` for the first.
    #[serde(rename = "move")]
    pub chosen: Option<GroundTerm>,
    /// The facts that hold in it.
    pub facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    pub text: String,
    /// The drawn position, if it is to be drawn; without the facts that are not drawn.
    #[serde(skip)]
    pub drawn: Option<Boards>,
}
