//! The lexer of infix GDL.

use crate::syntax::characters::{self, begins_variable, is_name_character, is_word_character};
use crate::syntax::failure::InvalidText;
use crate::syntax::lexical::Scanner;
use crate::syntax::token::{TokenKind, TokenList};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::combinator::value;
use nom::{IResult, Parser};

/// The tokens of a text. Linear in its length.
pub(crate) fn lex(text: &str) -> TokenList {
    let mut scanner = Scanner::new(text);
    while scanner.next_token('%') {
        let rest = scanner.rest();
        let bare = characters::bare_length(rest);
        if bare > 0 {
            let (text, span) = scanner.take(bare);
            scanner.lexed.push_word(text, span);
        } else if rest.starts_with(begins_variable) {
            let (text, span) = scanner.take(length(rest, is_word_character));
            scanner.lexed.push_variable(text, span);
        } else if let Ok((after, kind)) = sign(rest) {
            let (_, span) = scanner.take(rest.len() - after.len());
            scanner.lexed.push(kind, span);
        } else if rest.starts_with('\'') {
            lex_quoted(&mut scanner);
        } else {
            lex_junk(&mut scanner);
        }
    }
    scanner.lexed
}

fn sign(text: &str) -> IResult<&str, TokenKind> {
    alt((
        value(TokenKind::Open, tag("(")),
        value(TokenKind::Close, tag(")")),
        value(TokenKind::Comma, tag(",")),
        value(TokenKind::Ampersand, tag("&")),
        value(TokenKind::Neck, tag(":-")),
        value(TokenKind::Tilde, tag("~")),
        value(TokenKind::Bar, tag("|")),
        value(TokenKind::OpenBracket, tag("[")),
        value(TokenKind::CloseBracket, tag("]")),
        value(TokenKind::Stop, tag(".")),
        value(TokenKind::Neck, (tag("<="), nom::combinator::not(tag(">")))),
    ))
    .parse(text)
}

/// Reads a name in quotes; a quote in it is written twice.
fn lex_quoted(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    let mut length = 1;
    let closed = loop {
        let run = self::length(&rest[length..], |c| !matches!(c, '\'' | '\n' | '\r'));
        length += run;
        match rest.as_bytes().get(length..length + 2) {
            Some(b"''") => length += 2,
            _ if rest[length..].starts_with('\'') => break true,
            _ => break false,
        }
    };
    let (text, span) = scanner.take(if closed { length + 1 } else { length });
    if !closed {
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::OpenQuote), span);
    }
    let name = text[1..length].replace("''", "'");
    if name.contains('\u{fffd}') {
        scanner.lexed.push(TokenKind::Invalid(InvalidText::NotText), span);
    } else if characters::is_name(&name) {
        scanner.lexed.push_word(&name, span);
    } else {
        scanner.lexed.push(TokenKind::Invalid(InvalidText::QuotedName), span);
    }
}

/// Reads a piece of text that infix does not have: as much as looks like one thing.
fn lex_junk(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    if let Some(name) = rest.strip_prefix('?') {
        let (_, span) = scanner.take(1 + length(name, is_word_character));
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::PrefixVariable), span);
    }
    if rest.starts_with('\u{fffd}') {
        let (_, span) = scanner.take(length(rest, |c| c == '\u{fffd}'));
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::NotText), span);
    }
    let run = length(rest, is_strange);
    let one = rest.chars().next().map_or(0, char::len_utf8);
    let (_, span) = scanner.take(run.max(one));
    scanner.lexed.push(TokenKind::Invalid(InvalidText::Sign), span);
}

/// Whether a character belongs to no token of infix, or only together with others.
fn is_strange(c: char) -> bool {
    is_name_character(c)
        && !is_word_character(c)
        && !matches!(c, ',' | '&' | '|' | '~' | '[' | ']' | '.' | '\'' | '?' | '%' | '\u{fffd}')
}

fn length(text: &str, belongs: impl Fn(char) -> bool) -> usize {
    let run: IResult<&str, &str> = take_while(belongs).parse(text);
    run.map_or(0, |(_, run)| run.len())
}
