//! The dialect of Stanford's present course: infix with operations. Its grammar is here; [`translate()`] makes
//! clauses of GDL of a sheet, and [`with_operations`] a sheet with operations of one in GDL.
//!
//! ```text
//! sheet     = { clause [ "." ] }
//! clause    = operation | atom [ ":-" body ]
//! operation = atom "::" [ body "==>" ] effects
//! effects   = effect { ( "&" | "," ) effect }
//! effect    = [ "~" | "not" ] atom
//! ```
//!
//! Atoms and bodies are those of infix. `legal(A)` has one argument, the facts of the state stand in bodies without
//! `true`, and a fact goes on to hold unless an operation takes it away.

mod arithmetic;
mod computed;
mod facts;
mod frame;
mod from_gdl;
mod goals;
mod text;
mod totality;
mod translate;
mod values;

pub(crate) use computed::is_word;
pub use facts::facts_mentioned;
pub use from_gdl::with_operations;
pub use text::{ClauseOrigin, OperationNames, shown_moves};
pub use translate::{TranslatedSheet, translate};

use super::ast::{Formula, ParsedClause};
use super::error;
use super::failure::{NESTING_LIMIT, ParseFailure, ParseFailureKind};
use super::infix::{conjuncts, fact_or_rule, head};
use super::token::{TokenKind, TokenResult, Tokens, token};
use crate::diagnostic::Diagnostic;
use nom::Parser;

/// The levels of parentheses that a translation can add to a formula: `(or (true F) F)` within `(not …)` for `F`.
const ADDED_LEVELS: usize = 4;

/// Parses one fact, rule or operation, without a full stop.
pub(super) fn clause(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, clause) = any_clause(input)?;
    if clause.nesting() + ADDED_LEVELS > NESTING_LIMIT as usize {
        return input.fail(ParseFailureKind::TooDeep);
    }
    Ok((rest, clause))
}

fn any_clause(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, head) = head(input)?;
    if rest.peek(0) != Some(TokenKind::DoubleColon) {
        return fact_or_rule(head, rest);
    }
    let (start, _) = token(TokenKind::DoubleColon, "`::`").parse(rest)?;
    let (rest, (first, first_span)) = conjuncts(start)?;
    if rest.peek(0) != Some(TokenKind::LongArrow) {
        check_effects(&first)?;
        let span = head.span.to(first_span);
        return Ok((rest, ParsedClause { head, body: None, effects: Some(first), span }));
    }
    let (start, _) = token(TokenKind::LongArrow, "`==>`").parse(rest)?;
    let (rest, (effects, effects_span)) = conjuncts(start)?;
    check_effects(&effects)?;
    let span = head.span.to(effects_span);
    Ok((rest, ParsedClause { head, body: Some(first), effects: Some(effects), span }))
}

/// Fails at the first effect that is neither an atom nor a negated atom.
fn check_effects(effects: &[Formula]) -> Result<(), nom::Err<ParseFailure>> {
    let is_effect = |formula: &&Formula| match formula {
        Formula::Atom(_) => true,
        Formula::Not { formula, .. } => matches!(**formula, Formula::Atom(_)),
        _ => false,
    };
    let Some(wrong) = effects.iter().find(|formula| !is_effect(formula)) else { return Ok(()) };
    Err(nom::Err::Failure(ParseFailure::new(wrong.span(), ParseFailureKind::NoEffect)))
}

/// True for a variable in parentheses of its own in place of a condition: `p &(R)`. For the reasoner of the course it
/// never holds, so the clause can be left out.
pub(super) fn never_holds(failure: &ParseFailure) -> bool {
    failure.kind == ParseFailureKind::Variable("a literal")
        && failure.open.is_some_and(|open| open.end == failure.at.start)
}

/// The warning about a clause whose condition never holds.
pub(super) fn left_out(failure: &ParseFailure) -> Diagnostic {
    let message = "a variable is no condition: the clause is left out";
    Diagnostic::new(&error::VARIABLE_CONDITION, failure.at, message)
        .with_help("is an `&` between the name of a relation and its arguments?")
}
