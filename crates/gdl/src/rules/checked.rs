//! Checking a rule sheet: parsed, normalised and checked, before it is loaded.

use super::check::check_within;
use super::clause::RuleSet;
use super::normalise::normalise_within;
use crate::diagnostic::Diagnostic;
use crate::limits::{Limits, Stop, unlimited};
use crate::syntax::ast::Sheet;
use crate::syntax::{self, Dialect, Source};

/// A rule sheet that has been parsed and checked, with or without problems.
pub struct CheckedSheet {
    /// The clauses that could be parsed.
    pub sheet: Sheet,
    /// The normalised rules, checked if the text could be parsed.
    pub rules: RuleSet,
    /// All problems, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a text. If it does not parse, its rules are not checked: missing clauses would only cause
/// misleading problems.
pub fn check_text(source: &Source, dialect: Option<Dialect>) -> CheckedSheet {
    unlimited(|limits| check_text_within(source, dialect, limits))
}

/// As [`check_text`], within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits stops the work.
pub fn check_text_within(source: &Source, dialect: Option<Dialect>, limits: &Limits) -> Result<CheckedSheet, Stop> {
    let syntax::ParsedText { sheet, errors } = syntax::parse_within(source, dialect, limits)?;
    let rules = normalise_within(&sheet, limits)?;
    let mut diagnostics = errors;
    if diagnostics.is_empty() {
        diagnostics = check_within(&sheet, &rules, limits)?;
        // Checks see the clauses, not what stands between them.
        let fixes = diagnostics.iter_mut().filter_map(|problem| problem.fix.as_mut());
        fixes.for_each(|fix| fix.keep_names_apart(source.text()));
    }
    Ok(CheckedSheet { sheet, rules, diagnostics })
}
