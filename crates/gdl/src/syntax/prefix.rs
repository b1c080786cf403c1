//! The grammar of prefix GDL (KIF), as nom parsers over tokens.
//!
//! ```text
//! sheet   = { clause }
//! clause  = "(" "<=" head { formula } ")" | head
//! head    = atom
//! atom    = name | "(" name { term } ")"
//! formula = "(" "not" formula ")" | "(" "and" { formula } ")" | "(" "or" { formula } ")"
//!         | "(" "distinct" term term ")" | atom
//! term    = variable | name | "(" name { term } ")"
//! ```
//!
//! `not`, `and`, `or`, `distinct` and `<=` are recognised in any case, and only where a formula is expected; but `<=`
//! is never the name of a function, so that `(<=` always begins a rule.

mod groups;
mod lexer;

pub(crate) use groups::sheet;
pub(crate) use lexer::lex;

use super::ast::{Formula, ParsedAtom, ParsedClause, Term};
use super::failure::{Misuse, ParseFailureKind};
use super::token::{Logic, TokenKind, TokenResult, Tokens, any_name, parenthesised, token, variable};
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;
use nom::multi::many0;

/// Parses one fact or rule.
pub(crate) fn clause(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    match (input.peek(0), input.peek(1)) {
        (Some(TokenKind::Open), Some(TokenKind::Logic(Logic::Implied))) => rule(input),
        _ => map(head, |head| ParsedClause { span: head.span, head, body: None }).parse(input),
    }
}

fn rule(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, ((_, head, body), span)) = parenthesised((any_name, head, many0(formula))).parse(input)?;
    Ok((rest, ParsedClause { head, body: Some(body), span }))
}

fn head(input: Tokens<'_>) -> TokenResult<'_, ParsedAtom> {
    match (input.peek(0), input.peek(1)) {
        (Some(TokenKind::Logic(_)), _) => input.fail(ParseFailureKind::ConnectiveHead),
        (Some(TokenKind::Open), Some(TokenKind::Logic(_))) => {
            let (rest, _) = token(TokenKind::Open, "`(`").parse(input)?;
            rest.fail(ParseFailureKind::ConnectiveHead)
        }
        (Some(TokenKind::Close), _) => input.fail(ParseFailureKind::Expected("the head of a rule")),
        (Some(TokenKind::Variable), _) => input.fail(ParseFailureKind::Variable("a relation")),
        _ => atom(input),
    }
}

/// Parses a relation applied to terms, or a proposition.
fn atom(input: Tokens<'_>) -> TokenResult<'_, ParsedAtom> {
    match input.peek(0) {
        Some(TokenKind::Word) => map(any_name, |relation| ParsedAtom {
            span: relation.span,
            relation,
            arguments: Vec::new(),
            parenthesised: false,
        })
        .parse(input),
        Some(TokenKind::Open) => map(parenthesised((applied, many0(term))), |((relation, arguments), span)| {
            ParsedAtom { relation, parenthesised: arguments.is_empty(), arguments, span }
        })
        .parse(input),
        Some(TokenKind::Variable) => input.fail(ParseFailureKind::Variable("a literal")),
        Some(TokenKind::Close) | None => input.miss(ParseFailureKind::Expected("a literal")),
        Some(_) => input.fail(ParseFailureKind::Expected("a literal")),
    }
}

/// Parses the name after a `(`.
fn applied(input: Tokens<'_>) -> TokenResult<'_, super::ast::Name> {
    match input.peek(0) {
        Some(TokenKind::Variable) => input.fail(ParseFailureKind::Variable("the name of a relation or a function")),
        Some(TokenKind::Open | TokenKind::Close) => input.fail(ParseFailureKind::NoName),
        Some(TokenKind::Logic(Logic::Implied)) => input.fail(ParseFailureKind::Connective(Misuse::RuleInside)),
        _ => any_name(input),
    }
}

/// Parses a part of a body.
pub(crate) fn formula(input: Tokens<'_>) -> TokenResult<'_, Formula> {
    match (input.peek(0), input.peek(1)) {
        (Some(TokenKind::Open), Some(TokenKind::Logic(logic))) => connective(logic, input),
        (Some(TokenKind::Logic(_)), _) => input.fail(ParseFailureKind::Connective(Misuse::Alone)),
        _ => map(atom, Formula::Atom).parse(input),
    }
}

fn connective(logic: Logic, input: Tokens<'_>) -> TokenResult<'_, Formula> {
    match logic {
        Logic::Not => map(parenthesised((any_name, operand)), |((_, formula), span)| Formula::Not {
            formula: Box::new(formula),
            span,
        })
        .parse(input),
        Logic::And => {
            map(parenthesised((any_name, many0(formula))), |((_, formulas), span)| Formula::And { formulas, span })
                .parse(input)
        }
        Logic::Or => {
            map(parenthesised((any_name, many0(formula))), |((_, formulas), span)| Formula::Or { formulas, span })
                .parse(input)
        }
        Logic::Distinct => map(parenthesised((any_name, two_terms)), |((_, (left, right)), span)| Formula::Distinct {
            left,
            right,
            span,
        })
        .parse(input),
        Logic::Implied => {
            let (rest, _) = token(TokenKind::Open, "`(`").parse(input)?;
            rest.fail(ParseFailureKind::Connective(Misuse::RuleInside))
        }
    }
}

/// Parses the one formula of `not`.
fn operand(input: Tokens<'_>) -> TokenResult<'_, Formula> {
    const ONE: ParseFailureKind = ParseFailureKind::Connective(Misuse::NotTakesOne);
    if input.peek(0) == Some(TokenKind::Close) {
        return input.fail(ONE);
    }
    let (rest, operand) = formula(input)?;
    if rest.peek(0) == Some(TokenKind::Close) { Ok((rest, operand)) } else { rest.fail(ONE) }
}

/// Parses the two terms of `distinct`.
fn two_terms(input: Tokens<'_>) -> TokenResult<'_, (Term, Term)> {
    let (rest, mut terms) = many0(term).parse(input)?;
    match (terms.pop(), terms.pop(), terms.pop()) {
        (Some(right), Some(left), None) => Ok((rest, (left, right))),
        _ => input.fail(ParseFailureKind::Connective(Misuse::DistinctTakesTwo)),
    }
}

pub(crate) fn term(input: Tokens<'_>) -> TokenResult<'_, Term> {
    match input.peek(0) {
        Some(TokenKind::Open) => map(parenthesised((applied, many0(term))), |((functor, arguments), span)| {
            Term::Compound { functor, arguments, span }
        })
        .parse(input),
        Some(TokenKind::Invalid(_)) => input.fail(ParseFailureKind::Expected("a term")),
        _ => alt((map(variable, Term::Variable), map(any_name, Term::Symbol), expected_term)).parse(input),
    }
}

fn expected_term(input: Tokens<'_>) -> TokenResult<'_, Term> {
    input.miss(ParseFailureKind::Expected("a term"))
}

/// Parses all formulas of a conjunction typed at a prompt.
pub(crate) fn conjunction(input: Tokens<'_>) -> TokenResult<'_, Vec<Formula>> {
    many0(formula).parse(input)
}

/// Parses terms in a row.
pub(crate) fn terms(input: Tokens<'_>) -> TokenResult<'_, Vec<Term>> {
    many0(term).parse(input)
}
