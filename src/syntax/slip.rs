//! What goes wrong while a text is read: a small value while parsers try their alternatives, a [`Diagnostic`] at the end.

use super::error;
use super::token::{Junk, NESTING_LIMIT, Tokens};
use super::{Source, Span};
use crate::diagnostic::Diagnostic;
use nom::error::{ErrorKind, ParseError};

/// A place where reading cannot go on, and why.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slip {
    /// The token that does not fit; empty at the end of the text.
    pub(crate) at: Span,
    /// What is wrong with it.
    pub(crate) kind: SlipKind,
    /// The innermost parenthesis that was still open.
    pub(crate) open: Option<Span>,
}

/// Why reading cannot go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum SlipKind {
    /// Something else was expected.
    Expected(&'static str),
    /// A parenthesis that nothing closes.
    Unclosed,
    /// A parenthesis that closes nothing, or a clause that was complete before.
    Stray,
    /// Nested beyond the limit.
    TooDeep,
    /// A variable in the place of a relation, a function or a literal.
    Variable(&'static str),
    /// `()` or `((`.
    NoName,
    /// A logical word that is not applied as it must be.
    Connective(&'static str),
    /// A logical word as the head of a clause.
    ConnectiveHead,
    /// `:-` with nothing behind it.
    NoBody,
    /// `:-` with nothing before it.
    NoHead,
    /// `&`, `|` or `,` behind a fact.
    FactGoesOn,
    /// A piece of text that is no token.
    Junk(Junk),
}

impl Slip {
    /// What is wrong at a place.
    pub(crate) fn new(at: Span, kind: SlipKind) -> Self {
        Self { at, kind, open: None }
    }

    /// The same, inside of this parenthesis unless it is inside a narrower one.
    pub(crate) fn inside(self, open: Span) -> Self {
        Self { open: self.open.or(Some(open)), ..self }
    }

    /// The slip as a problem of a sheet.
    pub(crate) fn diagnostic(&self, source: &Source) -> Diagnostic {
        let problem = self.describe(source);
        match self.open {
            Some(open) if self.kind_wants_open() => problem.with_label(open, "this parenthesis is open here"),
            _ => problem,
        }
    }

    fn kind_wants_open(&self) -> bool {
        matches!(self.kind, SlipKind::Expected(_))
    }

    fn describe(&self, source: &Source) -> Diagnostic {
        let found = found(source, self.at);
        let at = |code, message: String| Diagnostic::new(code, self.at, message);
        match self.kind {
            SlipKind::Expected(what) => {
                at(&error::UNEXPECTED, format!("expected {what}, found {found}")).saying(format!("expected {what}"))
            }
            SlipKind::Unclosed => at(&error::UNCLOSED, "this parenthesis is never closed".into())
                .with_help("add the missing `)` at the end of the clause, or of the literal where it belongs"),
            SlipKind::Stray => at(&error::STRAY, "this parenthesis closes nothing".into())
                .with_help("remove it, or add the `(` that it should close"),
            SlipKind::TooDeep => at(&error::TOO_DEEP, format!("nested more than {NESTING_LIMIT} levels deep"))
                .with_help("no game needs such terms; is a parenthesis missing or doubled?"),
            SlipKind::Variable(what) => {
                at(&error::VARIABLE, format!("the variable {found} stands where {what} is expected"))
                    .saying(format!("expected {what}"))
            }
            SlipKind::NoName => at(&error::NO_NAME, format!("expected a name behind `(`, found {found}")),
            SlipKind::Connective(rule) => at(&error::CONNECTIVE, rule.into()),
            SlipKind::ConnectiveHead => at(&error::CONNECTIVE, format!("{found} cannot be the head of a clause"))
                .with_help("a clause gives one relation, such as `next(F)`; write one clause for each alternative"),
            SlipKind::NoBody => at(&error::NO_BODY, "`:-` without a body behind it".into())
                .with_help("write the conditions, or leave out `:-` for a fact"),
            SlipKind::NoHead => at(&error::NO_BODY, "`:-` without a head before it".into()),
            SlipKind::FactGoesOn => at(&error::UNEXPECTED, format!("{found} behind a fact"))
                .with_help("only a body has several literals: is a `:-` missing?"),
            SlipKind::Junk(junk) => error::junk(junk, source, self.at),
        }
    }
}

/// How a message names what stands at a place.
fn found(source: &Source, at: Span) -> String {
    const LONGEST: usize = 40;
    let text = source.slice(at);
    match text.char_indices().nth(LONGEST) {
        _ if text.is_empty() => "the end of the text".into(),
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

impl<'t> ParseError<Tokens<'t>> for Slip {
    fn from_error_kind(input: Tokens<'t>, _: ErrorKind) -> Self {
        Self::new(input.here(), SlipKind::Expected("something else"))
    }

    fn append(_: Tokens<'t>, _: ErrorKind, other: Self) -> Self {
        other
    }

    fn or(self, other: Self) -> Self {
        if other.at.start >= self.at.start { other } else { self }
    }
}
