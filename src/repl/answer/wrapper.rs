//! Answers without a content of their own: around another answer, with its time or as JSON, and those that only say
//! that something happened.

use super::Answer;
use super::content::{AnswerContent, TextStyle};
use super::text::{json, line};
use crate::quantity::grouped;
use serde::Serialize;

/// An answer with the time that it took.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TimedAnswer {
    /// The elapsed time by the clock, in seconds.
    pub(crate) seconds: f64,
    /// The answer of the command that was timed.
    pub(crate) answer: Answer,
}

/// An answer that is shown as a JSON object.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct JsonAnswer {
    /// The answer to show as an object.
    pub(crate) answer: Answer,
}

impl AnswerContent for TimedAnswer {
    fn kind(&self) -> &'static str {
        "timed"
    }

    /// The answer, then the elapsed time and the amount of work per second.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { seconds, answer } = self;
        let rate = match answer.content().work() {
            Some((count, what)) if count > 0 && *seconds > 0.0 => {
                format!(", {} {what} a second", grouped((count as f64 / seconds).round()))
            }
            _ => String::new(),
        };
        answer.text(&style.within()) + &line(format!("{seconds:.3} s{rate}"))
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
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
