//! The grammar of infix GDL (HRF), as nom parsers over tokens.
//!
//! ```text
//! sheet       = { clause [ "." ] }
//! clause      = atom [ ":-" body ]
//! body        = "(" ")" | disjunction
//! disjunction = conjunction { "|" conjunction }
//! conjunction = literal { ( "&" | "," ) literal }
//! literal     = ( "~" | "not" ) literal | "(" disjunction ")" | ( "and" | "or" ) "(" [ operand { "," operand } ] ")"
//!             | "distinct" "(" term "," term ")" | atom
//! operand     = disjunction, without "," for "&" outside of parentheses
//! atom        = name [ "(" [ term { "," term } ] ")" ]
//! term        = variable | name [ "(" [ term { "," term } ] ")" ] | "[" [ term { "," term } ] "]"
//! ```
//!
//! `<=` is read as `:-`. `p :- ()` is a rule without a body, which otherwise only prefix can express. A conjunction in
//! parentheses of its own stays one formula. `[a,b]` is `cons(a,cons(b,nil))`.

use super::Span;
use super::ast::{Formula, ParsedAtom, ParsedClause, Term, list_term};
use super::characters::{bare_length, begins_variable, is_name, is_name_character, is_word_character, run_length};
use super::failure::{InvalidText, Misuse, NESTING_LIMIT, ParseFailure, ParseFailureKind};
use super::foreign::{self, ForeignSign, Meaning};
use super::infix_layout as layout;
use super::token::{
    Logic, Scanner, TokenKind, TokenList, TokenResult, Tokens, any_name, deeper, parenthesised, token, variable,
};
use super::unclosed::ClauseParser;
use crate::limits::{Poll, Stop};
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::combinator::{cut, map, opt, value};
use nom::multi::{separated_list0, separated_list1};
use nom::{IResult, Parser};

/// The sign of an operation at the beginning of the text, with its length.
fn operation_sign(text: &str) -> Option<(usize, TokenKind)> {
    const SIGNS: [(&str, TokenKind); 2] = [("::", TokenKind::DoubleColon), ("==>", TokenKind::LongArrow)];
    SIGNS.into_iter().find(|(sign, _)| text.starts_with(sign)).map(|(sign, kind)| (sign.len(), kind))
}

/// The tokens of a text. Linear in its length. `has_operations` is true for the dialect with operations, whose signs
/// infix does not have.
pub(crate) fn lex(text: &str, has_operations: bool) -> TokenList {
    let mut scanner = Scanner::new(text);
    while scanner.next_token('%') {
        let rest = scanner.rest();
        let bare = bare_length(rest);
        if bare > 0 {
            let (text, span) = scanner.take(bare);
            scanner.lexed.push_word(text, span);
        } else if rest.starts_with(begins_variable) {
            let (text, span) = scanner.take(run_length(rest, is_word_character));
            scanner.lexed.push_variable(text, span);
        } else if let Some((length, kind)) = operation_sign(rest).filter(|_| has_operations) {
            let (_, span) = scanner.take(length);
            scanner.lexed.push(kind, span);
        } else if let Some(sign) = foreign::recognise(rest, scanner.before()) {
            lex_foreign(&mut scanner, &sign);
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
        // `<=>` is a sign of another language and is reported as a whole.
        value(TokenKind::Neck, (tag("<="), nom::combinator::not(tag(">")))),
    ))
    .parse(text)
}

/// Reads a name in quotes; a quote in it is written twice.
fn lex_quoted(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    let mut length = 1;
    let closed = loop {
        // A quoted name ends with its line, so that a missing quote costs one line.
        let run = run_length(&rest[length..], |c| !matches!(c, '\'' | '\n' | '\r'));
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
    } else if is_name(&name) {
        scanner.lexed.push_word(&name, span);
    } else {
        scanner.lexed.push(TokenKind::Invalid(InvalidText::QuotedName), span);
    }
}

/// Reads a sign or a comment of another language, and records it for a message.
fn lex_foreign(scanner: &mut Scanner<'_>, sign: &ForeignSign) {
    let (_, span) = scanner.take(sign.length);
    scanner.lexed.foreign.push((span, sign.meaning));
    match sign.meaning {
        Meaning::Comment => {}
        Meaning::And => scanner.lexed.push(TokenKind::Ampersand, span),
        Meaning::Or => scanner.lexed.push(TokenKind::Bar, span),
        Meaning::Not => scanner.lexed.push(TokenKind::Tilde, span),
        Meaning::If => scanner.lexed.push(TokenKind::Neck, span),
    }
    scanner.take(sign.skipped - sign.length);
}

/// Reads a piece of text that infix does not have: as much as looks like one thing.
fn lex_junk(scanner: &mut Scanner<'_>) {
    let rest = scanner.rest();
    if let Some(name) = rest.strip_prefix('?') {
        let (_, span) = scanner.take(1 + run_length(name, is_word_character));
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::PrefixVariable), span);
    }
    if rest.starts_with('\u{fffd}') {
        let (_, span) = scanner.take(run_length(rest, |c| c == '\u{fffd}'));
        return scanner.lexed.push(TokenKind::Invalid(InvalidText::NotText), span);
    }
    // A logical sign may stand next to another one.
    let run = run_length(rest, |c| is_strange(c) && !matches!(c, '∧' | '∨' | '¬'));
    let one = rest.chars().next().map_or(0, char::len_utf8);
    // At least one character is taken, so that the lexer advances.
    let (_, span) = scanner.take(run.max(one));
    scanner.lexed.push(TokenKind::Invalid(InvalidText::Sign), span);
}

/// True for a character that is no token of infix by itself.
fn is_strange(c: char) -> bool {
    is_name_character(c)
        && !is_word_character(c)
        && !matches!(c, ',' | '&' | '|' | '~' | '[' | ']' | '.' | '\'' | '?' | '%' | '\u{fffd}')
}

/// Parses one fact or rule, without a full stop.
pub(crate) fn clause(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, head) = head(input)?;
    fact_or_rule(head, rest)
}

/// Parses what follows the head of a fact or rule.
pub(super) fn fact_or_rule(head: ParsedAtom, input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, body) = opt(body).parse(input)?;
    let (body, span) = match body {
        Some((body, end)) => (Some(body), head.span.to(end)),
        None => (None, head.span),
    };
    Ok((rest, ParsedClause { head, body, effects: None, span }))
}

pub(super) fn head(input: Tokens<'_>) -> TokenResult<'_, ParsedAtom> {
    match input.peek(0) {
        Some(TokenKind::Logic(_)) => input.fail(ParseFailureKind::ConnectiveHead),
        Some(TokenKind::Variable) => input.fail(ParseFailureKind::Variable("a relation")),
        Some(TokenKind::Neck) => input.fail(ParseFailureKind::NoHead),
        Some(TokenKind::Close | TokenKind::CloseBracket) => input.fail(ParseFailureKind::Stray),
        Some(TokenKind::Open) => input.fail(ParseFailureKind::PrefixClause),
        Some(TokenKind::Word) => atom(input),
        _ => input.fail(ParseFailureKind::Expected("a clause")),
    }
}

/// Parses `:-` and the body; also returns the span of its last formula.
fn body(input: Tokens<'_>) -> TokenResult<'_, (Vec<Formula>, Span)> {
    let (rest, _) = token(TokenKind::Neck, "`:-`").parse(input)?;
    if (rest.peek(0), rest.peek(1)) == (Some(TokenKind::Open), Some(TokenKind::Close)) {
        let nothing = |input| Ok((input, ()));
        return map(parenthesised(nothing), |((), span)| (Vec::new(), span)).parse(rest);
    }
    if matches!(rest.peek(0), None | Some(TokenKind::Stop)) {
        return Err(nom::Err::Failure(ParseFailure::new(input.next_span(), ParseFailureKind::MissingBody)));
    }
    conjuncts(rest)
}

/// Parses a disjunction as a list of conjuncts: the disjunction itself, unless it is a conjunction without parentheses.
pub(super) fn conjuncts(input: Tokens<'_>) -> TokenResult<'_, (Vec<Formula>, Span)> {
    let (rest, mut alternatives) = disjunction(input, conjunction_with_commas)?;
    let span = alternatives_span(&alternatives);
    let formulas = if alternatives.len() == 1 { alternatives.remove(0) } else { vec![join(alternatives, span)] };
    Ok((rest, (formulas, span)))
}

fn disjunction<'t>(
    input: Tokens<'t>,
    conjunction: fn(Tokens<'t>) -> TokenResult<'t, Vec<Formula>>,
) -> TokenResult<'t, Vec<Vec<Formula>>> {
    separated_list1(token(TokenKind::Bar, "`|`"), cut(conjunction)).parse(input)
}

fn conjunction_with_commas(input: Tokens<'_>) -> TokenResult<'_, Vec<Formula>> {
    let and = alt((token(TokenKind::Ampersand, "`&`"), token(TokenKind::Comma, "`,`")));
    separated_list1(and, cut(literal)).parse(input)
}

fn conjunction_without_commas(input: Tokens<'_>) -> TokenResult<'_, Vec<Formula>> {
    separated_list1(token(TokenKind::Ampersand, "`&`"), cut(literal)).parse(input)
}

/// A disjunction as one formula, with this span if it has more than one literal.
fn join(mut alternatives: Vec<Vec<Formula>>, span: Span) -> Formula {
    if alternatives.len() == 1 {
        return join_conjuncts(alternatives.remove(0), span);
    }
    let formulas = alternatives.into_iter().map(|conjuncts| {
        let span = conjuncts_span(&conjuncts);
        join_conjuncts(conjuncts, span)
    });
    Formula::Or { formulas: formulas.collect(), span }
}

fn join_conjuncts(mut conjuncts: Vec<Formula>, span: Span) -> Formula {
    if conjuncts.len() == 1 { conjuncts.remove(0) } else { Formula::And { formulas: conjuncts, span } }
}

fn conjuncts_span(conjuncts: &[Formula]) -> Span {
    conjuncts.iter().map(Formula::span).reduce(Span::to).unwrap_or_default()
}

fn alternatives_span(alternatives: &[Vec<Formula>]) -> Span {
    alternatives.iter().map(|conjuncts| conjuncts_span(conjuncts)).reduce(Span::to).unwrap_or_default()
}

fn literal(input: Tokens<'_>) -> TokenResult<'_, Formula> {
    match input.peek(0) {
        Some(TokenKind::Tilde) => map((token(TokenKind::Tilde, "`~`"), cut(deeper(literal))), |(sign, formula)| {
            Formula::Not { span: sign.to(formula.span()), formula: Box::new(formula) }
        })
        .parse(input),
        Some(TokenKind::Logic(logic)) => connective(logic, input),
        Some(TokenKind::Open) => {
            map(parenthesised(|input| disjunction(input, conjunction_with_commas)), |(inner, span)| join(inner, span))
                .parse(input)
        }
        Some(TokenKind::Variable) => match input.peek(1) {
            Some(TokenKind::Open) => input.fail(ParseFailureKind::Variable("a relation")),
            // `X != Y`: the sign is the problem.
            Some(TokenKind::Invalid(_)) => variable(input)?.0.fail(ParseFailureKind::Expected("a literal")),
            _ => input.fail(ParseFailureKind::Variable("a literal")),
        },
        Some(TokenKind::Word) => map(atom, Formula::Atom).parse(input),
        _ => input.miss(ParseFailureKind::Expected("a literal")),
    }
}

fn connective(logic: Logic, input: Tokens<'_>) -> TokenResult<'_, Formula> {
    match logic {
        Logic::Not => map((any_name, cut(deeper(literal))), |(sign, formula)| Formula::Not {
            span: sign.span.to(formula.span()),
            formula: Box::new(formula),
        })
        .parse(input),
        Logic::And => map((any_name, cut(parenthesised(operands))), |(name, (formulas, span))| Formula::And {
            formulas,
            span: name.span.to(span),
        })
        .parse(input),
        Logic::Or => map((any_name, cut(parenthesised(operands))), |(name, (formulas, span))| Formula::Or {
            formulas,
            span: name.span.to(span),
        })
        .parse(input),
        Logic::Distinct => map((any_name, cut(parenthesised(two_terms))), |(name, ((left, right), span))| {
            Formula::Distinct { left, right, span: name.span.to(span) }
        })
        .parse(input),
        Logic::Implied => input.fail(ParseFailureKind::Expected("a literal")),
    }
}

/// Parses the operands of `and(…)` and `or(…)`.
fn operands(input: Tokens<'_>) -> TokenResult<'_, Vec<Formula>> {
    if input.peek(0) == Some(TokenKind::Close) {
        return Ok((input, Vec::new()));
    }
    let operand = map(
        |input| disjunction(input, conjunction_without_commas),
        |alternatives: Vec<Vec<Formula>>| {
            let span = alternatives_span(&alternatives);
            join(alternatives, span)
        },
    );
    separated_list1(token(TokenKind::Comma, "`,`"), cut(operand)).parse(input)
}

/// Parses the two terms of `distinct`.
fn two_terms(input: Tokens<'_>) -> TokenResult<'_, (Term, Term)> {
    let (rest, mut terms) = terms_with_commas(input)?;
    match (terms.pop(), terms.pop(), terms.pop(), rest.peek(0)) {
        (Some(right), Some(left), None, _) => Ok((rest, (left, right))),
        (.., Some(TokenKind::Close)) => input.fail(ParseFailureKind::Connective(Misuse::DistinctTakesTwo)),
        _ => rest.fail(ParseFailureKind::Expected("`,` or `)`")),
    }
}

/// Parses a relation applied to terms, or a proposition.
fn atom(input: Tokens<'_>) -> TokenResult<'_, ParsedAtom> {
    let (rest, (relation, arguments)) = (any_name, opt(arguments)).parse(input)?;
    let span = arguments.as_ref().map_or(relation.span, |(_, parentheses)| relation.span.to(*parentheses));
    let parenthesised = arguments.as_ref().is_some_and(|(terms, _)| terms.is_empty());
    let arguments = arguments.map(|(terms, _)| terms).unwrap_or_default();
    Ok((rest, ParsedAtom { relation, arguments, parenthesised, span }))
}

fn arguments(input: Tokens<'_>) -> TokenResult<'_, (Vec<Term>, Span)> {
    parenthesised(closed_terms).parse(input)
}

/// Parses terms up to a `)`.
fn closed_terms(input: Tokens<'_>) -> TokenResult<'_, Vec<Term>> {
    let (rest, terms) = terms_with_commas(input)?;
    match rest.peek(0) {
        Some(TokenKind::Close) => Ok((rest, terms)),
        _ if terms.is_empty() => rest.fail(ParseFailureKind::Expected("a term")),
        _ => rest.fail(ParseFailureKind::Expected("`,` or `)`")),
    }
}

fn terms_with_commas(input: Tokens<'_>) -> TokenResult<'_, Vec<Term>> {
    if matches!(input.peek(0), Some(TokenKind::Close | TokenKind::CloseBracket)) {
        return Ok((input, Vec::new()));
    }
    separated_list0(token(TokenKind::Comma, "`,`"), cut(term)).parse(input)
}

pub(crate) fn term(input: Tokens<'_>) -> TokenResult<'_, Term> {
    match input.peek(0) {
        Some(TokenKind::Variable) => map(variable, Term::Variable).parse(input),
        Some(TokenKind::Word | TokenKind::Logic(_)) => applied(input),
        Some(TokenKind::OpenBracket) => bracket_list(input),
        Some(TokenKind::Open) if input.peek(2) == Some(TokenKind::Close) => {
            input.fail(ParseFailureKind::ParenthesisedTerm)
        }
        _ => input.miss(ParseFailureKind::Expected("a term")),
    }
}

fn applied(input: Tokens<'_>) -> TokenResult<'_, Term> {
    let (rest, (functor, arguments)) = (any_name, opt(arguments)).parse(input)?;
    let term = match arguments {
        None => Term::Symbol(functor),
        // Prefix could not write it: there `(<=` begins a rule.
        Some(_) if input.peek(0) == Some(TokenKind::Logic(Logic::Implied)) => {
            return input.fail(ParseFailureKind::Connective(Misuse::RuleInside));
        }
        Some((arguments, parentheses)) => Term::Compound { span: functor.span.to(parentheses), functor, arguments },
    };
    Ok((rest, term))
}

/// Parses `[a,b]`, read as `cons(a,cons(b,nil))`. The nesting depth of a list is its length.
fn bracket_list(input: Tokens<'_>) -> TokenResult<'_, Term> {
    let (rest, (terms, span)) = bracketed(input)?;
    if terms.len() as u64 + u64::from(input.depth()) > u64::from(NESTING_LIMIT) {
        return input.fail(ParseFailureKind::TooDeep);
    }
    Ok((rest, list_term(terms, span)))
}

/// Parses the terms between brackets.
fn bracketed(input: Tokens<'_>) -> TokenResult<'_, (Vec<Term>, Span)> {
    let (rest, open) = token(TokenKind::OpenBracket, "`[`").parse(input)?;
    let inside = (deeper(terms_with_commas), token(TokenKind::CloseBracket, "`,` or `]`"));
    let (rest, (terms, close)) =
        cut(inside).parse(rest).map_err(|error| error.map(|failure: ParseFailure| failure.inside(open)))?;
    Ok((rest, (terms, open.to(close))))
}

/// Parses a conjunction typed at a prompt, with or without a full stop.
pub(crate) fn conjunction(input: Tokens<'_>) -> TokenResult<'_, Vec<Formula>> {
    let (rest, (formulas, _)) = conjuncts(input)?;
    let (rest, _) = opt(token(TokenKind::Stop, "`.`")).parse(rest)?;
    Ok((rest, formulas))
}

/// Parses terms in a row, with or without commas between them; or all of them in one pair of brackets.
pub(crate) fn terms(input: Tokens<'_>) -> TokenResult<'_, Vec<Term>> {
    if let Ok((rest, (terms, _))) = bracketed(input)
        && rest.len() == 0
    {
        return Ok((rest, terms));
    }
    let comma = opt(token(TokenKind::Comma, "`,`"));
    map(nom::multi::many0((term, comma)), |terms| terms.into_iter().map(|(term, _)| term).collect()).parse(input)
}

/// Parses all clauses of a sheet; returns those that could be parsed, and passes every failure to `report`.
///
/// A clause ends at the first token that does not continue it. After an error, parsing resumes after the next full stop
/// that is followed by a blank, or at the next line that begins with a name no further to the right than the clause
/// that could not be parsed. Linear in the tokens: parsing resumes after the token that did not fit, never before it.
pub(crate) fn sheet(
    lexed: &TokenList,
    clause: ClauseParser,
    mut report: impl FnMut(ParseFailure),
    poll: &Poll<'_>,
) -> Result<Vec<ParsedClause>, Stop> {
    let count = lexed.tokens.len();
    let mut clauses: Vec<ParsedClause> = Vec::new();
    let mut at = 0;
    // Whether the last clause ends right before `at` only because nothing continues it.
    let mut open_ended = false;
    // The column of the last rule, if what follows may have been meant to belong to its body.
    let mut rule = None;
    while at < count {
        let start = at;
        match clause(Tokens::new(lexed, at..count)) {
            Ok((rest, clause)) => {
                if matches!(rest.peek(0), Some(TokenKind::Neck | TokenKind::DoubleColon))
                    && let Some(head) = layout::swallowed_head(lexed, start, count - rest.len())
                {
                    let next = Some(lexed.tokens[head].span);
                    report(ParseFailure::new(lexed.tokens[head - 1].span, ParseFailureKind::Dangling { next }));
                    (at, open_ended, rule) = (head, false, None);
                    continue;
                }
                let goes_on = clause.body.is_some() || clause.effects.is_some();
                if goes_on && let Some(fact) = layout::swallowed_fact(lexed, start, count - rest.len()) {
                    let literal = Span { end: clause.span.end, ..lexed.tokens[fact].span };
                    let kind = ParseFailureKind::SwallowedFact { literal };
                    report(ParseFailure::new(lexed.tokens[fact - 1].span, kind));
                }
                if goes_on {
                    rule = layout::column(lexed, start);
                } else if let (Some(column), true, Some(before)) = (rule, open_ended, clauses.last())
                    && layout::continues_line(lexed, start, column)
                {
                    let kind = ParseFailureKind::LostAnd { rule_end: before.span.end };
                    report(ParseFailure::new(clause.head.span, kind));
                } else {
                    rule = None;
                }
                open_ended = rest.peek(0) != Some(TokenKind::Stop);
                at = count - rest.len() + usize::from(!open_ended);
                if clause.nesting() > NESTING_LIMIT as usize {
                    report(ParseFailure::new(clause.head.span, ParseFailureKind::TooDeep));
                } else {
                    clauses.push(clause);
                }
            }
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
                let error = lexed.index_at(failure.at.start);
                let before = if open_ended && error == at { clauses.last() } else { None };
                let failure = before.map_or(failure, |clause| as_continuation(clause, lexed, at, failure));
                report(layout::explained(lexed, at, error, failure));
                at = resume(lexed, at, error);
                (open_ended, rule) = (false, None);
            }
            Err(nom::Err::Incomplete(_)) => break,
        }
        poll.steps(at - start)?;
    }
    Ok(clauses)
}

/// The failure for a token that does not begin a clause, right after one that its author may have meant to continue.
fn as_continuation(before: &ParsedClause, lexed: &TokenList, at: usize, failure: ParseFailure) -> ParseFailure {
    let kind = match (&before.body, lexed.tokens[at].kind) {
        (None, TokenKind::Ampersand | TokenKind::Bar | TokenKind::Comma) => ParseFailureKind::FactGoesOn,
        (Some(_), TokenKind::Tilde | TokenKind::Open | TokenKind::Logic(_)) => {
            ParseFailureKind::NotContinued(before.span)
        }
        _ => return failure,
    };
    ParseFailure::new(failure.at, kind)
}

/// The index at which to resume when the clause that begins at `start` cannot be parsed because of the token at
/// `error`.
fn resume(lexed: &TokenList, start: usize, error: usize) -> usize {
    let tokens = &lexed.tokens;
    let column = tokens[start].indent.max(1);
    let begins_clause = |at: usize| {
        let token = &tokens[at];
        let begins_line = token.is_name() && (1..=column).contains(&token.indent);
        let before = &tokens[at - 1];
        begins_line || before.kind == TokenKind::Stop && before.span.end < token.span.start
    };
    // At least one token is skipped, so that parsing advances.
    (error.max(start + 1)..tokens.len()).find(|&at| begins_clause(at)).unwrap_or(tokens.len())
}
