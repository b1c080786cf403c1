//! Layout as evidence of what is missing in infix: where a `)` was forgotten, an `&` is left over, or one is missing.

use super::Span;
use super::failure::{MissingClose, ParseFailure, ParseFailureKind};
use super::token::{TokenKind, TokenList};

/// The column at which a clause begins, if it is the first of its line.
pub(super) fn column(lexed: &TokenList, start: usize) -> Option<u16> {
    Some(lexed.tokens[start].indent).filter(|&indent| indent > 0)
}

/// True if the fact that begins at `start` stands where a literal of the rule before it, which begins in this column,
/// would stand: on the same line, or indented further than the rule.
pub(super) fn continues_line(lexed: &TokenList, start: usize, column: u16) -> bool {
    let indent = lexed.tokens[start].indent;
    indent == 0 || indent > column
}

/// The index of the last literal of the clause from `start` to `end`, if it begins a line and follows `&`, `|` or `,`: if
/// the clause has taken the head of the next one for this literal, that sign is left over.
pub(super) fn swallowed_head(lexed: &TokenList, start: usize, end: usize) -> Option<usize> {
    let tokens = &lexed.tokens;
    let mut depth = 0_usize;
    let mut head = end.checked_sub(1)?;
    // Parentheses are balanced, since the clause was parsed.
    while head > start {
        match tokens[head].kind {
            TokenKind::Close => depth += 1,
            TokenKind::Open => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && tokens[head].kind != TokenKind::Open {
            break;
        }
        head -= 1;
    }
    let is_dangling = head > start && is_connective(tokens[head - 1].kind);
    (is_dangling && tokens[head].is_name() && tokens[head].indent > 0).then_some(head)
}

/// As [`swallowed_head`], if the literal stands where a fact would stand and can be one. Its line begins no further to the
/// right than the rule, after an empty line or although the other lines of the rule are indented.
pub(super) fn swallowed_fact(lexed: &TokenList, start: usize, end: usize) -> Option<usize> {
    let column = column(lexed, start)?;
    let literal = swallowed_head(lexed, start, end)?;
    let tokens = &lexed.tokens;
    let can_be_fact = tokens[literal].kind == TokenKind::Word
        && !["true", "does"].contains(&lexed.name(&tokens[literal]).text.as_ref())
        && tokens[literal..end].iter().all(|token| token.kind != TokenKind::Variable);
    let mut indents =
        tokens[start + 1..literal].iter().map(|token| token.indent).filter(|&indent| indent > 0).peekable();
    let others_are_indented = indents.peek().is_some() && indents.all(|indent| indent > column);
    let stands_apart = lexed.follows_empty_line(literal) || others_are_indented;
    (can_be_fact && tokens[literal].indent <= column && stands_apart).then_some(literal)
}

fn is_connective(kind: TokenKind) -> bool {
    matches!(kind, TokenKind::Ampersand | TokenKind::Bar | TokenKind::Comma)
}

/// The failure of the clause that begins at `start` because of the token at `error`, with the cause that the layout
/// shows: a sign after which nothing follows, or parentheses that were not closed.
pub(super) fn explained(lexed: &TokenList, start: usize, error: usize, failure: ParseFailure) -> ParseFailure {
    let tokens = &lexed.tokens;
    let ends = tokens.get(error).is_none_or(|token| token.kind == TokenKind::Stop);
    match failure.kind {
        ParseFailureKind::Expected("a literal") if ends && error > start && is_connective(tokens[error - 1].kind) => {
            ParseFailure::new(tokens[error - 1].span, ParseFailureKind::Dangling { next: None })
        }
        ParseFailureKind::Expected("`,` or `)`") => {
            ParseFailure { missing: missing_close(lexed, start, error), ..failure }
        }
        _ => failure,
    }
}

/// The parentheses that are missing right before the token at `error`: that token can only follow closed ones.
fn missing_close(lexed: &TokenList, start: usize, error: usize) -> Option<MissingClose> {
    let tokens = &lexed.tokens;
    let mut open: Vec<usize> = Vec::new();
    for (index, token) in tokens[start..error].iter().enumerate() {
        match token.kind {
            TokenKind::Open => open.push(start + index),
            TokenKind::Close => _ = open.pop(),
            _ => {}
        }
    }
    let applies = |&at: &usize| at > start && tokens[at - 1].kind == TokenKind::Word;
    let count = match tokens.get(error) {
        None => open.len(),
        Some(token) if token.kind == TokenKind::Neck => open.len(),
        Some(token) if token.is_name() && (1..=tokens[start].indent).contains(&token.indent) => open.len(),
        // Parentheses around a formula may go on after `&`.
        Some(token) if matches!(token.kind, TokenKind::Ampersand | TokenKind::Bar) => {
            open.iter().rev().take_while(|at| applies(at)).count()
        }
        Some(_) => 0,
    };
    let Span { end, .. } = tokens.get(error.checked_sub(1)?)?.span;
    u8::try_from(count)
        .ok()
        .filter(|count| (1..=2).contains(count))
        .map(|count| MissingClose { places: [end; 2], count })
}
