//! The lexer of prefix GDL.

use crate::syntax::characters::is_name_character;
use crate::syntax::failure::InvalidText;
use crate::syntax::lexical::Scanner;
use crate::syntax::token::{TokenKind, TokenList};
use nom::bytes::complete::take_while;
use nom::{IResult, Parser};

/// The tokens of a text. Linear in its length.
pub(crate) fn lex(text: &str) -> TokenList {
    let mut scanner = Scanner::new(text);
    while scanner.next_token(';') {
        match scanner.rest().as_bytes()[0] {
            b'(' => push(&mut scanner, TokenKind::Open),
            b')' => push(&mut scanner, TokenKind::Close),
            _ => lex_word(&mut scanner),
        }
    }
    scanner.lexed
}

fn push(scanner: &mut Scanner<'_>, kind: TokenKind) {
    let (_, span) = scanner.take(1);
    scanner.lexed.push(kind, span);
}

fn lex_word(scanner: &mut Scanner<'_>) {
    let (text, span) = scanner.take(word_length(scanner.rest()));
    if text.contains('\u{fffd}') {
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::NotText), span);
    }
    match text.strip_prefix('?') {
        None => scanner.lexed.push_word(text, span),
        Some(name) if name.is_empty() || name.starts_with('?') => {
            scanner.lexed.push(TokenKind::Invalid(InvalidText::QuestionMark), span);
        }
        // `_` by itself is the anonymous variable of infix, which `?_` is not.
        Some("_") => scanner.lexed.push_variable(text, span),
        Some(name) => scanner.lexed.push_variable(name, span),
    }
}

fn word_length(text: &str) -> usize {
    let word: IResult<&str, &str> = take_while(is_name_character).parse(text);
    word.map_or(0, |(_, word)| word.len())
}
