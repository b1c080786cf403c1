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
    /// A parenthesis that nothing closes; where the next clause begins, if there is one.
    Unclosed {
        /// The first token of the next clause.
        next: Option<Span>,
    },
    /// A parenthesis or bracket that closes nothing.
    Stray,
    /// Nested beyond the limit.
    TooDeep,
    /// A variable in the place of this.
    Variable(&'static str),
    /// `()` or `((`.
    NoName,
    /// A logical word that is not applied as it must be.
    Connective(Misuse),
    /// A logical word as the head of a clause.
    ConnectiveHead,
    /// `:-` with nothing behind it.
    NoBody,
    /// `:-` with nothing before it.
    NoHead,
    /// `&`, `|` or `,` behind a fact.
    FactGoesOn,
    /// What can only be a literal, behind a rule with this span that nothing continues.
    NotContinued(Span),
    /// `(` at the beginning of a clause of infix.
    PrefixClause,
    /// A piece of text that is no token.
    Junk(Junk),
}

/// How a logical word is misused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misuse {
    /// `not` with no or several formulas.
    NotTakesOne,
    /// `distinct` with more or fewer terms than two.
    DistinctTakesTwo,
    /// A logical word without parentheses around it.
    Alone,
    /// `<=` inside of a clause.
    RuleInside,
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
        let found = found(source, self.at);
        let problem = |code, message: &str| Diagnostic::new(code, self.at, message);
        match self.kind {
            SlipKind::Expected(what) => self.unexpected(what, source),
            SlipKind::Unclosed { next } => unclosed(self.at, next),
            SlipKind::Stray => problem(&error::STRAY, &format!("{found} closes nothing")).with_help(
                "remove it, or put the one that opens where it is missing; perhaps an earlier one closes too much",
            ),
            SlipKind::TooDeep => problem(&error::TOO_DEEP, &format!("nested more than {NESTING_LIMIT} levels deep"))
                .with_help("no game needs such terms; is a parenthesis doubled?"),
            SlipKind::Variable(what) => misplaced_variable(self.at, what, source),
            SlipKind::NoName => problem(&error::NO_NAME, &format!("expected a name behind `(`, found {found}"))
                .saying("expected a name")
                .with_help("the name of a relation or a function follows every `(`; is a parenthesis doubled?"),
            SlipKind::Connective(misuse) => misused_connective(self.at, misuse, &found),
            SlipKind::ConnectiveHead => problem(&error::CONNECTIVE, &format!("{found} cannot be the head of a clause"))
                .with_help("a clause gives one relation, such as `next`; conditions belong into the body of a rule"),
            SlipKind::NoBody => problem(&error::NO_BODY, &format!("{found} without a body behind it"))
                .with_help(format!("write the conditions, or leave out {found} for a fact")),
            SlipKind::NoHead => problem(&error::NO_BODY, &format!("{found} without a head before it"))
                .with_help("has the rule before it no body, or is a clause torn apart?"),
            SlipKind::FactGoesOn => problem(&error::UNEXPECTED, &format!("{found} behind a fact"))
                .with_help("only the body of a rule has several literals: is a `:-` missing?"),
            SlipKind::NotContinued(rule) => problem(&error::UNEXPECTED, &format!("expected a clause, found {found}"))
                .saying("expected a clause")
                .with_label(Span { start: rule.end, end: rule.end }, "the rule ends here")
                .with_help("if it belongs to the body of this rule, a `&` is missing before it"),
            SlipKind::PrefixClause => problem(&error::FOREIGN, "a clause of infix GDL does not begin with `(`")
                .with_help("write `role(white)` for `(role white)`"),
            SlipKind::Junk(junk) => error::junk(junk, source, self.at),
        }
    }

    fn unexpected(&self, what: &str, source: &Source) -> Diagnostic {
        let message = format!("expected {what}, found {}", found(source, self.at));
        let problem = Diagnostic::new(&error::UNEXPECTED, self.at, message).saying(format!("expected {what}"));
        let problem = match self.open {
            Some(open) => problem.with_label(open, format!("this {} is still open", found(source, open))),
            None => problem,
        };
        match source.slice(self.at) {
            "&" | "|" | "," | "~" => problem.with_help("is a part missing before it, or is it doubled?"),
            "." if self.open.is_some() => problem.with_help("a name with a dot in it is written in quotes: `'a.b'`"),
            sign if sign.starts_with(['+', '-']) => problem.with_help(error::NO_ARITHMETIC),
            _ => problem,
        }
    }
}

fn misused_connective(at: Span, misuse: Misuse, found: &str) -> Diagnostic {
    let (message, help) = match misuse {
        Misuse::NotTakesOne => {
            ("`not` takes one literal".into(), "write a `not` for each, or `(not (and …))` for not all of them")
        }
        Misuse::DistinctTakesTwo => {
            ("`distinct` takes two terms".into(), "that more terms differ takes a `distinct` for each two of them")
        }
        Misuse::Alone => (format!("{found} is no literal by itself"), "it stands in parentheses with what it joins"),
        Misuse::RuleInside => {
            ("a rule cannot stand inside of another clause".into(), "is a parenthesis missing before it?")
        }
    };
    Diagnostic::new(&error::CONNECTIVE, at, message).with_help(help)
}

fn unclosed(at: Span, next: Option<Span>) -> Diagnostic {
    let problem = Diagnostic::new(&error::UNCLOSED, at, "this parenthesis is never closed")
        .with_help("close it with `)` where what it opens ends");
    match next {
        Some(next) => problem.with_label(next, "the next clause begins here"),
        None => problem,
    }
}

fn misplaced_variable(at: Span, what: &str, source: &Source) -> Diagnostic {
    let text = source.slice(at);
    let message = format!("the variable {} stands where {what} is expected", found(source, at));
    let problem = Diagnostic::new(&error::VARIABLE, at, message).saying(format!("expected {what}"));
    let mut characters = text.chars();
    match characters.next() {
        _ if what == "a literal" => {
            problem.with_help(format!("a literal is a relation, such as `true` of {}", found(source, at)))
        }
        Some('?') => problem.with_help("only an argument can be a variable; a name has no `?`"),
        Some(first) if first.is_uppercase() => problem.with_help(format!(
            "a name begins with a lower-case letter: `{}{}`; if the capital matters, put it in quotes: `'{text}'`",
            first.to_lowercase(),
            characters.as_str()
        )),
        _ => problem.with_help("a name begins with a lower-case letter"),
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
