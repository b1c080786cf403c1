//! The answers of commands, as values, which serde turns into JSON. A command defines what its answer contains, its text
//! and what `expect` compares in its own file, as a type that implements `AnswerContent`; here are the answers that
//! several commands give, and what texts share.

pub(super) mod analysed;
pub(super) mod best;
mod boards;
pub(crate) mod charted;
pub(super) mod compared;
pub(super) mod content;
mod drawn;
mod goal;
pub(super) mod line_of_play;
mod loaded;
mod node_count;
pub(super) mod position;
mod prospects;
pub(super) mod sampled;
pub(super) mod search;
mod solved;
pub(super) mod text;
pub(super) mod tournament;
mod truth;
mod wrapper;

pub use super::command::StateFacts;
pub(crate) use analysed::{AnalysedMove, AnalysedValue, AnalysisAnswer, AnalysisProgress};
pub(crate) use best::{BestAnswer, TriedSearch};
pub use boards::Boards;
pub(crate) use compared::{
    ComparedRun, ComparisonAnswer, GameEnd, GameRecord, PlayedGame, RunRecord, RunResult, SearchRun,
};
pub(crate) use content::{AnswerContent, AnswerView, TextStyle};
pub(crate) use drawn::{DrawnTree, Scene, SceneBoards, Stages, TreeFormat, estimate_text};
pub(crate) use goal::{GoalPart, GoalValue, goal_text, result_text};
pub(crate) use line_of_play::LineMove;
pub(crate) use loaded::{LoadedGame, ResumedMatch};
pub(crate) use node_count::NodeCount;
pub(crate) use position::{MatchPly, MatchPosition, RoleMove, StateChange, history_text, role_moves};
pub(crate) use prospects::{Prospect, Prospects};
pub(crate) use sampled::{SampledChoice, SampledMove};
pub use search::SearchAnswer;
pub(crate) use search::{
    AllStates, Assumption, CostUnit, EventTrace, Narration, NodePosition, RoleWorth, SearchFound, Substitute,
};
pub(crate) use solved::{ExpectedWorths, SolveAnswer, Worths};
pub(crate) use tournament::{Tournament, interval, share};
pub(crate) use truth::TruthValue;
pub(crate) use wrapper::{JsonAnswer, NoCommand};
pub use wrapper::{MetExpectation, SessionEnd};

use crate::repl::value::AnswerValue;
use gdl::limits::Stop;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use std::any::Any;

/// The answer to a command: a value of a type that the command has of its own, or shares with others.
#[derive(Debug)]
pub struct Answer {
    content: Box<dyn AnswerContent>,
    /// Warnings for which the content has no place of its own.
    warnings: Vec<String>,
    /// What the text shows; JSON always has everything.
    view: AnswerView,
}

impl Answer {
    /// An answer whose text shows what it always does.
    pub(crate) fn new(content: impl AnswerContent) -> Self {
        Self { content: Box::new(content), warnings: Vec::new(), view: AnswerView::default() }
    }

    /// The same answer with further warnings about the question.
    pub(crate) fn warned(mut self, further: impl IntoIterator<Item = String>) -> Self {
        if let Some(own) = self.content.warnings_mut() {
            own.extend(further);
            return self;
        }
        let mut warnings = self.warnings().to_vec();
        warnings.extend(further);
        Self { warnings, ..self }
    }

    /// The same answer, whose text shows what options of the command ask for.
    pub(crate) fn viewed(self, view: AnswerView) -> Self {
        Self { view, ..self }
    }

    /// Whether the content is of type `T`.
    pub fn is<T: 'static>(&self) -> bool {
        self.downcast_ref::<T>().is_some()
    }

    /// A view of the content, if it is of type `T`.
    pub fn downcast_ref<T: 'static>(&self) -> Option<&T> {
        (&*self.content as &dyn Any).downcast_ref()
    }

    /// The content, if it is of type `T`, to be changed.
    pub fn downcast_mut<T: 'static>(&mut self) -> Option<&mut T> {
        (&mut *self.content as &mut dyn Any).downcast_mut()
    }

    /// The content, if it is of type `T`.
    pub fn downcast<T: 'static>(self) -> Option<T> {
        let content: Box<dyn Any> = self.content;
        content.downcast().ok().map(|content| *content)
    }

    /// The warnings about the question.
    pub fn warnings(&self) -> &[String] {
        if self.warnings.is_empty() { self.content.warnings() } else { &self.warnings }
    }

    /// Whether the answer is negative: false, a query without solutions, or a failed check.
    pub fn is_no(&self) -> bool {
        self.content.is_no()
    }

    /// The limit that cut the answer off, if one did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.content.stopped()
    }

    /// The text, in a style, with what this answer is to show.
    pub(crate) fn text(&self, style: &TextStyle<'_>) -> String {
        self.content.text(&TextStyle { view: &self.view, ..*style })
    }

    /// The nodes that were visited: the count that is shown, if one is named.
    pub(crate) fn nodes(&self) -> Option<AnswerValue> {
        self.content.nodes(self.view.counts.first().copied())
    }

    /// The content, of any type.
    pub(crate) fn content(&self) -> &dyn AnswerContent {
        &*self.content
    }
}

impl Clone for Answer {
    fn clone(&self) -> Self {
        Self { content: self.content.boxed_clone(), warnings: self.warnings.clone(), view: self.view.clone() }
    }
}

impl Serialize for Answer {
    /// An object: the kind, what the content has, and the warnings.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.content.json(&self.warnings).map_err(S::Error::custom)?.serialize(serializer)
    }
}
