//! Answers around another answer: its time, its form, and what its text shows of it.

use super::content::{AnswerContent, AnswerView, TextStyle};
use super::text::{json, line};
use super::{Answer, NodeCount};
use crate::quantity::grouped;
use crate::repl::value::AnswerValue;
use serde::{Serialize, Serializer};

/// An answer, and what its text shows; JSON always has everything.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct ViewedAnswer {
    /// What the text shows.
    #[serde(skip)]
    pub(crate) view: AnswerView,
    /// The answer.
    pub(crate) answer: Box<Answer>,
}

/// An answer with the time that it took.
#[derive(Clone, Debug, Serialize)]
pub struct TimedAnswer {
    /// The elapsed time by the clock, in seconds.
    pub(crate) seconds: f64,
    /// The answer of the command that was timed.
    pub(crate) answer: Box<Answer>,
}

/// An answer with warnings. Its JSON is the object of the answer with these warnings.
#[derive(Clone, Debug)]
pub struct WarnedAnswer {
    /// The answer.
    pub(crate) answer: Box<Answer>,
    /// All warnings about the question, with those of the answer.
    pub(crate) warnings: Vec<String>,
}

/// An answer that is shown as a JSON object.
#[derive(Clone, Debug, Serialize)]
pub struct JsonAnswer {
    /// The answer to show as an object.
    pub(crate) answer: Box<Answer>,
}

impl Serialize for WarnedAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut value = self.answer.value().unwrap_or_default();
        value["warnings"] = self.warnings.clone().into();
        value.serialize(serializer)
    }
}

impl AnswerContent for WarnedAnswer {
    fn text(&self, style: &TextStyle<'_>) -> String {
        self.answer.content().text(style)
    }

    fn value(&self) -> Option<AnswerValue> {
        self.answer.content().value()
    }

    fn count(&self) -> Option<AnswerValue> {
        self.answer.content().count()
    }

    fn nodes(&self, named: Option<NodeCount>) -> Option<AnswerValue> {
        self.answer.content().nodes(named)
    }

    fn work(&self) -> Option<(u64, &'static str)> {
        self.answer.content().work()
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}

impl AnswerContent for ViewedAnswer {
    fn text(&self, style: &TextStyle<'_>) -> String {
        self.answer.content().text(&TextStyle { view: &self.view, ..*style })
    }

    fn value(&self) -> Option<AnswerValue> {
        self.answer.content().value()
    }

    fn count(&self) -> Option<AnswerValue> {
        self.answer.content().count()
    }

    fn nodes(&self, _named: Option<NodeCount>) -> Option<AnswerValue> {
        self.answer.content().nodes(self.view.counts.first().copied())
    }

    fn work(&self) -> Option<(u64, &'static str)> {
        self.answer.content().work()
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}

impl AnswerContent for TimedAnswer {
    /// The answer, then the elapsed time and the amount of work per second.
    fn text(&self, style: &TextStyle<'_>) -> String {
        let Self { seconds, answer } = self;
        let rate = match answer.content().work() {
            Some((count, what)) if count > 0 && *seconds > 0.0 => {
                format!(", {} {what} a second", grouped((count as f64 / seconds).round()))
            }
            _ => String::new(),
        };
        answer.content().text(&style.within()) + &line(format!("{seconds:.3} s{rate}"))
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}

impl AnswerContent for JsonAnswer {
    fn text(&self, _style: &TextStyle<'_>) -> String {
        json(&self.answer)
    }

    fn inner(&self) -> Option<&Answer> {
        Some(&self.answer)
    }
}

/// No content: there was no command, or the session ends.
pub(super) struct NoContent;

impl AnswerContent for NoContent {
    fn text(&self, _style: &TextStyle<'_>) -> String {
        String::new()
    }
}

/// The content of an expectation that was met.
pub(super) struct MetExpectation;

impl AnswerContent for MetExpectation {
    fn text(&self, _style: &TextStyle<'_>) -> String {
        line("as expected".to_string())
    }
}
