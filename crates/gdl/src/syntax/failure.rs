//! Parse failures: errors found while parsing, small values while parsers try alternatives, and turned into a
//! [`Diagnostic`] at the end.

use super::characters::{capitalised, is_word_character};
use super::{Source, Span, error, foreign};
use crate::diagnostic::{Diagnostic, Fix, TextEdit};
use crate::number::to_u32;

/// The maximum nesting depth of terms and formulas; the elements of an infix list count, because each is nested in the
/// one before.
///
/// This is ten times the depth of the deepest public sheet. Everything that recurses over a tree of this depth fits
/// into the stack of a thread (2 MiB) with room to spare, also in a debug build, where the parser needs up to 3 KiB per
/// level.
pub const NESTING_LIMIT: u32 = 256;

/// A position at which parsing cannot continue, and the reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ParseFailure {
    /// The token that does not fit; empty at the end of the text.
    pub(crate) at: Span,
    /// The reason for which it does not fit.
    pub(crate) kind: ParseFailureKind,
    /// The innermost parenthesis that was still open.
    pub(crate) open: Option<Span>,
    /// The parentheses that were likely forgotten.
    pub(crate) missing: Option<MissingClose>,
}

/// Closing parentheses that were likely forgotten.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MissingClose {
    /// The offsets at which they are missing, in ascending order; equal ones for two at one place.
    pub(crate) places: [u32; 2],
    /// Their number: one, at the first place, or two.
    pub(crate) count: u8,
}

impl MissingClose {
    /// Advice to add them.
    fn advise(self, problem: Diagnostic) -> Diagnostic {
        let insert = |at, text: &str| TextEdit::new(Span { start: at, end: at }, text);
        let [first, second] = self.places;
        let (help, edits) = match self.count {
            1 => ("a `)` is missing here", vec![insert(first, ")")]),
            _ if first == second => ("two `)` are missing here", vec![insert(first, "))")]),
            _ => ("two `)` are missing", vec![insert(first, ")"), insert(second, ")")]),
        };
        problem.with_help(help).with_fix(Fix::guess(edits))
    }
}

/// The reason for which parsing cannot continue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ParseFailureKind {
    /// Something else was expected.
    Expected(&'static str),
    /// A parenthesis that is never closed.
    Unclosed {
        /// The first token of the next clause, if there is one.
        next: Option<Span>,
    },
    /// A parenthesis or bracket that closes nothing.
    Stray,
    /// Nesting beyond the limit.
    TooDeep,
    /// A variable where this is expected.
    Variable(&'static str),
    /// `()` or `((`.
    NoName {
        /// The parentheses that are written twice: the outer ones.
        doubled: Option<(Span, Span)>,
    },
    /// A single name in parentheses in place of a term of infix.
    ParenthesisedTerm,
    /// A logical connective that is used incorrectly.
    Connective(Misuse),
    /// A logical connective as the head of a clause.
    ConnectiveHead,
    /// `:-` with nothing after it.
    MissingBody,
    /// `:-` with nothing before it.
    NoHead,
    /// `&`, `|` or `,` at the end of a body.
    Dangling {
        /// The first token of the next clause, if there is one.
        next: Option<Span>,
    },
    /// A fact that stands where a literal of the rule before it would stand: a warning.
    LostAnd {
        /// The offset at which the rule ends.
        rule_end: u32,
    },
    /// `&`, `|` or `,` after which the last literal of a rule stands where a fact would stand: a warning.
    SwallowedFact {
        /// The literal.
        literal: Span,
    },
    /// `&`, `|` or `,` after a fact.
    FactGoesOn,
    /// A token that can only begin a literal, after a rule with this span that has ended.
    NotContinued(Span),
    /// `(` at the beginning of a clause of infix.
    PrefixClause,
    /// An effect of an operation that is neither an atom nor a negated atom.
    NoEffect,
    /// A piece of text that is not a token.
    Invalid(InvalidText),
}

/// The reason for which a piece of text is not a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum InvalidText {
    /// Bytes that are not UTF-8.
    NotText,
    /// A `?` without a name, or with another `?` after it.
    QuestionMark,
    /// A quote that is not closed in its line.
    OpenQuote,
    /// A quoted name that is empty, or contains a blank, a parenthesis or `;`, or begins with `?`.
    QuotedName,
    /// `?x` in infix.
    PrefixVariable,
    /// A sign that infix does not have.
    Sign,
}

/// Incorrect uses of logical connectives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Misuse {
    /// `not` with no formula or with several.
    NotTakesOne,
    /// `distinct` with more or fewer than two terms.
    DistinctTakesTwo,
    /// A logical connective without parentheses around it.
    Alone,
    /// `<=` inside a clause.
    RuleInside,
}

impl ParseFailure {
    /// A failure at this token.
    pub(crate) fn new(at: Span, kind: ParseFailureKind) -> Self {
        Self { at, kind, open: None, missing: None }
    }

    /// Records the enclosing parenthesis, unless a narrower one is recorded already.
    pub(crate) fn inside(self, open: Span) -> Self {
        Self { open: self.open.or(Some(open)), ..self }
    }

    /// The failure as a problem of a sheet.
    pub(crate) fn diagnostic(&self, source: &Source) -> Diagnostic {
        let found = found(source, self.at);
        let problem = |code, message: &str| Diagnostic::new(code, self.at, message);
        match self.kind {
            ParseFailureKind::Expected(what) => self.unexpected(what, source),
            ParseFailureKind::Unclosed { next } => {
                let problem = unclosed(self.at, next);
                self.missing.map_or(problem.clone(), |missing| missing.advise(problem))
            }
            ParseFailureKind::Stray => problem(&error::STRAY, &format!("{found} closes nothing"))
                .with_help("remove it, or add the missing opening one; perhaps an earlier one closes too much"),
            ParseFailureKind::TooDeep => {
                problem(&error::TOO_DEEP, &format!("nested more than {NESTING_LIMIT} levels deep"))
                    .with_help("no game needs such terms; is a parenthesis doubled?")
            }
            ParseFailureKind::Variable(what) => misplaced_variable(self.at, what, source),
            ParseFailureKind::NoName { doubled } => no_name(self.at, doubled, &found),
            ParseFailureKind::ParenthesisedTerm => parenthesised_term(self.at, source),
            ParseFailureKind::Connective(misuse) => misused_connective(self.at, misuse, &found),
            ParseFailureKind::ConnectiveHead => {
                problem(&error::CONNECTIVE, &format!("{found} cannot be the head of a clause"))
                    .with_help("a clause defines one relation, such as `next`; conditions belong in the body of a rule")
            }
            ParseFailureKind::MissingBody => problem(&error::NO_BODY, &format!("{found} without a body after it"))
                .with_help(format!("write the conditions, or leave out {found} for a fact")),
            ParseFailureKind::Dangling { next } => dangling(self.at, next, &found),
            ParseFailureKind::LostAnd { rule_end } => lost_and(self.at, rule_end, &found),
            ParseFailureKind::SwallowedFact { literal } => swallowed_fact(self.at, literal, source),
            ParseFailureKind::NoHead if is_comparison(source, self.at) => comparison(self.at),
            ParseFailureKind::NoHead => problem(&error::NO_BODY, &format!("{found} without a head before it"))
                .with_help("does the previous rule have no body, or is a clause split in two?"),
            ParseFailureKind::FactGoesOn => problem(&error::UNEXPECTED, &format!("{found} after a fact"))
                .with_help("only the body of a rule has several literals: is a `:-` missing?"),
            ParseFailureKind::NotContinued(rule) => {
                problem(&error::UNEXPECTED, &format!("expected a clause, found {found}"))
                    .saying("expected a clause")
                    .with_label(Span { start: rule.end, end: rule.end }, "the rule ends here")
                    .with_help("if it belongs to the body of this rule, a `&` is missing before it")
            }
            ParseFailureKind::PrefixClause => problem(&error::FOREIGN, "a clause of infix GDL does not begin with `(`")
                .with_help("write `role(white)` for `(role white)`"),
            ParseFailureKind::NoEffect => problem(&error::NO_EFFECT, &format!("{found} is no effect"))
                .with_help("an effect is a fact that is added, `~` before one that is taken away, or an action"),
            ParseFailureKind::Invalid(junk) => unreadable(junk, source, self.at),
        }
    }

    fn unexpected(&self, what: &str, source: &Source) -> Diagnostic {
        let message = format!("expected {what}, found {}", found(source, self.at));
        let problem = Diagnostic::new(&error::UNEXPECTED, self.at, message).saying(format!("expected {what}"));
        let problem = match self.open {
            Some(open) => problem.with_label(open, format!("this {} is still open", found(source, open))),
            None => problem,
        };
        if let Some(missing) = self.missing {
            return missing.advise(problem);
        }
        match source.slice(self.at) {
            "&" | "|" | "," | "~" => problem.with_help("is a part missing before it, or is it doubled?"),
            "==>" => problem.with_help("an operation has `::` after its action: `ACTION :: CONDITION ==> EFFECTS`"),
            "." if self.open.is_some() => problem.with_help("a name that contains a dot is written in quotes: `'a.b'`"),
            sign if sign.starts_with(['+', '-']) => problem.with_help(error::NO_ARITHMETIC),
            _ => problem,
        }
    }
}

fn misused_connective(at: Span, misuse: Misuse, found: &str) -> Diagnostic {
    let (message, help) = match misuse {
        Misuse::NotTakesOne => {
            ("`not` takes one literal".into(), "write a `not` for each, or `(not (and …))` if not all of them hold")
        }
        Misuse::DistinctTakesTwo => {
            ("`distinct` takes two terms".into(), "for more terms, write a `distinct` for each pair of them")
        }
        Misuse::Alone => {
            (format!("{found} is not a literal by itself"), "write it in parentheses together with its operands")
        }
        Misuse::RuleInside => ("a rule cannot be inside another clause".into(), "is a parenthesis missing before it?"),
    };
    Diagnostic::new(&error::CONNECTIVE, at, message).with_help(help)
}

fn unclosed(at: Span, next: Option<Span>) -> Diagnostic {
    let problem = Diagnostic::new(&error::UNCLOSED, at, "this parenthesis is never closed")
        .with_help("close it with `)` after its contents");
    match next {
        Some(next) => problem.with_label(next, "the next clause begins here"),
        None => problem,
    }
}

/// Nothing, or another parenthesis, after a `(` of prefix.
fn no_name(at: Span, doubled: Option<(Span, Span)>, found: &str) -> Diagnostic {
    let problem = Diagnostic::new(&error::NO_NAME, at, format!("expected a name after `(`, found {found}"))
        .saying("expected a name");
    match doubled {
        Some((open, close)) => problem
            .with_help("leave out the outer parentheses")
            .with_fix(Fix::guess([TextEdit::new(open, ""), TextEdit::new(close, "")])),
        None => problem
            .with_help("every `(` is followed by the name of a relation or a function; is a parenthesis doubled?"),
    }
}

/// `(rock)` where infix has the term `rock`.
fn parenthesised_term(at: Span, source: &Source) -> Diagnostic {
    let rest = &source.text()[at.start as usize..];
    let length = rest.find(')').map_or(1, |close| close + 1);
    let name = rest[..length].trim_matches(['(', ')']).trim();
    let span = Span { start: at.start, end: at.start + to_u32(length) };
    Diagnostic::new(&error::UNEXPECTED, span, "a term in parentheses of its own")
        .with_help(format!("write `{name}`: only arguments are in parentheses, after the name of their function"))
        .with_fix(Fix::guess([TextEdit::new(span, name)]))
}

/// `&`, `|` or `,` at the end of a body.
fn dangling(at: Span, next: Option<Span>, found: &str) -> Diagnostic {
    let problem = Diagnostic::new(&error::UNEXPECTED, at, format!("{found} without a literal after it"))
        .saying("expected a literal after it")
        .with_help("remove it, or add the literal that is missing")
        .with_fix(Fix::guess([TextEdit::new(at, "")]));
    match next {
        Some(next) => problem.with_label(next, "the next clause begins here"),
        None => problem,
    }
}

/// A fact that was likely meant to be a condition of the rule before it.
fn lost_and(at: Span, rule_end: u32, found: &str) -> Diagnostic {
    let end = Span { start: rule_end, end: rule_end };
    Diagnostic::new(&error::LOST_AND, at, format!("{found} is a fact, and not a condition of the rule before it"))
        .with_label(end, "the rule ends here")
        .with_help("if it is a condition of the rule, write `&` before it; if it is a fact, begin a line with it")
        .with_fix(Fix::guess([TextEdit::new(end, " &")]))
}

/// A sign that was likely left over, so that a fact is the last condition of a rule.
fn swallowed_fact(at: Span, literal: Span, source: &Source) -> Diagnostic {
    let sign = found(source, at);
    let fact = found(source, literal);
    Diagnostic::new(&error::SWALLOWED_FACT, at, format!("because of this {sign}, {fact} is a condition and not a fact"))
        .with_label(literal, "it stands where a fact would stand")
        .with_help(format!("if {fact} is a fact, remove the {sign}; if it is a condition, indent it"))
        .with_fix(Fix::guess([TextEdit::new(at, "")]))
}

/// True for a `<=` that does not begin a line and has something on both sides, as in `1 <= N`.
fn is_comparison(source: &Source, at: Span) -> bool {
    let before = &source.text()[..at.start as usize];
    source.slice(at) == "<="
        && !before.trim_end_matches([' ', '\t']).is_empty()
        && !before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r'])
}

/// `<=` between two terms.
fn comparison(at: Span) -> Diagnostic {
    Diagnostic::new(&error::FOREIGN, at, "`<=` does not compare numbers: it is read as `:-`").with_help(error::NO_ORDER)
}

/// A variable before `<=` or `is`, which are taken for arithmetic: the problem of the sign.
fn calculation(at: Span, source: &Source) -> Option<Diagnostic> {
    let after = &source.text()[at.end as usize..];
    let rest = after.trim_start_matches([' ', '\t']);
    let start = at.end + to_u32(after.len() - rest.len());
    let sign = Span { start, end: start + 2 };
    if rest.starts_with("<=") {
        return Some(comparison(sign));
    }
    let is_word = rest.strip_prefix("is").is_some_and(|rest| !rest.starts_with(is_word_character));
    is_word.then(|| {
        Diagnostic::new(&error::FOREIGN, sign, "`is` has no meaning in infix GDL").with_help(error::NO_ARITHMETIC)
    })
}

fn misplaced_variable(at: Span, what: &str, source: &Source) -> Diagnostic {
    let text = source.slice(at);
    if what == "a literal"
        && let Some(problem) = calculation(at, source)
    {
        return problem;
    }
    let message = format!("the variable {} is used where {what} is expected", found(source, at));
    let problem = Diagnostic::new(&error::VARIABLE, at, message).saying(format!("expected {what}"));
    let mut characters = text.chars();
    match characters.next() {
        _ if what == "a literal" => {
            problem.with_help(format!("a literal is a relation, such as `true` of {}", found(source, at)))
        }
        Some('?') => problem.with_help("only an argument can be a variable; a name has no `?`"),
        Some(first) if first.is_uppercase() => {
            let is_loud = text.chars().all(|c| !c.is_lowercase());
            let rest = characters.as_str();
            let rest = if is_loud { rest.to_lowercase() } else { rest.to_string() };
            let name = format!("{}{rest}", first.to_lowercase());
            problem
                .with_help(format!(
                    "a name begins with a lower-case letter: write `{name}`; if the capital matters, put it in quotes: `'{text}'`"
                ))
                .with_fix(Fix::guess([TextEdit::new(at, name)]))
        }
        _ => problem.with_help("a name begins with a lower-case letter"),
    }
}

/// The way in which a message names the text at a span.
fn found(source: &Source, at: Span) -> String {
    const LONGEST: usize = 40;
    let text = source.slice(at);
    match text.char_indices().nth(LONGEST) {
        _ if text.is_empty() => "the end of the text".into(),
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}

/// The problem of a piece of text that is not a token.
fn unreadable(junk: InvalidText, source: &Source, at: Span) -> Diagnostic {
    let text = source.slice(at);
    match junk {
        InvalidText::NotText => not_text(at),
        InvalidText::QuestionMark => {
            Diagnostic::new(&error::UNREADABLE_NAME, at, "a `?` without the name of a variable after it")
                .with_help("write `?x`")
        }
        InvalidText::OpenQuote => Diagnostic::new(&error::UNREADABLE_NAME, at, "this quote is not closed in its line")
            .with_help("close it with `'`; a quote inside a name is written twice"),
        InvalidText::QuotedName => Diagnostic::new(&error::UNREADABLE_NAME, at, format!("{text} is not a name"))
            .with_help("a name is not empty, contains no blank, parenthesis or `;`, and does not begin with `?`"),
        InvalidText::PrefixVariable => {
            Diagnostic::new(&error::FOREIGN, at, format!("`{text}` is a variable of prefix GDL"))
                .with_help(format!(
                    "in infix a variable begins with an upper-case letter: write `{}`",
                    infix_variable(text)
                ))
                .with_fix(Fix::sound([TextEdit::new(at, infix_variable(text))]))
        }
        InvalidText::Sign => foreign::unknown(source, at),
    }
}

fn not_text(at: Span) -> Diagnostic {
    Diagnostic::new(&error::NOT_TEXT, at, "bytes that are not UTF-8 text").with_help("save the file as UTF-8")
}

/// A variable of prefix GDL as it is written in infix.
fn infix_variable(text: &str) -> String {
    capitalised(text.trim_start_matches('?'))
}
