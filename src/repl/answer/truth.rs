//! The truth value of a literal or a query.

use super::content::{AnswerContent, TextStyle};
use super::text::line;
use crate::repl::value::AnswerValue;
use serde::Serialize;

/// The truth value of a literal or a query.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct TruthValue {
    /// Whether the literal or query holds.
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
