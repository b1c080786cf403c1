//! Finds where the clauses of an infix sheet begin and end, including after errors.
//!
//! A clause ends at the first token that does not continue it. After an error, parsing resumes after the next full stop
//! that is followed by a blank, or at the next line that begins with a name no further to the right than the clause
//! that could not be parsed. Linear in the tokens: parsing resumes after the token that did not fit, never before it.

use super::clause;
use crate::limits::{Poll, Stop};
use crate::syntax::ast::ParsedClause;
use crate::syntax::failure::NESTING_LIMIT;
use crate::syntax::failure::{ParseFailure, ParseFailureKind};
use crate::syntax::nesting;
use crate::syntax::token::{TokenKind, TokenList, Tokens};

/// Parses all clauses of a sheet; returns those that could be parsed, and passes every failure to `report`.
pub(crate) fn sheet(
    lexed: &TokenList,
    mut report: impl FnMut(ParseFailure),
    poll: &Poll<'_>,
) -> Result<Vec<ParsedClause>, Stop> {
    let count = lexed.tokens.len();
    let mut clauses: Vec<ParsedClause> = Vec::new();
    let mut at = 0;
    // Whether the last clause ends right before `at` only because nothing continues it.
    let mut open_ended = false;
    while at < count {
        let start = at;
        match clause(Tokens::new(lexed, at..count)) {
            Ok((rest, clause)) => {
                open_ended = rest.peek(0) != Some(TokenKind::Stop);
                at = count - rest.len() + usize::from(!open_ended);
                if nesting::of_clause(&clause) > NESTING_LIMIT as usize {
                    report(ParseFailure::new(clause.head.span, ParseFailureKind::TooDeep));
                } else {
                    clauses.push(clause);
                }
            }
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
                let error = lexed.index_at(failure.at.start);
                let before = if open_ended && error == at { clauses.last() } else { None };
                report(before.map_or(failure, |clause| as_continuation(clause, lexed, at, failure)));
                at = resume(lexed, at, error);
                open_ended = false;
            }
            Err(nom::Err::Incomplete(_)) => break,
        }
        poll.steps(at - start)?;
    }
    Ok(clauses)
}

/// The failure for a token that does not begin a clause, right after one that its author may have meant to continue.
fn as_continuation(before: &ParsedClause, lexed: &TokenList, at: usize, failure: ParseFailure) -> ParseFailure {
    let kind = match (&before.body, lexed.tokens[at].kind) {
        (None, TokenKind::Ampersand | TokenKind::Bar | TokenKind::Comma) => ParseFailureKind::FactGoesOn,
        (Some(_), TokenKind::Tilde | TokenKind::Open | TokenKind::Logic(_)) => {
            ParseFailureKind::NotContinued(before.span)
        }
        _ => return failure,
    };
    ParseFailure::new(failure.at, kind)
}

/// The index at which to resume when the clause that begins at `start` cannot be parsed because of the token at
/// `error`.
fn resume(lexed: &TokenList, start: usize, error: usize) -> usize {
    let tokens = &lexed.tokens;
    let column = tokens[start].indent.max(1);
    let begins_clause = |at: usize| {
        let token = &tokens[at];
        let begins_line = token.is_name() && (1..=column).contains(&token.indent);
        let before = &tokens[at - 1];
        begins_line || before.kind == TokenKind::Stop && before.span.end < token.span.start
    };
    (error.max(start + 1)..tokens.len()).find(|&at| begins_clause(at)).unwrap_or(tokens.len())
}
