//! Answers of commands: values, which serde turns into JSON and `AnswerContent` into text.
//!
//! A command defines the content of its answer, its text and what `expect` compares in its own file, as a type that
//! implements `AnswerContent`; no place lists these types. Here are the box around the content, the values that
//! `expect` compares, and the contents that only say that something holds or has happened. The rooms below have contents
//! that several commands give (positions, searches, drawn trees), and what texts share.

pub(super) mod best;
pub(crate) mod charted;
mod drawn;
pub(super) mod position;
mod prospects;
pub(crate) mod same;
pub(super) mod search;
mod strategies;
pub(super) mod text;

use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use gdl::syntax::Dialect;
use serde::ser::Error;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, Value, to_raw_value};
use std::any::Any;
use std::fmt::{self, Debug};
use text::{json, line};

pub use super::command::StateFacts;
pub(crate) use best::{BestAnswer, TriedSearch};
pub(crate) use drawn::{DrawnTree, Scene, SceneBoards, Stages, TreeFormat, estimate_text};
pub use position::Boards;
#[cfg(feature = "cli")]
pub(crate) use position::role_moves;
pub(crate) use position::{
    GoalPart, GoalValue, LoadedGame, MatchPly, MatchPosition, ResumedMatch, RoleMove, StateChange, goal_text,
    history_text, result_text,
};
pub(crate) use prospects::{Prospect, Prospects};
pub use search::SearchAnswer;
pub(crate) use search::{
    AllStates, Assumption, EventTrace, Narration, NodeCount, NodePosition, RoleWorth, SampledChoice, SampledMove,
    SearchFound, Substitute,
};
pub use strategies::FoundStrategies;
pub(crate) use strategies::{RoleGain, SetStrategy, known_text, small};
pub(crate) use text::{LineMove, interval, repeats_warning, share};

/// The answer to a command: a value of a type that the command has of its own, or shares with others.
#[derive(Debug)]
pub struct Answer {
    content: Box<dyn AnswerContent>,
    /// Warnings for which the content has no place of its own.
    warnings: Vec<String>,
    /// Parts that the text shows on request; JSON always has everything.
    view: AnswerView,
}

impl Answer {
    /// An answer whose text shows no optional parts.
    pub(crate) fn new(content: impl AnswerContent) -> Self {
        Self { content: Box::new(content), warnings: Vec::new(), view: AnswerView::default() }
    }

    /// The same answer with further warnings about the question.
    pub(crate) fn warned(mut self, further: impl IntoIterator<Item = String>) -> Self {
        // A content with a place for warnings has them there in JSON too.
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

    /// True if the content is of type `T`.
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

    /// True if the answer is negative: false, a query without solutions, or a failed check.
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

pub(crate) trait AnswerContent: AnyContent {
    /// The name of this kind of answer, which JSON has as `kind`.
    fn kind(&self) -> &'static str;

    /// The answer for people: whole lines, or the empty text.
    fn text(&self, style: &TextStyle<'_>) -> String;

    /// The value that `expect` compares; `None` if there is no single one, as for the legal moves of several roles.
    fn value(&self) -> Option<AnswerValue> {
        None
    }

    /// The number of items: solutions, facts, moves of a role or of a plan, roles, plies.
    fn count(&self) -> Option<AnswerValue> {
        self.value()?.length()
    }

    /// The nodes that were visited; for a search the count that is named, if one is.
    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        None
    }

    /// The work that `time` divides by the seconds, with the word for it.
    fn work(&self) -> Option<(u64, &'static str)> {
        None
    }

    /// The answer within this one, which has the warnings and the limit and says whether it is negative.
    fn inner(&self) -> Option<&Answer> {
        None
    }

    /// Warnings that are a field of the content. Others are kept in [`Answer`].
    fn warnings(&self) -> &[String] {
        self.inner().map_or(&[], Answer::warnings)
    }

    /// The same, to be added to.
    fn warnings_mut(&mut self) -> Option<&mut Vec<String>> {
        None
    }

    /// The limit that cut the answer off, if one did.
    fn stopped(&self) -> Option<Stop> {
        self.inner()?.stopped()
    }

    /// True if the answer is negative: false, a query without solutions, or a failed check.
    fn is_no(&self) -> bool {
        self.inner().map_or_else(|| self.value() == Some(AnswerValue::Truth(false)), Answer::is_no)
    }
}

/// Operations on a content of any type, for which serde and `Clone` are not object-safe.
pub(crate) trait AnyContent: Any + Debug + Send + Sync {
    /// A copy.
    fn boxed_clone(&self) -> Box<dyn AnswerContent>;

    /// A JSON object of the kind, the fields and further warnings, as text: so each type is compiled for one serializer.
    fn json(&self, warnings: &[String]) -> serde_json::Result<Box<RawValue>>;
}

impl<T: AnswerContent + Clone + Serialize> AnyContent for T {
    fn boxed_clone(&self) -> Box<dyn AnswerContent> {
        Box::new(self.clone())
    }

    fn json(&self, warnings: &[String]) -> serde_json::Result<Box<RawValue>> {
        to_raw_value(&AnswerObject { kind: self.kind(), content: self, warnings })
    }
}

/// An answer as a JSON object.
#[derive(Serialize)]
struct AnswerObject<'a, T> {
    kind: &'static str,
    #[serde(flatten)]
    content: &'a T,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'a [String],
}

/// Parts of an answer that its text shows only if options of the command ask for them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerView {
    /// Lists the moves of long plans and lines, and the memory that solving took.
    pub(crate) full: bool,
    /// The counts that the text names; empty for the usual ones.
    pub(crate) counts: Vec<NodeCount>,
    /// Lists the counts of all runs.
    pub(crate) runs: bool,
}

impl AnswerView {
    /// The view without any option.
    pub(crate) const PLAIN: &'static Self = &Self { full: false, counts: Vec::new(), runs: false };
}

/// Style in which an answer is written as text.
#[derive(Clone, Copy)]
pub(crate) struct TextStyle<'a> {
    /// Parts that the text shows on request.
    pub(crate) view: &'a AnswerView,
    pub(crate) paint: Paint,
    /// The dialect of terms.
    pub(crate) dialect: Dialect,
    /// The columns at which prose is wrapped and boards are cut.
    pub(crate) width: usize,
}

impl TextStyle<'_> {
    /// The style for an answer within this one, which shows no optional parts.
    pub(crate) fn within(self) -> TextStyle<'static> {
        let Self { paint, dialect, width, .. } = self;
        TextStyle { view: AnswerView::PLAIN, paint, dialect, width }
    }
}

/// The truth value of a literal or a query.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TruthValue {
    /// True if the literal or query holds.
    pub(crate) holds: bool,
    /// Warnings about the question, such as unknown relations.
    pub(crate) warnings: Vec<String>,
}

impl AnswerContent for TruthValue {
    fn kind(&self) -> &'static str {
        "truth"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line(self.holds.to_string())
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(self.holds))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

/// An answer that is shown as a JSON object.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonAnswer {
    /// The answer to show as an object.
    pub(crate) answer: Answer,
}

impl AnswerContent for JsonAnswer {
    fn kind(&self) -> &'static str {
        "json"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        json(&self.answer)
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}

/// A short answer whose text is the same in every style: a setting, or a file that was written.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    kind: &'static str,
    /// Whole lines, or the empty text.
    text: String,
    value: Option<AnswerValue>,
    /// The fields of the JSON object, in order.
    fields: Vec<(&'static str, Value)>,
}

impl Statement {
    /// A statement without fields and without a value that `expect` could compare.
    pub(crate) fn new(kind: &'static str, text: String) -> Self {
        Self { kind, text, value: None, fields: Vec::new() }
    }

    /// The same statement with a further field.
    pub(crate) fn with(mut self, name: &'static str, field: impl Serialize) -> Self {
        let field = serde_json::to_value(field).expect("fields are texts, numbers and lists of them");
        self.fields.push((name, field));
        self
    }

    /// The same statement with a value for `expect`.
    pub(crate) fn valued(self, value: AnswerValue) -> Self {
        Self { value: Some(value), ..self }
    }
}

impl Serialize for Statement {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(name, field)| (name, field)))
    }
}

impl AnswerContent for Statement {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        self.text.clone()
    }

    fn value(&self) -> Option<AnswerValue> {
        self.value.clone()
    }
}

/// The session ends after this command.
#[derive(Clone, Debug, Serialize)]
pub struct SessionEnd {}

impl AnswerContent for SessionEnd {
    fn kind(&self) -> &'static str {
        "quit"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        String::new()
    }
}

/// An expectation that was met.
#[derive(Clone, Debug, Serialize)]
pub struct MetExpectation {}

impl AnswerContent for MetExpectation {
    fn kind(&self) -> &'static str {
        "met"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        line("as expected".to_string())
    }
}

/// The comparable part of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnswerValue {
    /// A truth value, as of a query without variables.
    Truth(bool),
    /// One term: a number, a move, a name.
    One(GroundTerm),
    /// Terms whose order matters, as in a plan.
    List(Vec<GroundTerm>),
    /// Terms whose order does not matter, in canonical order.
    Set(Vec<GroundTerm>),
}

impl AnswerValue {
    pub(crate) fn number(value: impl fmt::Display) -> Self {
        Self::One(Self::term(value))
    }

    /// Numbers in an order that matters.
    pub(crate) fn numbers<T: fmt::Display>(values: impl IntoIterator<Item = T>) -> Self {
        Self::List(values.into_iter().map(Self::term).collect())
    }

    /// Terms whose order does not matter.
    pub(crate) fn set(mut terms: Vec<GroundTerm>) -> Self {
        terms.sort();
        Self::Set(terms)
    }

    /// A number or a name as a term.
    pub(crate) fn term(value: impl fmt::Display) -> GroundTerm {
        GroundTerm::symbol(value.to_string())
    }

    /// The number of terms; `None` if it is not a list or a set.
    pub(crate) fn length(&self) -> Option<Self> {
        match self {
            Self::List(terms) | Self::Set(terms) => Some(Self::number(terms.len())),
            Self::Truth(_) | Self::One(_) => None,
        }
    }

    /// True if the value equals `terms`, which were written in brackets (a list) or as one term.
    pub(crate) fn is(&self, terms: &[GroundTerm], bracketed: bool) -> bool {
        match self {
            Self::Truth(holds) => !bracketed && *terms == [GroundTerm::symbol(holds.to_string())],
            Self::One(term) => !bracketed && terms == std::slice::from_ref(term),
            Self::List(own) => bracketed && own == terms,
            Self::Set(_) => bracketed && *self == Self::set(terms.to_vec()),
        }
    }
}

impl fmt::Display for AnswerValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truth(holds) => fmt::Display::fmt(holds, formatter),
            Self::One(term) => fmt::Display::fmt(term, formatter),
            Self::List(terms) | Self::Set(terms) => {
                let terms: Vec<String> = terms.iter().map(ToString::to_string).collect();
                write!(formatter, "[{}]", terms.join(", "))
            }
        }
    }
}
