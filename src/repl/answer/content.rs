//! What every kind of answer says of itself. Each kind implements [`AnswerContent`] beside its fields, and
//! `Answer::content` is the only place that lists all kinds.

use super::{Answer, NodeCount};
use crate::diagnostic::render::Paint;
use crate::limits::Stop;
use crate::repl::value::AnswerValue;
use crate::syntax::Dialect;

/// The content of an answer.
pub(crate) trait AnswerContent {
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

    /// The warnings about the question.
    fn warnings(&self) -> &[String] {
        self.inner().map_or(&[], Answer::warnings)
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

/// What the text of an answer shows beside what it always does, as options of the command ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnswerView {
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
