//! The answers of queries.

use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line};
use crate::quantity::counted;
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use serde::Serialize;

/// The truth value of a literal or a query.
#[derive(Clone, Debug, Serialize)]
pub struct TruthValue {
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

/// The solutions of a query.
#[derive(Clone, Debug, Serialize)]
pub struct QuerySolutions {
    /// The variables, in the order of the query.
    pub(crate) variables: Vec<String>,
    /// A value for each variable in each row; rows in canonical order.
    pub rows: Vec<Vec<GroundTerm>>,
    /// Warnings about the query, such as unknown relations.
    pub(crate) warnings: Vec<String>,
}

impl AnswerContent for QuerySolutions {
    fn kind(&self) -> &'static str {
        "solutions"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let mut text = String::new();
        for row in &self.rows {
            let bindings = self.variables.iter().zip(row);
            let bindings = bindings.map(|(variable, value)| format!("{variable} = {}", value.display(style.dialect)));
            text += &line(joined(bindings, ", "));
        }
        text + &line(counted(self.rows.len(), "solution"))
    }

    fn value(&self) -> Option<AnswerValue> {
        Some(AnswerValue::Truth(!self.rows.is_empty()))
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.rows.len()))
    }

    fn warnings(&self) -> &[String] {
        &self.warnings
    }
}
