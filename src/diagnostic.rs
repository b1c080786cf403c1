//! Problems of a rule sheet as values: a severity, a code, a message, labels that point into the text, and help.
//!
//! Everything that can be wrong with a sheet, from a missing parenthesis to a game that never ends, is a [`Diagnostic`].
//! This module stands beside [`crate::syntax`] and [`crate::rules`], which make them; turning them into text or JSON is the
//! work of one renderer, and nothing here prints.

pub mod render;

use crate::syntax::Span;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The sheet has a clear meaning, and something in it is likely not what its author wanted.
    Warning,
    /// The sheet breaks a restriction of GDL and is not loaded.
    Error,
}

/// A kind of problem: one entry of the table of checks, defined in the file that looks for it.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The short code that messages carry and `ggp explain` takes, such as `E301`.
    pub id: &'static str,
    /// A name in words, such as `unsafe-head`.
    pub name: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence for the table of checks.
    pub summary: &'static str,
    /// What, why, an example and the mend, in Markdown: what `ggp explain` prints.
    pub explanation: &'static str,
}

/// A place in the text and what is to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What it says; empty where the place says enough.
    pub message: String,
}

/// One problem of one rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem; it has the severity.
    pub code: &'static Code,
    /// The headline: names the problem, not the phase that found it.
    pub message: String,
    /// Where it is. The first label is the primary one, and gives the position; the others say what it has to do with.
    /// Empty only for what the whole sheet lacks.
    pub labels: Vec<Label>,
    /// How to mend it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A problem of kind `code` at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, message: String::new() };
        Self { code, message: message.into(), labels: vec![label], help: None }
    }

    /// A problem of the sheet as a whole, with no place to point at.
    pub fn of_sheet(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), labels: Vec::new(), help: None }
    }

    /// Says something at the primary place.
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.message = message.into();
        }
        self
    }

    /// Points at another place.
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Says how to mend it.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Whether it keeps the sheet from being loaded.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}
