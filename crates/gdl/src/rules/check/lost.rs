//! Facts that were likely meant to be conditions of a rule, which the parser finds by the layout.

use super::keyword::is_head_only;
use super::{Diagnostic, keyword_of};
use crate::sorting;
use crate::syntax::Span;
use crate::syntax::ast::Sheet;

/// Adds the warnings about lost conditions to the problems of a sheet, in the order of the text. A fact that cannot be
/// a condition was not lost; an error of one that was lost is explained by the missing `&`.
pub(in crate::rules) fn add_lost_conditions(sheet: &Sheet, warnings: Vec<Diagnostic>, found: &mut Vec<Diagnostic>) {
    if warnings.is_empty() {
        return;
    }
    let is_fact_by_name = |span: Span| {
        let index = sheet.clauses.partition_point(|clause| clause.span.start < span.start);
        let clause = sheet.clauses.get(index).filter(|clause| clause.head.span == span);
        clause.and_then(|clause| keyword_of(&clause.head)).is_some_and(is_head_only)
    };
    for warning in warnings {
        let Some(span) = warning.labels.first().map(|label| label.span).filter(|&span| !is_fact_by_name(span)) else {
            continue;
        };
        let is_inside = |problem: &Diagnostic| {
            problem.labels.first().is_some_and(|label| span.start <= label.span.start && label.span.end <= span.end)
        };
        for error in found.iter_mut().filter(|problem| problem.is_error() && is_inside(problem)) {
            error.help = Some("is a `&` missing before it?".to_string());
            error.fix = None;
        }
        found.push(warning);
    }
    sorting::sort_by_key(found, |problem| (problem.labels.first().map(|label| label.span.start), problem.code.id));
}
