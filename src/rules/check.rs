//! Every restriction of GDL and every warning: what is wrong with a rule sheet, all at once.
//!
//! A family of checks is a file; it defines its codes, each with its explanation, and one function that looks at the sheet
//! as it was written and at the rules it means. [`check`] asks them all. What only play can show is found elsewhere: this
//! room plays no games. An error is what leaves a rule without a clear meaning or breaks the language; what every player
//! reads alike is a warning.

mod arity;
mod capital;
mod context;
mod dependence;
mod duplicate;
mod form;
mod goal;
mod interface;
mod keyword;
mod names;
mod reach;
mod recursion;
mod safety;
mod stratification;
mod usage;

use super::clause::RuleSet;
use crate::diagnostic::{Code, Diagnostic};
use crate::limits::{Limits, Stopped};
use crate::syntax::ast::Sheet;
use context::Context;

/// A family of checks: its codes, and what looks for them.
struct Family {
    codes: &'static [&'static Code],
    check: fn(&Context<'_>, &mut Vec<Diagnostic>),
}

/// All families. A new one is a file and a line here.
static FAMILIES: &[Family] = &[
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
];

/// All problems of a sheet, in the order of the text; those of the sheet as a whole come first.
///
/// `rules` is what [`super::normalise()`] makes of this very sheet. The time is nearly linear in the size of the sheet.
pub fn check(sheet: &Sheet, rules: &RuleSet) -> Vec<Diagnostic> {
    check_within(sheet, rules, &Limits::none()).expect("nothing stops it")
}

/// As [`check`], within limits.
///
/// # Errors
/// Where the interrupt or the deadline of the limits ends the work.
pub fn check_within(sheet: &Sheet, rules: &RuleSet, limits: &Limits) -> Result<Vec<Diagnostic>, Stopped> {
    limits.check()?;
    let context = Context::new(sheet, rules);
    let mut found = Vec::new();
    for family in FAMILIES {
        limits.check()?;
        (family.check)(&context, &mut found);
    }
    found.sort_by_key(|problem| (problem.labels.first().map(|label| label.span.start), problem.code.id));
    Ok(found)
}

/// Every kind of problem there is, syntax errors included, in the order of the codes.
pub fn codes() -> Vec<&'static Code> {
    let checks = FAMILIES.iter().flat_map(|family| family.codes);
    let mut codes: Vec<_> = crate::syntax::error::CODES.iter().chain(checks).copied().collect();
    codes.sort_by_key(|code| code.id);
    codes
}

/// The code of this id (`E112`, in any case) or name (`unsafe-head`).
pub fn find_code(wanted: &str) -> Option<&'static Code> {
    codes().into_iter().find(|code| code.id.eq_ignore_ascii_case(wanted) || code.name == wanted)
}
