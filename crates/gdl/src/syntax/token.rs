//! Tokens: the scanner under both lexers, the list of tokens that a lexer fills, and
//! the stream of tokens on which both grammars are defined.
//!
//! A dialect's lexer turns a text into [`TokenList`] in one pass; its grammar consists of nom parsers over [`Tokens`].
//! The stream tracks the nesting depth of the parser, so that no text can exhaust the stack.

use super::Span;
use super::ast::{Comment, Name};
use super::characters::{is_blank, run_length};
use super::failure::{InvalidText, NESTING_LIMIT, ParseFailure, ParseFailureKind};
use super::foreign::Meaning;
use crate::number::to_u32;
use nom::error::{ErrorKind, ParseError};
use nom::{IResult, Input, Needed, Parser};
use rustc_hash::FxHashMap;
use std::iter::{Copied, Enumerate};
use std::slice::Iter;
use std::sync::Arc;

/// The logical connectives: words that, in any case, are not names where a formula is expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Logic {
    /// `not`
    Not,
    /// `and`
    And,
    /// `or`
    Or,
    /// `distinct`
    Distinct,
    /// `<=`
    Implied,
}

impl Logic {
    /// The connective with this name, if there is one.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        const WORDS: [(&str, Logic); 5] = [
            ("not", Logic::Not),
            ("and", Logic::And),
            ("or", Logic::Or),
            ("distinct", Logic::Distinct),
            ("<=", Logic::Implied),
        ];
        WORDS.into_iter().find(|(word, _)| word.eq_ignore_ascii_case(name)).map(|(_, logic)| logic)
    }
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TokenKind {
    /// `(`
    Open,
    /// `)`
    Close,
    /// `[`
    OpenBracket,
    /// `]`
    CloseBracket,
    /// `,`
    Comma,
    /// `&`
    Ampersand,
    /// `|`
    Bar,
    /// `~`
    Tilde,
    /// `:-`, or `<=` in infix
    Neck,
    /// `::` of the dialect with operations
    DoubleColon,
    /// `==>` of the dialect with operations
    LongArrow,
    /// `.`
    Stop,
    /// A name that is never a connective.
    Word,
    /// A name that is a connective where a formula is expected.
    Logic(Logic),
    /// A variable; its name is kept without the sign.
    Variable,
    /// A piece of text that is not a token.
    Invalid(InvalidText),
}

/// A token: 16 bytes, with its name in [`TokenList::names`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// The kind of the token.
    pub(crate) kind: TokenKind,
    /// Its column, counted from 1, if it is the first token of its line; otherwise 0.
    pub(crate) indent: u16,
    /// The index of its name, if it has one.
    name: u32,
    /// The span in the text.
    pub(crate) span: Span,
}

impl Token {
    /// True for a name or a connective.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Logic(_))
    }
}

#[derive(Debug, Default)]
pub(crate) struct TokenList {
    /// The tokens, in the order of the text.
    pub(crate) tokens: Vec<Token>,
    /// The comments, in the order of the text.
    pub(crate) comments: Vec<Comment>,
    /// The signs of other languages that were read as what they stand for.
    pub(crate) foreign: Vec<(Span, Meaning)>,
    /// The indices of the tokens that follow an empty line, in ascending order.
    after_empty_line: Vec<u32>,
    names: Vec<Arc<str>>,
    ids: FxHashMap<Arc<str>, u32>,
    line_start: Option<u32>,
}

impl TokenList {
    /// Starts without tokens, at the beginning of a line.
    pub(crate) fn new() -> Self {
        Self { line_start: Some(0), ..Self::default() }
    }

    /// Records that a new line begins at this offset.
    fn line_starts_at(&mut self, offset: usize) {
        self.line_start = Some(to_u32(offset));
    }

    /// Records that an empty line precedes the next token.
    fn skip_empty_line(&mut self) {
        let next = to_u32(self.tokens.len());
        if self.after_empty_line.last() != Some(&next) {
            self.after_empty_line.push(next);
        }
    }

    /// True if an empty line precedes the token with this index.
    pub(crate) fn follows_empty_line(&self, index: usize) -> bool {
        self.after_empty_line.binary_search(&to_u32(index)).is_ok()
    }

    /// Adds a token without a name.
    pub(crate) fn push(&mut self, kind: TokenKind, span: Span) {
        self.push_token(kind, 0, span);
    }

    /// Adds a name or connective.
    pub(crate) fn push_word(&mut self, text: &str, span: Span) {
        let kind = Logic::from_name(text).map_or(TokenKind::Word, TokenKind::Logic);
        let name = self.intern(text);
        self.push_token(kind, name, span);
    }

    /// Adds a variable, with its name.
    pub(crate) fn push_variable(&mut self, text: &str, span: Span) {
        let name = self.intern(text);
        self.push_token(TokenKind::Variable, name, span);
    }

    fn push_comment(&mut self, text: &str, span: Span) {
        self.comments.push(Comment { text: text.to_owned(), span });
    }

    fn push_token(&mut self, kind: TokenKind, name: u32, span: Span) {
        let indent =
            self.line_start.take().map_or(0, |start| u16::try_from(span.start - start + 1).unwrap_or(u16::MAX));
        self.tokens.push(Token { kind, indent, name, span });
    }

    fn intern(&mut self, text: &str) -> u32 {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = to_u32(self.names.len());
        let name: Arc<str> = text.into();
        self.names.push(name.clone());
        self.ids.insert(name, id);
        id
    }

    /// The name of a token that has one.
    pub(crate) fn name(&self, token: &Token) -> Name {
        Name { text: self.names[token.name as usize].clone(), span: token.span }
    }

    /// The tokens of a range, with the names that they have.
    pub(crate) fn part(&self, range: std::ops::Range<usize>) -> Self {
        let mut part = Self::default();
        for &token in &self.tokens[range] {
            let has_name = matches!(token.kind, TokenKind::Word | TokenKind::Logic(_) | TokenKind::Variable);
            let name = if has_name { part.intern(&self.names[token.name as usize]) } else { 0 };
            part.tokens.push(Token { name, ..token });
        }
        part
    }

    /// The tokens with a `)` after each of these, whose indices are in ascending order.
    pub(crate) fn completed(&self, after: &[usize]) -> Self {
        let mut tokens = self.tokens.clone();
        for &index in after.iter().rev() {
            tokens.insert(index + 1, Token { kind: TokenKind::Close, indent: 0, name: 0, span: tokens[index].span });
        }
        Self { tokens, names: self.names.clone(), ..Self::default() }
    }

    /// The empty span after the last token.
    pub(crate) fn end(&self) -> Span {
        let end = self.tokens.last().map_or(0, |token| token.span.end);
        Span { start: end, end }
    }

    /// The index of the first token at or after this offset.
    pub(crate) fn index_at(&self, offset: u32) -> usize {
        self.tokens.partition_point(|token| token.span.start < offset)
    }
}

/// The tokens that are still to be parsed, with the current nesting depth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tokens<'t> {
    lexed: &'t TokenList,
    rest: &'t [Token],
    depth: u32,
}

/// The result of every parser over tokens.
pub(crate) type TokenResult<'t, T> = IResult<Tokens<'t>, T, ParseFailure>;

impl<'t> Tokens<'t> {
    /// The tokens of this range.
    pub(crate) fn new(lexed: &'t TokenList, range: std::ops::Range<usize>) -> Self {
        Self { lexed, rest: &lexed.tokens[range], depth: 0 }
    }

    /// The kind of the token after the next `ahead` tokens.
    pub(crate) fn peek(&self, ahead: usize) -> Option<TokenKind> {
        self.rest.get(ahead).map(|token| token.kind)
    }

    /// The number of tokens left.
    pub(crate) fn len(&self) -> usize {
        self.rest.len()
    }

    /// The span of the next token, or the empty span after the last.
    pub(crate) fn next_span(&self) -> Span {
        self.rest.first().map_or_else(|| self.lexed.end(), |token| token.span)
    }

    pub(crate) fn depth(&self) -> u32 {
        self.depth
    }

    /// An error at the next token after which alternatives are tried.
    pub(crate) fn miss<T>(&self, kind: ParseFailureKind) -> TokenResult<'t, T> {
        Err(nom::Err::Error(ParseFailure::new(self.next_span(), kind)))
    }

    /// An error at the next token after which no alternative is tried.
    pub(crate) fn fail<T>(&self, kind: ParseFailureKind) -> TokenResult<'t, T> {
        Err(nom::Err::Failure(ParseFailure::new(self.next_span(), kind)))
    }

    fn advanced(&self) -> Self {
        Self { rest: &self.rest[1..], ..*self }
    }
}

/// Parses a token of this kind and returns its span; `what` names it in messages.
pub(crate) fn token<'t>(
    kind: TokenKind,
    what: &'static str,
) -> impl Parser<Tokens<'t>, Output = Span, Error = ParseFailure> + Copy {
    move |input: Tokens<'t>| match input.rest.first() {
        Some(token) if token.kind == kind => Ok((input.advanced(), token.span)),
        _ => input.miss(ParseFailureKind::Expected(what)),
    }
}

/// Parses a name, including connectives.
pub(crate) fn any_name(input: Tokens<'_>) -> TokenResult<'_, Name> {
    match input.rest.first() {
        Some(token) if token.is_name() => Ok((input.advanced(), input.lexed.name(token))),
        _ => input.miss(ParseFailureKind::Expected("a name")),
    }
}

pub(crate) fn variable(input: Tokens<'_>) -> TokenResult<'_, Name> {
    match input.rest.first() {
        Some(token) if token.kind == TokenKind::Variable => Ok((input.advanced(), input.lexed.name(token))),
        _ => input.miss(ParseFailureKind::Expected("a variable")),
    }
}

/// Runs a parser one level deeper; fails if [`NESTING_LIMIT`] is reached.
pub(crate) fn deeper<'t, T>(
    mut parser: impl Parser<Tokens<'t>, Output = T, Error = ParseFailure>,
) -> impl Parser<Tokens<'t>, Output = T, Error = ParseFailure> {
    move |input: Tokens<'t>| {
        if input.depth >= NESTING_LIMIT {
            return input.fail(ParseFailureKind::TooDeep);
        }
        let (rest, output) = parser.parse(Tokens { depth: input.depth + 1, ..input })?;
        Ok((Tokens { depth: input.depth, ..rest }, output))
    }
}

/// Parses the content of parentheses; also returns the span from `(` to `)`. A failure inside records the `(`.
pub(crate) fn parenthesised<'t, T>(
    mut parser: impl Parser<Tokens<'t>, Output = T, Error = ParseFailure>,
) -> impl Parser<Tokens<'t>, Output = (T, Span), Error = ParseFailure> {
    move |input: Tokens<'t>| {
        let (rest, open) = token(TokenKind::Open, "`(`").parse(input)?;
        let inside = |input: Tokens<'t>| {
            let (rest, output) = parser.parse(input)?;
            let (rest, close) = token(TokenKind::Close, "`)`").parse(rest)?;
            Ok((rest, (output, open.to(close))))
        };
        nom::combinator::cut(deeper(inside)).parse(rest).map_err(|error| error.map(|failure| failure.inside(open)))
    }
}

impl<'t> Input for Tokens<'t> {
    type Item = Token;
    type Iter = Copied<Iter<'t, Token>>;
    type IterIndices = Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.rest.len()
    }

    fn take(&self, index: usize) -> Self {
        Self { rest: &self.rest[..index], ..*self }
    }

    fn take_from(&self, index: usize) -> Self {
        Self { rest: &self.rest[index..], ..*self }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P: Fn(Token) -> bool>(&self, predicate: P) -> Option<usize> {
        self.rest.iter().position(|&token| predicate(token))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.rest.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.rest.len() { Ok(count) } else { Err(Needed::new(count - self.rest.len())) }
    }
}

impl<'t> ParseError<Tokens<'t>> for ParseFailure {
    fn from_error_kind(input: Tokens<'t>, _: ErrorKind) -> Self {
        Self::new(input.next_span(), ParseFailureKind::Expected("something else"))
    }

    fn append(_: Tokens<'t>, _: ErrorKind, other: Self) -> Self {
        other
    }

    fn or(self, other: Self) -> Self {
        if other.at.start >= self.at.start { other } else { self }
    }
}

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

    /// The text that has been read.
    pub(crate) fn before(&self) -> &'s str {
        &self.text[..self.text.len() - self.rest.len()]
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
            let (blanks, span) = self.take(run_length(self.rest, is_blank));
            if let Some(end) = blanks.rfind(['\n', '\r']) {
                self.lexed.line_starts_at(span.start as usize + end + 1);
                // The first line break ends the line before.
                let line_breaks = |sign| blanks.bytes().filter(|&byte| byte == sign).count();
                if line_breaks(b'\n').max(line_breaks(b'\r')) > 1 {
                    self.lexed.skip_empty_line();
                }
            }
            if !self.rest.starts_with(sign) {
                return !self.rest.is_empty();
            }
            let (comment, span) = self.take(run_length(self.rest, |c| c != '\n' && c != '\r'));
            self.lexed.push_comment(comment.trim_start_matches(sign), span);
        }
    }
}
