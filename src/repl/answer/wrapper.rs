//! Answers without a content of their own: another answer as JSON, and those that only say that something happened.

use super::Answer;
use super::content::{AnswerContent, TextStyle};
use super::text::{json, line};
use serde::Serialize;

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

/// The line contained no command.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NoCommand {}

impl AnswerContent for NoCommand {
    fn kind(&self) -> &'static str {
        "nothing"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        String::new()
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
