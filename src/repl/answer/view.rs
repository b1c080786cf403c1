//! What the text of an answer shows of it, as options of the command ask for; JSON always has everything.

use super::{Answer, NodeCount};
use serde::Serialize;

/// An answer, and what its text shows.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Viewed {
    /// What the text shows.
    #[serde(skip)]
    pub(crate) view: AnswerView,
    /// The answer.
    pub(crate) answer: Box<Answer>,
}

/// What the text of an answer shows beside what it always does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerView {
    /// Whether the moves of long plans and lines are listed, and the memory that solving took.
    pub(crate) full: bool,
    /// The counts that are named instead of all of them; empty for all.
    pub(crate) counts: Vec<NodeCount>,
    /// Whether the counts of all runs are listed.
    pub(crate) runs: bool,
}
