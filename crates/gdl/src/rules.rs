//! Rules: interning of names, normalised clauses, dependencies, and the checks of all restrictions.
//!
//! ```
//! use gdl::rules::{check, normalise};
//! use gdl::syntax::{Source, parse};
//!
//! let text = "role(robot) p :- ~q q :- ~p legal(robot,a) goal(robot,0) terminal";
//! let sheet = parse(&Source::new("circle", text), None).sheet;
//! let rules = normalise(&sheet);
//! assert_eq!(rules.clauses.len(), 6);
//! let problems = check(&sheet, &rules);
//! assert!(problems.iter().any(|problem| problem.code.name == "negative-cycle"));
//! ```
//!
//! A parsed [`crate::syntax::ast::Sheet`] becomes a [`RuleSet`] here. This room knows the meaning of GDL's relations
//! and which clauses are allowed; it does not know how they are evaluated. `ggp_engine::interpreter` builds on it.

#[doc(hidden)]
pub mod check;
mod clause;
#[doc(hidden)]
pub mod dependency;
pub mod depends;
#[doc(hidden)]
pub mod disjunction;
pub mod fluents;
#[doc(hidden)]
pub mod lenient;
pub mod listing;
mod normalise;
#[doc(hidden)]
pub mod picture;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod range;
mod renaming;
pub mod rewrite;
mod strata;
#[doc(hidden)]
pub mod symbol;
#[doc(hidden)]
pub mod term;
#[doc(hidden)]
pub mod unify;
pub(crate) mod utilities;

pub use check::{check, check_within, codes, find_code};
pub use clause::{Atom, Clause, Keyword, Literal, Pattern, Relation, RelationId, RuleSet, SAME, VariableId};
pub use dependency::DependencyGraph;
pub use normalise::normalise;
#[doc(hidden)]
pub use normalise::{is_same, normalise_query, normalise_within};
pub use renaming::{Renaming, renaming};
pub use strata::{NegativeCycle, Strata, stratify};
pub use symbol::{SymbolId, Symbols};
pub use term::{GroundTerm, NoGroundTerm};
pub use utilities::Utilities;

use crate::diagnostic::Diagnostic;
use crate::limits::{Limits, Stop, unlimited};
use crate::syntax;
use crate::syntax::ast::Sheet;
use crate::syntax::operations::translate;
use crate::syntax::{Dialect, Source};

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
    let syntax::ParsedText { sheet, errors, warnings } = syntax::parse_within(source, dialect, limits)?;
    let translation = (sheet.dialect == Dialect::Operations).then(|| translate(&sheet));
    let rules = match &translation {
        Some(translation) => normalise::normalise_translation(translation, limits)?,
        None => normalise_within(&sheet, limits)?,
    };
    let mut diagnostics = errors;
    if diagnostics.is_empty() {
        diagnostics = match &translation {
            Some(translation) => check::check_translation(&sheet, translation, &rules, limits)?,
            None => check_within(&sheet, &rules, limits)?,
        };
        check::add_lost_conditions(&sheet, warnings, &mut diagnostics);
        // Checks see the clauses, not what stands between them.
        let fixes = diagnostics.iter_mut().filter_map(|problem| problem.fix.as_mut());
        fixes.for_each(|fix| fix.keep_names_apart(source.text()));
    }
    Ok(CheckedSheet { sheet, rules, diagnostics })
}
