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

use super::ast::{Formula, ParsedAtom, ParsedClause, Term};
use super::characters::{is_name_character, run_length};
use super::failure::{InvalidText, Misuse, ParseFailure, ParseFailureKind};
use super::token::{
    Logic, Scanner, Token, TokenKind, TokenList, TokenResult, Tokens, any_name, parenthesised, token, variable,
};
use super::unclosed;
use crate::limits::{Poll, Stop};
use crate::number::to_u32;
use nom::Parser;
use nom::branch::alt;
use nom::combinator::map;
use nom::multi::many0;

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
    let (text, span) = scanner.take(run_length(scanner.rest(), is_name_character));
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

/// Parses one fact or rule.
pub(crate) fn clause(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    match (input.peek(0), input.peek(1)) {
        (Some(TokenKind::Open), Some(TokenKind::Logic(Logic::Implied))) => rule(input),
        _ => map(head, |head| ParsedClause { span: head.span, head, body: None, effects: None }).parse(input),
    }
}

fn rule(input: Tokens<'_>) -> TokenResult<'_, ParsedClause> {
    let (rest, ((_, head, body), span)) = parenthesised((any_name, head, many0(formula))).parse(input)?;
    Ok((rest, ParsedClause { head, body: Some(body), effects: None, span }))
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
        Some(TokenKind::Open | TokenKind::Close) => input.fail(ParseFailureKind::NoName { doubled: None }),
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

/// The number of unclosed clauses for which the place of the missing parentheses is searched.
const SEARCHED: usize = 10;

/// The partner of an unclosed parenthesis.
const NONE: u32 = u32::MAX;

/// Parses all clauses of a sheet; returns those that could be parsed, and passes every failure to `report`.
///
/// One pass matches the parentheses of the whole text; a second pass visits the clauses. An unclosed `(` costs only its
/// own clause: parsing resumes at the next line that begins with `(` no further to the right. `(<=` at the beginning of
/// a line is always a new clause, because rules cannot be nested. Both passes are linear.
pub(crate) fn sheet(
    lexed: &TokenList,
    mut report: impl FnMut(ParseFailure),
    poll: &Poll<'_>,
) -> Result<Vec<ParsedClause>, Stop> {
    let tokens = &lexed.tokens;
    let partners = partners(tokens);
    let mut clauses = Vec::new();
    let mut searched = 0;
    let mut at = 0;
    while at < tokens.len() {
        let end = match tokens[at].kind {
            TokenKind::Open if partners[at] == NONE => {
                let next = resume(tokens, at);
                let kind = ParseFailureKind::Unclosed { next: tokens.get(next).map(|token| token.span) };
                let (suspect, violator) = culprit(&tokens[at..next]);
                searched += 1;
                let missing =
                    if searched > SEARCHED { None } else { unclosed::missing(lexed, at..next, violator, clause) };
                report(ParseFailure { missing, ..ParseFailure::new(suspect.span, kind) });
                at = next;
                continue;
            }
            TokenKind::Open => partners[at] as usize + 1,
            TokenKind::Close => {
                report(ParseFailure::new(tokens[at].span, ParseFailureKind::Stray));
                at += 1;
                continue;
            }
            _ => at + 1,
        };
        poll.steps(end - at)?;
        match clause(Tokens::new(lexed, at..end)) {
            Ok((_, clause)) => clauses.push(clause),
            Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => {
                report(with_doubled(lexed, &partners, failure));
            }
            Err(nom::Err::Incomplete(_)) => {}
        }
        at = end;
    }
    Ok(clauses)
}

/// A failure because of `((`, with the outer parentheses if they enclose nothing but the inner ones.
fn with_doubled(lexed: &TokenList, partners: &[u32], failure: ParseFailure) -> ParseFailure {
    let inner = lexed.index_at(failure.at.start);
    let Some(outer) = inner.checked_sub(1).filter(|_| failure.kind == ParseFailureKind::NoName { doubled: None })
    else {
        return failure;
    };
    let [inner_end, outer_end] = [inner, outer].map(|at| partners[at]);
    let is_doubled = inner_end != NONE && inner_end > to_u32(inner) + 1 && outer_end == inner_end + 1;
    let doubled = is_doubled.then(|| (lexed.tokens[outer].span, lexed.tokens[outer_end as usize].span));
    ParseFailure { kind: ParseFailureKind::NoName { doubled }, ..failure }
}

/// The index of the matching `)` for every `(`.
fn partners(tokens: &[Token]) -> Vec<u32> {
    let mut partners = vec![NONE; tokens.len()];
    let mut open: Vec<u32> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open => {
                if begins_rule(tokens, at) {
                    // Rules cannot be nested: a parenthesis that is still open here is never closed.
                    open.clear();
                }
                open.push(to_u32(at));
            }
            TokenKind::Close => {
                if let Some(start) = open.pop() {
                    partners[start as usize] = to_u32(at);
                }
            }
            _ => {}
        }
    }
    partners
}

/// True if a rule begins at this token and the token begins a line.
fn begins_rule(tokens: &[Token], at: usize) -> bool {
    tokens[at].indent > 0 && tokens.get(at + 1).is_some_and(|next| next.kind == TokenKind::Logic(Logic::Implied))
}

/// The index at which to resume after an unclosed `(`.
fn resume(tokens: &[Token], unclosed: usize) -> usize {
    let column = tokens[unclosed].indent.max(1);
    let begins_clause = |at: usize| {
        let token = &tokens[at];
        token.kind == TokenKind::Open && ((1..=column).contains(&token.indent) || begins_rule(tokens, at))
    };
    (unclosed + 1..tokens.len()).find(|&at| begins_clause(at)).unwrap_or(tokens.len())
}

/// The parenthesis that its author most likely forgot to close, in a clause whose first one is never closed, and the
/// index of the token that shows it.
///
/// The content of parentheses is indented further than the parenthesis. So if a line begins with `(` no further to the
/// right than the innermost open parenthesis, that one should have been closed before. If the layout does not tell, it
/// is the first one.
fn culprit(clause: &[Token]) -> (&Token, Option<usize>) {
    let mut open: Vec<(&Token, u32)> = Vec::new();
    let mut line_start = clause[0].span.start;
    let mut indent = 1;
    for (index, token) in clause.iter().enumerate() {
        if token.indent > 0 {
            // Only the first token of a line has an indent; the columns of the others follow from it.
            (line_start, indent) = (token.span.start, u32::from(token.indent));
        }
        let column = indent + (token.span.start - line_start);
        match token.kind {
            TokenKind::Open => match open.last() {
                Some(&(suspect, left)) if token.indent > 0 && column <= left => return (suspect, Some(index)),
                _ => open.push((token, column)),
            },
            TokenKind::Close => {
                open.pop();
            }
            _ => {}
        }
    }
    (&clause[0], None)
}
