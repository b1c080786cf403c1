//! The answer of `best`: which search was taken, why, and its own answer.

use super::text::line;
use super::{Answer, AnswerContent, AnswerValue, NodeCount, TextStyle};
use gdl::limits::Stop;
use serde::Serialize;

/// The answer of the search that fits the kind of game.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct BestAnswer {
    /// Who decides in the game.
    pub(crate) game: &'static str,
    /// The command that gave the answer, with its options, without limits.
    pub(crate) search: String,
    /// Why it was taken.
    pub(crate) reason: &'static str,
    /// Whether no further work would change the answer.
    pub(crate) exact: bool,
    /// The interrupt, if that ended the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The other searches that were tried.
    #[serde(rename = "tried", skip_serializing_if = "Vec::is_empty")]
    pub(crate) before: Vec<TriedSearch>,
    /// The answer of the command.
    pub(crate) answer: Answer,
}

/// A search whose answer was not taken.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TriedSearch {
    /// The command with its options, without limits.
    pub(crate) search: String,
    /// Why it ended.
    pub(crate) end: String,
}

impl AnswerContent for BestAnswer {
    fn kind(&self) -> &'static str {
        "best"
    }

    /// The answer, after a line: `two opponents take turns: solve, by visiting all states (exact)`.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { game, search, reason, exact, before, answer, .. } = self;
        let exact = if *exact { "exact" } else { "not exact" };
        let before: Vec<String> =
            before.iter().map(|TriedSearch { search, end }| format!("; {search}: {end}")).collect();
        line(format!("{game}: {search}, {reason} ({exact}{})", before.concat())) + &answer.text(&style.within())
    }

    fn value(&self) -> Option<AnswerValue> {
        self.answer.content().value()
    }

    fn count(&self) -> Option<AnswerValue> {
        self.answer.content().count()
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        self.answer.nodes()
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }

    /// A limit ends it, as it ends an analysis.
    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
