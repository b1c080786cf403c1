//! What the lexers of both dialects share: blanks, line ends, comments, and what a name may hold.

use super::Span;
use super::token::Lexed;
use nom::bytes::complete::{take_till, take_while};
use nom::{IResult, Parser};

/// Whether a character separates tokens in both dialects and so can be part of none.
pub(crate) fn is_blank(c: char) -> bool {
    if c.is_ascii() { c <= ' ' || c == '\x7f' } else { c.is_whitespace() || c.is_control() || c == '\u{feff}' }
}

/// Whether a name can hold this character at all: prefix has no quotes, so a name without a blank, a parenthesis or `;` is
/// one that both dialects can write.
pub(crate) fn is_name_character(c: char) -> bool {
    !is_blank(c) && !matches!(c, '(' | ')' | ';')
}

/// Whether the text can be the name of an object, a function or a relation in both dialects.
pub(crate) fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('?') && text.chars().all(is_name_character)
}

/// Whether infix reads and writes the text as a name without quotes.
///
/// Such a name begins with a letter that is not upper case, with a digit, or with a sign and a digit; letters, digits and
/// `_` follow. A `-` may stand between two of them, a `.` between two digits.
pub(crate) fn is_bare(text: &str) -> bool {
    bare_length(text) == text.len() && !text.is_empty()
}

/// How many bytes at the beginning of the text infix reads as one name without quotes; 0 where none begins.
pub(crate) fn bare_length(text: &str) -> usize {
    let mut characters = text.char_indices().peekable();
    let mut previous = match characters.next() {
        Some((_, c)) if c.is_alphanumeric() && !c.is_uppercase() => c,
        Some((_, '-' | '+')) if text[1..].starts_with(|c: char| c.is_ascii_digit()) => '-',
        _ => return 0,
    };
    while let Some((at, c)) = characters.next() {
        let next = characters.peek().map(|&(_, next)| next);
        let belongs = match c {
            '-' => next.is_some_and(is_word_character),
            '.' => previous.is_ascii_digit() && next.is_some_and(|next| next.is_ascii_digit()),
            _ => is_word_character(c),
        };
        if !belongs {
            return at;
        }
        previous = c;
    }
    text.len()
}

/// Whether infix reads a variable where this character begins it.
pub(crate) fn begins_variable(c: char) -> bool {
    c == '_' || c.is_uppercase()
}

/// Letters, digits and `_`.
pub(crate) fn is_word_character(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A text on its way to tokens: what is left of it, and what was found.
pub(crate) struct Scanner<'s> {
    text: &'s str,
    rest: &'s str,
    /// The tokens so far.
    pub(crate) lexed: Lexed,
}

impl<'s> Scanner<'s> {
    /// At the beginning of a text of less than 4 GiB.
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, rest: text, lexed: Lexed::new() }
    }

    /// What is left of the text.
    pub(crate) fn rest(&self) -> &'s str {
        self.rest
    }

    /// Goes on by so many bytes and gives their text and span.
    pub(crate) fn take(&mut self, length: usize) -> (&'s str, Span) {
        let start = self.text.len() - self.rest.len();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        (taken, Span::new(start, start + length))
    }

    /// Goes over blanks and comments, which begin with `sign`, to the next token; false at the end of the text.
    pub(crate) fn next_token(&mut self, sign: char) -> bool {
        loop {
            let (_, blanks) = blanks(self.rest);
            self.note_lines(blanks);
            self.take(blanks.len());
            if !self.rest.starts_with(sign) {
                return !self.rest.is_empty();
            }
            let (_, whole) = comment(self.rest);
            let (whole, span) = self.take(whole.len());
            self.lexed.push_comment(whole.trim_start_matches(sign), span);
        }
    }

    /// Notes where the last line of these blanks begins.
    fn note_lines(&mut self, blanks: &str) {
        if let Some(end) = blanks.rfind(['\n', '\r']) {
            let start = self.text.len() - self.rest.len();
            self.lexed.line_starts_at(start + end + 1);
        }
    }
}

fn blanks(text: &str) -> (&str, &str) {
    infallible(take_while(is_blank).parse(text), text)
}

fn comment(text: &str) -> (&str, &str) {
    infallible(take_till(|c| c == '\n' || c == '\r').parse(text), text)
}

/// `take_while` and `take_till` take nothing where nothing fits; they do not fail.
fn infallible<'s>(result: IResult<&'s str, &'s str>, text: &'s str) -> (&'s str, &'s str) {
    result.unwrap_or((text, ""))
}
