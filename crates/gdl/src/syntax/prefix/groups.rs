//! Finds where the clauses of a prefix sheet begin and end, including where parentheses are missing or superfluous.
//!
//! One pass matches the parentheses of the whole text; a second pass visits the clauses. An unclosed `(` costs only its
//! own clause: parsing resumes at the next line that begins with `(` no further to the right. `(<=` at the beginning of
//! a line is always a new clause, because rules cannot be nested. Both passes are linear.

use super::clause;
use crate::limits::{Poll, Stop};
use crate::number::to_u32;
use crate::syntax::ast::ParsedClause;
use crate::syntax::failure::{ParseFailure, ParseFailureKind};
use crate::syntax::token::{Logic, Token, TokenKind, TokenList, Tokens};

/// The partner of an unclosed parenthesis.
const NONE: u32 = u32::MAX;

/// Parses all clauses of a sheet; returns those that could be parsed, and passes every failure to `report`.
pub(crate) fn sheet(
    lexed: &TokenList,
    mut report: impl FnMut(ParseFailure),
    poll: &Poll<'_>,
) -> Result<Vec<ParsedClause>, Stop> {
    let tokens = &lexed.tokens;
    let partners = partners(tokens);
    let mut clauses = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let end = match tokens[at].kind {
            TokenKind::Open if partners[at] == NONE => {
                let next = resume(tokens, at);
                let kind = ParseFailureKind::Unclosed { next: tokens.get(next).map(|token| token.span) };
                report(ParseFailure::new(culprit(&tokens[at..next]).span, kind));
                at = next;
                continue;
            }
            TokenKind::Open => partners[at] as usize + 1,
            TokenKind::Close => {
                report(ParseFailure::new(tokens[at].span, ParseFailureKind::Stray));
                at += 1;
                continue;
            }
            _ => at + 1,
        };
        poll.steps(end - at)?;
        match clause(Tokens::new(lexed, at..end)) {
            Ok((_, clause)) => clauses.push(clause),
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => report(failure),
            Err(nom::Err::Incomplete(_)) => {}
        }
        at = end;
    }
    Ok(clauses)
}

/// The index of the matching `)` for every `(`.
fn partners(tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![NONE; tokens.len()];
    let mut open: Vec<u32> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => {
                if begins_rule(tokens, at) {
                    open.clear();
                }
                open.push(to_u32(at));
            }
            TokenKind::Close => {
                if let Some(start) = open.pop() {
                    partners[start as usize] = to_u32(at);
                }
            }
            _ => {}
        }
    }
    partners
}

/// Whether a rule begins here, on a line of its own.
fn begins_rule(tokens: &[Token], at: usize) -> bool {
    tokens[at].indent > 0 && tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Logic(Logic::Implied))
}

/// The index at which to resume after an unclosed `(`.
fn resume(tokens: &[Token], unclosed: usize) -> usize {
    let column = tokens[unclosed].indent.max(1);
    let begins_clause = |at: usize| {
        let token = &tokens[at];
        token.kind == TokenKind::Open && ((1..=column).contains(&token.indent) || begins_rule(tokens, at))
    };
    (unclosed + 1..tokens.len()).find(|&at| begins_clause(at)).unwrap_or(tokens.len())
}

/// The parenthesis that its author most likely forgot to close, in a clause whose first one is never closed.
///
/// What is inside parentheses is indented further than the parenthesis. So if a line begins with `(` no further to the
/// right than the innermost open parenthesis, that one should have been closed before. If the layout does not tell, it
/// is the first one.
fn culprit(clause: &[Token]) -> &Token {
    let mut open: Vec<(&Token, u32)> = Vec::new();
    let mut line_start = clause[0].span.start;
    let mut indent = 1;
    for token in clause {
        if token.indent > 0 {
            (line_start, indent) = (token.span.start, u32::from(token.indent));
        }
        let column = indent + (token.span.start - line_start);
        match token.kind {
            TokenKind::Open => match open.last() {
                Some(&(suspect, left)) if token.indent > 0 && column <= left => return suspect,
                _ => open.push((token, column)),
            },
            TokenKind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    &clause[0]
}
