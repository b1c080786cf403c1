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

pub mod render;

use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The sheet has a clear meaning, but is likely not what its author intended.
    Warning,
    /// The sheet violates a restriction of GDL. It is not loaded, unless only play shows the problem.
    Error,
}

/// A kind of problem: one entry of the table of checks, defined in the file of its check.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Code {
    /// The short code in messages and for `ggp explain`, such as `E301`.
    pub id: &'static str,
    /// A name in words, such as `unsafe-head`.
    pub name: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// One sentence for the table of checks.
    pub summary: &'static str,
    /// Explanation in Markdown for `ggp explain`: what, why, an example, and what to write instead.
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
    /// The kind of problem.
    pub code: &'static Code,
    /// That of the code, unless the sheet is read leniently.
    pub severity: Severity,
    /// The headline: it names the problem, not the phase that found it.
    pub message: String,
    /// The positions of the problem. The first label is the primary one and determines the position; the others show
    /// what is related to it. Empty only for problems of the sheet as a whole.
    pub labels: Vec<Label>,
    /// Advice for the author, in one sentence.
    pub help: Option<String>,
    /// The edits that do what the help says; `None` if only the author knows what to write.
    pub fix: Option<Fix>,
}

impl Diagnostic {
    /// A problem of kind `code` at `span`.
    pub fn new(code: &'static Code, span: Span, message: impl Into<String>) -> Self {
        let label = Label { span, message: String::new() };
        Self { labels: vec![label], ..Self::of_sheet(code, message) }
    }

    /// A problem of the sheet as a whole, without a position.
    pub fn of_sheet(code: &'static Code, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { code, severity: code.severity, message, labels: Vec::new(), help: None, fix: None }
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

    /// True if the problem is an error: if the text shows it, the sheet is not loaded.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}

/// A change of a text: a span, and the text that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The span that is replaced.
    pub span: Span,
    /// Its replacement; empty to delete the span.
    pub replacement: String,
}

impl TextEdit {
    /// Replaces a span.
    pub fn new(span: Span, replacement: impl Into<String>) -> Self {
        Self { span, replacement: replacement.into() }
    }
}

/// The edits that do what the help of a problem says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The edits, which belong together.
    pub edits: Vec<TextEdit>,
    /// Certainty that the fixed sheet means the same.
    pub certainty: Certainty,
}

/// Certainty that a fixed sheet means what it meant before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Certainty {
    /// The sheet means the same as before, or it had no meaning, since it does not load without the fix.
    Sound,
    /// The sheet means what its author probably had in mind, and perhaps something else than before.
    Guess,
}

impl Fix {
    /// A fix that is applied without asking.
    pub(crate) fn sound(edits: impl IntoIterator<Item = TextEdit>) -> Self {
        Self { edits: edits.into_iter().collect(), certainty: Certainty::Sound }
    }

    /// A fix for the author to accept or not.
    pub(crate) fn guess(edits: impl IntoIterator<Item = TextEdit>) -> Self {
        Self { edits: edits.into_iter().collect(), certainty: Certainty::Guess }
    }

    /// Leaves a blank for each deleted part that may separate two names: `(not(p))` without the inner parentheses is
    /// `(not p)`. What stands beside the part counts, since a fix beside this one may delete it.
    pub(crate) fn keep_names_apart(&mut self, text: &str) {
        for TextEdit { span, replacement } in self.edits.iter_mut().filter(|edit| edit.replacement.is_empty()) {
            let before = text[..span.start as usize].chars().next_back();
            let after = text[span.end as usize..].chars().next();
            let ends = before.is_some_and(|last| last != '(' && !last.is_whitespace());
            let begins = after.is_some_and(|first| first != ')' && !first.is_whitespace());
            if ends && begins {
                replacement.push(' ');
            }
        }
    }
}

/// A text with fixes applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedText {
    /// The new text.
    pub text: String,
    /// The number of fixes that are in it.
    pub applied: usize,
}

/// Applies fixes to the text to which their spans refer. A fix is applied with all its edits or, where one of them
/// overlaps an edit of an earlier fix, not at all. Two equal edits count as one; of overlapping edits of one fix the
/// first counts. Costs a search in a tree for each edit.
pub fn apply<'a>(text: &str, fixes: impl IntoIterator<Item = &'a [TextEdit]>) -> FixedText {
    // The accepted edits by where they begin; none overlaps another.
    let mut edits: BTreeMap<u32, &TextEdit> = BTreeMap::new();
    let mut applied = 0;
    for fix in fixes {
        if fix.is_empty() || fix.iter().any(|edit| overlapping(&edits, edit).is_some_and(|other| other != edit)) {
            continue;
        }
        applied += 1;
        for edit in fix {
            // An earlier fix may have accepted the same edit.
            if overlapping(&edits, edit).is_none() {
                edits.insert(edit.span.start, edit);
            }
        }
    }
    let mut fixed = String::with_capacity(text.len());
    let mut end = 0;
    for edit in edits.into_values() {
        fixed.push_str(&text[end..edit.span.start as usize]);
        fixed.push_str(&edit.replacement);
        end = edit.span.end as usize;
    }
    fixed.push_str(&text[end..]);
    FixedText { text: fixed, applied }
}

/// A text to which fixes have been applied.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct FixedSource {
    /// The new text.
    pub source: Source,
    /// The problems that are left.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of fixes that are in it.
    pub applied: usize,
}

/// The maximum number of rounds of fixes: each is applied to the text that the last one made.
const ROUNDS: usize = 10;

/// Applies fixes to a text, also those of problems that show only when others are fixed: those that are sound and,
/// where `accept` says so of a problem of the text, guesses. `check` finds the problems.
///
/// # Errors
/// Those of `accept` and `check`.
#[doc(hidden)]
pub fn apply_all<E>(
    mut source: Source,
    mut diagnostics: Vec<Diagnostic>,
    mut accept: impl FnMut(&Source, &Diagnostic) -> Result<bool, E>,
    mut check: impl FnMut(&Source) -> Result<Vec<Diagnostic>, E>,
) -> Result<FixedSource, E> {
    let mut applied = 0;
    for _ in 0..ROUNDS {
        let mut accepted = Vec::new();
        for problem in &diagnostics {
            let Some(fix) = &problem.fix else { continue };
            if fix.certainty == Certainty::Sound || accept(&source, problem)? {
                accepted.push(&fix.edits[..]);
            }
        }
        let fixed = apply(source.text(), accepted);
        if fixed.applied == 0 {
            break;
        }
        applied += fixed.applied;
        source = Source::new(source.name(), fixed.text);
        diagnostics = check(&source)?;
    }
    Ok(FixedSource { source, diagnostics, applied })
}

/// An accepted edit that overlaps another one, or begins where it does.
fn overlapping<'a>(edits: &BTreeMap<u32, &'a TextEdit>, edit: &TextEdit) -> Option<&'a TextEdit> {
    let before = edits.range(..=edit.span.start).next_back().map(|(_, other)| *other);
    let after = edits.range(edit.span.start..).next().map(|(_, other)| *other);
    let overlap = |other: &&TextEdit| {
        let is_within = other.span.start < edit.span.end && edit.span.start < other.span.end;
        is_within || other.span.start == edit.span.start
    };
    before.filter(overlap).or(after.filter(overlap))
}
