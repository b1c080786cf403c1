//! Where the clauses of an infix sheet begin and end, also behind errors.
//!
//! A clause ends where nothing continues it. Behind an error reading goes on behind the next full stop, or at the next line
//! that begins with a name no further to the right than the clause that could not be read. Time is linear: reading goes on
//! behind the token that did not fit, never before it.

use super::clause;
use crate::syntax::ast::Clause;
use crate::syntax::slip::{Slip, SlipKind};
use crate::syntax::token::{Kind, Lexed, Tokens};

/// Reads all the clauses of a sheet; gives what could be read, and hands every slip to `report`.
pub(crate) fn sheet(lexed: &Lexed, mut report: impl FnMut(Slip)) -> Vec<Clause> {
    let count = lexed.tokens.len();
    let mut clauses: Vec<Clause> = Vec::new();
    let mut at = 0;
    let mut goes_on = false;
    while at < count {
        match clause(Tokens::new(lexed, at..count)) {
            Ok((rest, clause)) => {
                at = count - rest.len();
                goes_on = clause.body.is_none();
                clauses.push(clause);
                if rest.peek(0) == Some(Kind::Stop) {
                    at += 1;
                    goes_on = false;
                }
            }
            Err(nom::Err::Error(slip) | nom::Err::Failure(slip)) => {
                report(if goes_on { as_continuation(lexed, at, slip) } else { slip });
                at = resume(lexed, at, lexed.index_at(slip.at.start));
                goes_on = false;
            }
            Err(nom::Err::Incomplete(_)) => return clauses,
        }
    }
    clauses
}

/// What does not begin a clause, right behind a fact: perhaps its author meant a rule.
fn as_continuation(lexed: &Lexed, at: usize, slip: Slip) -> Slip {
    match lexed.tokens[at].kind {
        Kind::Ampersand | Kind::Bar | Kind::Comma => Slip::new(slip.at, SlipKind::FactGoesOn),
        _ => slip,
    }
}

/// Where to go on when the clause that begins at `start` cannot be read because of the token at `error`.
fn resume(lexed: &Lexed, start: usize, error: usize) -> usize {
    let tokens = &lexed.tokens;
    let column = tokens[start].indent.max(1);
    let begins_clause = |at: usize| {
        let token = &tokens[at];
        let begins_line = token.is_name() && (1..=column).contains(&token.indent);
        begins_line || tokens[at - 1].kind == Kind::Stop
    };
    (error.max(start + 1)..tokens.len()).find(|&at| begins_clause(at)).unwrap_or(tokens.len())
}
