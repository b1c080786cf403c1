//! The checks: every restriction of GDL and every warning, all problems of a rule sheet at once.
//!
//! A family of checks is a file; it defines its codes, each with an explanation, and one function that examines the
//! sheet as written and its normalised rules. [`check`] runs all families. Problems that appear only in play are declared
//! here (`in_play.rs`) and found by the engine. A problem that leaves a rule without a clear meaning, or violates the language, is an error; a problem
//! that does not change how players read the sheet is a warning.

mod arity;
mod capital;
mod context;
mod dependence;
mod duplicate;
mod form;
mod goal;
#[doc(hidden)]
pub mod in_play;
mod interface;
mod keyword;
mod names;
mod picture;
mod reach;
mod recursion;
mod safety;
mod stratification;
mod usage;

use super::clause::RuleSet;
use crate::diagnostic::{Code, Diagnostic};
use crate::limits::{Limits, Stop, unlimited};
use crate::sorting;
use crate::syntax::{ast::Sheet, error};
#[doc(hidden)]
pub use arity::arguments;
use context::CheckContext;
#[doc(hidden)]
pub use duplicate::variants;
#[doc(hidden)]
pub use goal::{VALUE as GOAL_VALUE, is_goal_value};

/// A family of checks: its codes, and the function that reports them.
struct CheckFamily {
    codes: &'static [&'static Code],
    check: fn(&CheckContext<'_>, &mut Vec<Diagnostic>),
}

/// All families. A new one is a file and a line here.
static FAMILIES: &[CheckFamily] = &[
    arity::FAMILY,
    keyword::FAMILY,
    dependence::FAMILY,
    interface::FAMILY,
    safety::FAMILY,
    stratification::FAMILY,
    recursion::FAMILY,
    usage::FAMILY,
    names::FAMILY,
    capital::FAMILY,
    form::FAMILY,
    duplicate::FAMILY,
    goal::FAMILY,
    reach::FAMILY,
    picture::FAMILY,
];

/// All problems of a sheet, in the order of the text; those of the sheet as a whole come first.
///
/// `rules` must be the result of [`super::normalise()`] for this sheet. The time is nearly linear in the size of the
/// sheet.
pub fn check(sheet: &Sheet, rules: &RuleSet) -> Vec<Diagnostic> {
    unlimited(|limits| check_within(sheet, rules, limits))
}

/// As [`check`], within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn check_within(sheet: &Sheet, rules: &RuleSet, limits: &Limits) -> Result<Vec<Diagnostic>, Stop> {
    limits.check()?;
    let context = CheckContext::new(sheet, rules);
    let mut found = Vec::new();
    for family in FAMILIES {
        limits.check()?;
        (family.check)(&context, &mut found);
    }
    sorting::sort_by_key(&mut found, |problem| (problem.labels.first().map(|label| label.span.start), problem.code.id));
    Ok(found)
}

/// All codes in order, including those of syntax errors and of problems that only play shows.
pub fn codes() -> Vec<&'static Code> {
    let checks = FAMILIES.iter().flat_map(|family| family.codes);
    let mut codes: Vec<_> = error::CODES.iter().chain(checks).chain(in_play::CODES).copied().collect();
    sorting::sort_by_key(&mut codes, |code| code.id);
    codes
}

/// The code with this id (`E112`, in any case) or name (`unsafe-head`).
pub fn find_code(wanted: &str) -> Option<&'static Code> {
    codes().into_iter().find(|code| code.id.eq_ignore_ascii_case(wanted) || code.name == wanted)
}
