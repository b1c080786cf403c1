//! Diagnostics: problems of a rule sheet as values, with a severity, a code, a message, labels that point into the
//! text, and help.
//!
//! ```
//! use gdl::diagnostic::render::{Paint, to_text};
//! use gdl::rules::check_text;
//! use gdl::syntax::Source;
//!
//! let source = Source::new("unsafe.gdl", "role(robot)\nlegal(robot, M) :- ~blocked(M)\ngoal(robot, 0)\nterminal");
//! let problems = check_text(&source, None).diagnostics;
//! let unsafe_rule = problems.iter().find(|problem| problem.is_error()).expect("M is bound by nothing");
//! assert!(to_text(unsafe_rule, &source, Paint::Plain).contains("unsafe.gdl:2"));
//! ```
//!
//! Every problem of a sheet, from a missing parenthesis to a game that never ends, is a [`Diagnostic`].
//! [`crate::syntax`] and [`crate::rules`] make them; one renderer turns them into text or JSON, and nothing here
//! prints.

mod fix;
pub mod render;

pub use fix::{Certainty, Fix, FixedText, TextEdit, apply};
#[doc(hidden)]
pub use fix::{FixedSource, apply_all};

use crate::source::Span;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The sheet has a clear meaning, but is likely not what its author intended.
    Warning,
    /// The sheet violates a restriction of GDL and is not loaded.
    Error,
}

/// A kind of problem: one entry of the table of checks, defined in the file of its check.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The short code in messages and for `ggp explain`, such as `E301`.
    pub id: &'static str,
    /// A name in words, such as `unsafe-head`.
    pub name: &'static str,
    /// Whether it is an error or a warning.
    pub severity: Severity,
    /// One sentence for the table of checks.
    pub summary: &'static str,
    /// What, why, an example and the fix, in Markdown; `ggp explain` prints it.
    pub explanation: &'static str,
}

/// A span of the text with a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The span in the text.
    pub span: Span,
    /// The message; empty if the span says enough.
    pub message: String,
}

/// One problem of one rule sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The kind of problem, which has the severity.
    pub code: &'static Code,
    /// The headline: it names the problem, not the phase that found it.
    pub message: String,
    /// The positions of the problem. The first label is the primary one and determines the position; the others show
    /// what is related to it. Empty only for problems of the sheet as a whole.
    pub labels: Vec<Label>,
    /// How to fix the problem.
    pub help: Option<String>,
    /// The edits that do what the help says; `None` if only the author knows what to write.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A problem of kind `code` at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, message: String::new() };
        Self { code, message: message.into(), labels: vec![label], help: None, fix: None }
    }

    /// A problem of the sheet as a whole, without a position.
    pub fn of_sheet(code: &'static Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), labels: Vec::new(), help: None, fix: None }
    }

    /// Sets the message of the primary label.
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        if let Some(label) = self.labels.first_mut() {
            label.message = message.into();
        }
        self
    }

    /// Adds a further label.
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Self {
        self.labels.push(Label { span, message: message.into() });
        self
    }

    /// Sets the help.
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Sets the edits that do what the help says; a fix without edits is none.
    pub(crate) fn with_fix(mut self, fix: Fix) -> Self {
        self.fix = Some(fix).filter(|fix| !fix.edits.is_empty());
        self
    }

    /// The edits that do what the help says; empty if there is no fix.
    pub fn edits(&self) -> &[TextEdit] {
        self.fix.as_ref().map_or(&[], |fix| &fix.edits)
    }

    /// Whether the problem prevents the sheet from being loaded.
    pub fn is_error(&self) -> bool {
        self.code.severity == Severity::Error
    }
}
