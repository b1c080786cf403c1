//! What the content of every answer says of itself. Each type implements [`AnswerContent`] beside its fields; no place
//! lists them all.

use super::{Answer, NodeCount};
use crate::repl::value::AnswerValue;
use gdl::diagnostic::render::Paint;
use gdl::limits::Stop;
use gdl::syntax::Dialect;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use std::any::Any;
use std::fmt::Debug;

/// The content of an answer.
pub(crate) trait AnswerContent: AnyContent {
    /// The name of this kind of answer, which JSON has as `kind`.
    fn kind(&self) -> &'static str;

    /// The answer for people: whole lines, or the empty text.
    fn text(&self, style: &TextStyle<'_>) -> String;

    /// What `expect` compares; `None` if there is no single value, as for the legal moves of several roles.
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

    /// The warnings that the content has in a place of its own. Others are kept beside it.
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

    /// Whether the answer is negative: false, a query without solutions, or a failed check.
    fn is_no(&self) -> bool {
        self.inner().map_or_else(|| self.value() == Some(AnswerValue::Truth(false)), Answer::is_no)
    }
}

/// What serde and copying give to a content of any type.
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

/// What the text of an answer shows beside what it always does, as options of the command ask for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct AnswerView {
    /// Whether the moves of long plans and lines are listed, and the memory that solving took.
    pub(crate) full: bool,
    /// The counts that are named instead of all of them; empty for all.
    pub(crate) counts: Vec<NodeCount>,
    /// Whether the counts of all runs are listed.
    pub(crate) runs: bool,
}

impl AnswerView {
    /// What every answer shows.
    pub(crate) const PLAIN: &'static Self = &Self { full: false, counts: Vec::new(), runs: false };
}

/// How an answer is written as text.
#[derive(Clone, Copy)]
pub(crate) struct TextStyle<'a> {
    /// What options of the command ask for.
    pub(crate) view: &'a AnswerView,
    pub(crate) paint: Paint,
    /// The dialect of terms.
    pub(crate) dialect: Dialect,
    /// The columns at which prose is wrapped and boards are cut.
    pub(crate) width: usize,
}

impl TextStyle<'_> {
    /// The style for an answer within this one, which shows what it always does.
    pub(crate) fn within(self) -> TextStyle<'static> {
        let Self { paint, dialect, width, .. } = self;
        TextStyle { view: AnswerView::PLAIN, paint, dialect, width }
    }
}
