//! The grammar of trees in brackets, as nom parsers over the text, with exact probabilities, and the test trees that
//! `uniform(WIDTH,PLIES,SEED)` stands for.

use super::{Probability, TypedKind, TypedNode};
use crate::diagnostic::{Code, Diagnostic};
use crate::number::Decimal;
use crate::syntax::Span;
use crate::syntax::error::{TREE, TREE_CHANCE};
use nom::bytes::complete::{take_till, take_while, take_while1};
use nom::character::complete::{char, multispace1};
use nom::combinator::{opt, recognize};
use nom::error::{ErrorKind, ParseError};
use nom::multi::many0_count;
use nom::sequence::preceded;
use nom::{IResult, Parser};
use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// The greatest nesting, which every thread's stack can hold.
const DEEPEST: usize = 256;

/// A problem at a position, given by the length of the text that is left there.
#[derive(Clone, Debug)]
struct BracketFailure {
    code: &'static Code,
    /// The length of the text from the problem on.
    rest: usize,
    /// The length of the wrong part, in bytes.
    length: usize,
    problem: String,
}

/// Result of a parser. Every error is final: the first sign of a node decides its kind, so there are no alternatives.
type Read<'t, T> = IResult<&'t str, T, BracketFailure>;

impl ParseError<&str> for BracketFailure {
    fn from_error_kind(rest: &str, _: ErrorKind) -> Self {
        Self { code: &TREE, rest: rest.len(), length: first(rest), problem: "a tree cannot go on like this".into() }
    }

    fn append(_: &str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

/// Reads a whole text.
pub(super) fn read(text: &str) -> Result<TypedNode, Diagnostic> {
    let whole = || -> Read<'_, TypedNode> {
        let (rest, root) = BracketReader { total: text.len() }.node(blank(text)?.0, 0)?;
        let (rest, ()) = blank(rest)?;
        match rest.chars().next() {
            None => Ok((rest, root)),
            Some(sign @ (']' | ')')) => fail(rest, first(rest), format!("`{sign}` closes nothing")),
            Some(_) => fail(rest, first(rest), "the tree is complete before this"),
        }
    };
    match whole() {
        Ok((_, root)) => Ok(root),
        Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
            let start = text.len() - failure.rest;
            Err(Diagnostic::new(failure.code, Span::new(start, start + failure.length), failure.problem))
        }
        Err(nom::Err::Incomplete(_)) => unreachable!("the parsers are complete ones"),
    }
}

/// The length of the text, from which positions are computed.
#[derive(Clone, Copy)]
struct BracketReader {
    total: usize,
}

impl BracketReader {
    fn span(self, from: &str, to: &str) -> Span {
        Span::new(self.total - from.len(), self.total - to.len())
    }

    fn node<'t>(self, text: &'t str, depth: usize) -> Read<'t, TypedNode> {
        if depth > DEEPEST {
            return fail(text, first(text), format!("a tree is at most {DEEPEST} levels deep"));
        }
        let (after, name) = take_while(|letter: char| letter.is_ascii_alphabetic()).parse(text)?;
        let (rest, kind) = match (name, after.chars().next()) {
            ("uniform", Some('(')) => self.uniform(text, after)?,
            ("exp", Some('[')) => {
                let (rest, children) = self.children(after, depth)?;
                let weight = Probability::new(1, children.len() as u64).expect("there is a child");
                (rest, TypedKind::Chance(children.into_iter().map(|child| (weight, child)).collect()))
            }
            ("exp" | "", Some('(')) => self.parentheses(after, depth)?,
            (_, Some('[')) => {
                let (rest, children) = self.children(after, depth)?;
                let player = (!name.is_empty()).then(|| (name.to_string(), self.span(text, after)));
                (rest, TypedKind::Decision(player, children))
            }
            ("", None) => return fail(text, 0, "a node is missing: `[…]`, `(…)` or a number"),
            ("", Some(sign @ (']' | ')'))) => return fail(text, 1, format!("`{sign}` closes nothing")),
            ("", _) => number(text).map(|(rest, number)| (rest, TypedKind::End(vec![number])))?,
            _ => return fail(text, name.len(), format!("`{name}` is the name of a player, and `[` must follow it")),
        };
        Ok((rest, TypedNode { kind, span: self.span(text, rest) }))
    }

    /// Children in square brackets.
    fn children<'t>(self, open: &'t str, depth: usize) -> Read<'t, Vec<TypedNode>> {
        let mut rest = blank(&open[1..])?.0;
        let mut children = Vec::new();
        loop {
            match rest.chars().next() {
                None => return fail(open, 1, "this bracket is never closed"),
                Some(']') if children.is_empty() => {
                    let length = open.len() - rest.len() + 1;
                    return fail(open, length, "a node needs at least one child");
                }
                Some(']') => return Ok((&rest[1..], children)),
                Some(')') => return fail(rest, 1, "`)` where `]` closes the children"),
                Some(_) => {
                    let (after, child) = self.node(rest, depth + 1)?;
                    children.push(child);
                    rest = next_child(after)?;
                }
            }
        }
    }

    /// The content of parentheses: the utilities of an end, or a chance node.
    fn parentheses<'t>(self, open: &'t str, depth: usize) -> Read<'t, TypedKind> {
        let (inside, ()) = blank(&open[1..])?;
        if inside.starts_with(')') {
            return fail(open, open.len() - inside.len() + 1, "a node needs at least one child");
        }
        // The sign after the first number decides: a comma separates utilities, `:` or `/` belongs to a probability.
        let (after, ()) = blank(number(inside)?.0)?;
        match after.chars().next() {
            Some(',') => self.utilities(open, inside),
            Some(':' | '/') => self.chance(open, inside, depth),
            Some(')') => fail(open, open.len() - after.len() + 1, "one number is written without parentheses"),
            None => fail(open, 1, "this parenthesis is never closed"),
            Some(_) => fail(after, first(after), "`:` after a probability or `,` between utilities is missing"),
        }
    }

    fn utilities<'t>(self, open: &'t str, inside: &'t str) -> Read<'t, TypedKind> {
        let (mut rest, first_one) = number(inside)?;
        let mut utilities = vec![first_one];
        loop {
            (rest, _) = blank(rest)?;
            match rest.chars().next() {
                Some(')') => return Ok((&rest[1..], TypedKind::End(utilities))),
                Some(',') => {
                    let (after, next) = preceded(blank, number).parse(&rest[1..])?;
                    utilities.push(next);
                    rest = after;
                }
                None => return fail(open, 1, "this parenthesis is never closed"),
                Some(_) => return fail(rest, first(rest), "`,` or `)` is missing"),
            }
        }
    }

    fn chance<'t>(self, open: &'t str, inside: &'t str, depth: usize) -> Read<'t, TypedKind> {
        let mut rest = inside;
        let mut children = Vec::new();
        while !rest.starts_with(')') {
            if rest.is_empty() {
                return fail(open, 1, "this parenthesis is never closed");
            }
            let (after, weight) = weight(rest)?;
            let (after, ()) = blank(after)?;
            let Some(after) = after.strip_prefix(':') else {
                return fail(after, first(after), "`:` is missing after a probability");
            };
            let (after, child) = self.node(blank(after)?.0, depth + 1)?;
            children.push((weight, child));
            rest = next_child(after)?;
        }
        let rest = &rest[1..];
        let sum = children
            .iter()
            .map(|(weight, _)| *weight)
            .try_fold(Probability { numerator: 0, denominator: 1 }, Probability::plus);
        let length = open.len() - rest.len();
        match sum {
            Some(Probability { numerator: 1, denominator: 1 }) => Ok((rest, TypedKind::Chance(children))),
            Some(sum) => failure(&TREE_CHANCE, open, length, format!("the probabilities sum to {sum}, and not to 1")),
            None => failure(&TREE_CHANCE, open, length, "the probabilities have too large denominators"),
        }
    }

    /// A full tree with random utilities.
    fn uniform<'t>(self, text: &'t str, open: &'t str) -> Read<'t, TypedKind> {
        const FORM: &str = "a test tree is `uniform(WIDTH,PLIES)` or `uniform(WIDTH,PLIES,SEED)`";
        let Some(close) = open.find(')') else { return fail(open, 1, "this parenthesis is never closed") };
        let rest = &open[close + 1..];
        let length = text.len() - rest.len();
        let numbers: Option<Vec<u64>> = open[1..close].split(',').map(|number| number.trim().parse().ok()).collect();
        let (width, plies, seed) = match numbers.as_deref() {
            Some(&[width, plies]) => (width, plies, 0),
            Some(&[width, plies, seed]) => (width, plies, seed),
            _ => return fail(text, length, FORM),
        };
        if width == 0 || plies == 0 || plies > MOST_PLIES || uniform_ends(width, plies).is_none() {
            let most = MOST_ENDS;
            return fail(text, length, format!("a test tree has from 1 to {most} ends, and at most 200 plies"));
        }
        Ok((rest, uniform_tree(width, plies, seed, self.span(text, rest)).kind))
    }
}

/// A probability: a decimal number or a fraction, more than 0.
fn weight(text: &str) -> Read<'_, Probability> {
    let (rest, top) = number(text)?;
    let (rest, bottom) = opt(preceded((blank, char('/'), blank), number)).parse(rest)?;
    let parts = |number: Decimal| u64::try_from(number.millionths()).ok();
    let bottom = bottom.unwrap_or(Decimal::whole(1));
    let weight = parts(top).zip(parts(bottom)).and_then(|(top, bottom)| Probability::new(top, bottom));
    match weight.filter(|weight| weight.numerator > 0) {
        Some(weight) => Ok((rest, weight)),
        None => failure(&TREE_CHANCE, text, text.len() - rest.len(), "a probability is greater than 0"),
    }
}

fn number(text: &str) -> Read<'_, Decimal> {
    let digits = take_while1(|letter: char| letter.is_ascii_digit() || letter == '.');
    let Ok((rest, written)) = recognize((opt(char('-')), digits)).parse(text) as Read<'_, &str> else {
        return fail(text, first(text), "a number is missing");
    };
    match written.parse() {
        Ok(number) => Ok((rest, number)),
        Err(error) => fail(text, written.len(), format!("`{written}`: {error}")),
    }
}

/// Spaces, ends of lines and comments.
fn blank(text: &str) -> Read<'_, ()> {
    let comment = recognize((char('%'), take_till(|letter| letter == '\n')));
    many0_count(nom::branch::alt((multispace1, comment))).map(|_| ()).parse(text)
}

/// What follows a child: blanks, between children also a comma.
fn next_child(after: &str) -> Result<&str, nom::Err<BracketFailure>> {
    let (rest, ()) = blank(after)?;
    let Some(next) = rest.strip_prefix(',') else { return Ok(rest) };
    let (next, ()) = blank(next)?;
    match next.chars().next() {
        Some(']' | ')' | ',') => fail::<()>(rest, 1, "a node is missing after this comma").map(|(rest, ())| rest),
        _ => Ok(next),
    }
}

fn fail<T>(rest: &str, length: usize, problem: impl Into<String>) -> Read<'_, T> {
    failure(&TREE, rest, length, problem)
}

fn failure<'t, T>(code: &'static Code, rest: &'t str, length: usize, problem: impl Into<String>) -> Read<'t, T> {
    Err(nom::Err::Failure(BracketFailure { code, rest: rest.len(), length, problem: problem.into() }))
}

/// The length of the first sign or word.
fn first(text: &str) -> usize {
    let word = text.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(text.len());
    if word > 0 { word } else { text.chars().next().map_or(0, char::len_utf8) }
}

/// The greatest number of ends.
const MOST_ENDS: u64 = 200_000;
/// The greatest number of plies.
const MOST_PLIES: u64 = 200;

/// The number of ends of a tree; `None` if there are more than [`MOST_ENDS`].
fn uniform_ends(width: u64, plies: u64) -> Option<u64> {
    let plies = u32::try_from(plies).ok()?;
    width.checked_pow(plies).filter(|&ends| ends <= MOST_ENDS)
}

/// The tree of this width and number of plies; the same seed gives the same utilities, whole numbers from 0 to 100.
fn uniform_tree(width: u64, plies: u64, seed: u64, span: Span) -> TypedNode {
    grow(width, plies, &mut Xoshiro256PlusPlus::seed_from_u64(seed), span)
}

fn grow(width: u64, plies: u64, random: &mut Xoshiro256PlusPlus, span: Span) -> TypedNode {
    let kind = match plies.checked_sub(1) {
        None => {
            let utility = i32::try_from(random.next_u64() % 101).unwrap_or_default();
            TypedKind::End(vec![Decimal::whole(utility)])
        }
        Some(rest) => TypedKind::Decision(None, (0..width).map(|_| grow(width, rest, random, span)).collect()),
    };
    TypedNode { kind, span }
}
