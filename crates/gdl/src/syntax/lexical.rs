//! The scanner that the lexers of both dialects share: it skips blanks, line ends and comments.

use super::Span;
use super::characters::is_blank;
use super::token::TokenList;
use nom::bytes::complete::{take_till, take_while};
use nom::{IResult, Parser};

/// The state of a lexer: the rest of the text, and the tokens found.
pub(crate) struct Scanner<'s> {
    text: &'s str,
    rest: &'s str,
    pub(crate) lexed: TokenList,
}

impl<'s> Scanner<'s> {
    /// Starts at the beginning of a text of less than 4 GiB.
    pub(crate) fn new(text: &'s str) -> Self {
        Self { text, rest: text, lexed: TokenList::new() }
    }

    /// The rest of the text.
    pub(crate) fn rest(&self) -> &'s str {
        self.rest
    }

    /// Advances by this many bytes; returns their text and span.
    pub(crate) fn take(&mut self, length: usize) -> (&'s str, Span) {
        let start = self.text.len() - self.rest.len();
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        (taken, Span::new(start, start + length))
    }

    /// Advances over blanks and comments, which begin with `sign`, to the next token; false at the end of the text.
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

    /// Records where the last line of these blanks begins.
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

/// `take_while` and `take_till` succeed with an empty match instead of failing.
fn infallible<'s>(result: IResult<&'s str, &'s str>, text: &'s str) -> (&'s str, &'s str) {
    result.unwrap_or((text, ""))
}
