//! Parsing: from a source to trees of sheets, queries and terms, in each dialect.
//!
//! A sheet without operations may be of the dialect that has them: it defines actions, and `legal` with one argument.

use super::ast::{Formula, ParsedClause, Sheet, Term};
use super::error::OPERATION;
use super::failure::{InvalidText, ParseFailure, ParseFailureKind};
use super::token::{Token, TokenKind, TokenList, TokenResult, Tokens};
use super::{Dialect, Source, Span, error, foreign, infix, operations, prefix};
use crate::diagnostic::Diagnostic;
use crate::limits::{Limits, Stop, unlimited};
use crate::sorting;

/// The maximum number of problems reported for one text; a text with more is not a rule sheet.
const REPORT_LIMIT: usize = 100;

/// The result of parsing a sheet: everything that could be parsed, and all errors.
#[derive(Clone, Debug)]
pub struct ParsedText {
    /// Every clause that could be parsed, and every comment.
    pub sheet: Sheet,
    /// The syntax errors, in the order of the text: at most one per clause besides signs of other languages, and at most a hundred.
    pub errors: Vec<Diagnostic>,
    /// Facts that stand where a condition of a rule would stand, and conditions that stand where a fact would, at most a
    /// hundred.
    pub warnings: Vec<Diagnostic>,
}

/// Parses a rule sheet. If `dialect` is `None`, it is recognised from the text.
///
/// Parsing continues after an error. Time and memory are linear in the length of the text; terms nested deeper than
/// [`super::NESTING_LIMIT`] are errors, so the stack is bounded as well.
pub fn parse(source: &Source, dialect: Option<Dialect>) -> ParsedText {
    unlimited(|limits| parse_within(source, dialect, limits))
}

/// As [`parse`], within limits.
///
/// # Errors
/// If the interrupt or the deadline of the limits ends the work.
pub fn parse_within(source: &Source, dialect: Option<Dialect>, limits: &Limits) -> Result<ParsedText, Stop> {
    let forced = dialect;
    let dialect = dialect.unwrap_or_else(|| Dialect::detect(source.text()));
    let mut errors = Vec::new();
    let Some(lexed) = lex(source, dialect, &mut errors) else {
        let sheet = Sheet { dialect, clauses: Vec::new(), comments: Vec::new() };
        return Ok(ParsedText { sheet, errors, warnings: Vec::new() });
    };
    errors.extend(foreign_signs(source, &lexed).take(REPORT_LIMIT));
    limits.check()?;
    let mut warnings = Vec::new();
    let report = |failure: ParseFailure| {
        let is_warning =
            matches!(failure.kind, ParseFailureKind::LostAnd { .. } | ParseFailureKind::SwallowedFact { .. });
        let is_left_out = dialect == Dialect::Operations && operations::never_holds(&failure);
        let problems = if is_warning || is_left_out { &mut warnings } else { &mut errors };
        if problems.len() < REPORT_LIMIT {
            problems.push(match is_left_out {
                true => operations::left_out(&failure),
                false => junk_first(&lexed, failure).diagnostic(source),
            });
        }
    };
    let clauses: Vec<ParsedClause> = match dialect {
        Dialect::Prefix => prefix::sheet(&lexed, report, &limits.poll())?,
        Dialect::Infix => infix::sheet(&lexed, infix::clause, report, &limits.poll())?,
        Dialect::Operations => infix::sheet(&lexed, operations::clause, report, &limits.poll())?,
    };
    sorting::sort_by_key(&mut errors, |error| error.labels.first().map_or(0, |label| label.span.start));
    if dialect == Dialect::Infix && forced.is_none() && defines_actions(&clauses) {
        return parse_within(source, Some(Dialect::Operations), limits);
    }
    if dialect == Dialect::Infix
        && let Some(problem) = operation(source, &lexed)
    {
        // All other errors follow from the wrong dialect.
        errors = vec![problem];
    }
    Ok(ParsedText { sheet: Sheet { dialect, clauses, comments: lexed.comments }, errors, warnings })
}

/// Parses a conjunction as typed at a prompt: `true(cell(X,Y,b)) & distinct(X,Y)`, with or without a full stop, or
/// `(true (cell ?x ?y b))` and more in a row. The whole text must be one conjunction.
///
/// # Errors
/// The reason for which it is not a conjunction, with the position; an empty text is an error.
pub fn parse_query(source: &Source, dialect: Option<Dialect>) -> Result<Vec<Formula>, Vec<Diagnostic>> {
    let formulas = parse_whole(source, dialect, "`&` or the end", prefix::conjunction, infix::conjunction)?;
    if formulas.is_empty() { Err(vec![nothing(source, "a query")]) } else { Ok(formulas) }
}

/// Parses one term, such as `mark(1,1)` or `(mark 1 1)`.
///
/// # Errors
/// The reason for which the text is not a term, with the position.
pub fn parse_term(source: &Source, dialect: Option<Dialect>) -> Result<Term, Vec<Diagnostic>> {
    parse_whole(source, dialect, "the end", prefix::term, infix::term)
}

/// Parses any number of terms, with blanks or commas between them: `mark(1,1) noop`, `(mark 1 1) noop`. In infix, one
/// pair of brackets may enclose all of them: `[a, b(1,2)]` is two terms.
///
/// # Errors
/// The reason for which the text is not a list of terms, with the position.
pub fn parse_terms(source: &Source, dialect: Option<Dialect>) -> Result<Vec<Term>, Vec<Diagnostic>> {
    parse_whole(source, dialect, "a term or the end", prefix::terms, infix::terms)
}

/// Parses a whole text with the parser of its dialect; `next` names what may follow the part that was parsed.
fn parse_whole<T>(
    source: &Source,
    dialect: Option<Dialect>,
    next: &'static str,
    prefix: for<'t> fn(Tokens<'t>) -> TokenResult<'t, T>,
    infix: for<'t> fn(Tokens<'t>) -> TokenResult<'t, T>,
) -> Result<T, Vec<Diagnostic>> {
    let dialect = dialect.unwrap_or_else(|| Dialect::detect(source.text()));
    let mut errors = Vec::new();
    let lexed = lex(source, dialect, &mut errors);
    errors.extend(lexed.iter().flat_map(|lexed| foreign_signs(source, lexed)).take(REPORT_LIMIT));
    if !errors.is_empty() {
        return Err(errors);
    }
    let Some(lexed) = lexed else { return Err(errors) };
    let parser = match dialect {
        Dialect::Prefix => prefix,
        Dialect::Infix | Dialect::Operations => infix,
    };
    let failure = match parser(Tokens::new(&lexed, 0..lexed.tokens.len())) {
        Ok((rest, output)) if rest.len() == 0 => return Ok(output),
        Ok((rest, _)) if rest.peek(0) == Some(TokenKind::Close) => {
            ParseFailure::new(rest.next_span(), ParseFailureKind::Stray)
        }
        Ok((rest, _)) => ParseFailure::new(rest.next_span(), ParseFailureKind::Expected(next)),
        Err(nom::Err::Error(failure) | nom::Err::Failure(failure)) => failure,
        Err(nom::Err::Incomplete(_)) => ParseFailure::new(lexed.end(), ParseFailureKind::Expected("more")),
    };
    Err(vec![junk_first(&lexed, failure).diagnostic(source)])
}

/// The tokens of a text, unless it is too long; NUL bytes are reported and treated as blanks.
fn lex(source: &Source, dialect: Dialect, errors: &mut Vec<Diagnostic>) -> Option<TokenList> {
    let text = source.text();
    if u32::try_from(text.len()).is_err() {
        errors.push(Diagnostic::of_sheet(&error::TOO_LONG, "the text has 4 GiB or more"));
        return None;
    }
    if let Some(at) = text.find('\0') {
        let problem = Diagnostic::new(&error::NOT_TEXT, Span::new(at, at + 1), "a NUL byte");
        errors.push(problem.with_help("save the file as UTF-8; with NUL bytes it is UTF-16, or not text at all"));
    }
    Some(tokens(text, dialect))
}

/// The tokens and comments of a text of less than 4 GiB. Linear in its length.
pub(crate) fn tokens(text: &str, dialect: Dialect) -> TokenList {
    match dialect {
        Dialect::Prefix => prefix::lex(text),
        Dialect::Infix => infix::lex(text, false),
        Dialect::Operations => infix::lex(text, true),
    }
}

/// The problems of the signs of other languages that were read as what they stand for.
fn foreign_signs(source: &Source, lexed: &TokenList) -> impl Iterator<Item = Diagnostic> {
    lexed.foreign.iter().map(|&(at, meaning)| foreign::read_as(meaning, source, at))
}

/// If the token that does not fit is not a valid token, reports that instead.
fn junk_first(lexed: &TokenList, failure: ParseFailure) -> ParseFailure {
    match lexed.tokens.get(lexed.index_at(failure.at.start)).map(|token| token.kind) {
        Some(TokenKind::Invalid(text)) => ParseFailure { kind: ParseFailureKind::Invalid(text), ..failure },
        _ => failure,
    }
}

fn nothing(source: &Source, expected: &'static str) -> Diagnostic {
    let end = source.text().len();
    let span = Span::new(end, end);
    ParseFailure::new(span, ParseFailureKind::Expected(expected)).diagnostic(source)
}

/// The problem of a text with an operation that is read as infix.
fn operation(source: &Source, lexed: &TokenList) -> Option<Diagnostic> {
    // Bytes that are not text may look like any sign.
    let is_noise = |token: &Token| token.kind == TokenKind::Invalid(InvalidText::NotText);
    if source.text().contains('\0') || lexed.tokens.iter().any(is_noise) {
        return None;
    }
    let is_sign = |token: &&Token| token.kind == TokenKind::Invalid(InvalidText::Sign);
    let signs = lexed.tokens.iter().filter(is_sign).map(|token| token.span);
    let span = signs.into_iter().find(|&span| matches!(source.slice(span), "==>" | "::"))?;
    let message = "this is an operation, which only the dialect `operations` has";
    let help = "leave out the dialect, which the text shows, or write `next(F)` for what holds after a move";
    Some(Diagnostic::new(&OPERATION, span, message).with_help(help))
}

/// True if there is a definition of actions and one of `legal` with one argument.
fn defines_actions(clauses: &[ParsedClause]) -> bool {
    let defines = |name: &str| {
        clauses.iter().any(|clause| &*clause.head.relation.text == name && clause.head.arguments.len() == 1)
    };
    defines("legal") && defines("action")
}
