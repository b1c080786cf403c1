//! Parsing of the arguments of commands, in infix or prefix: words, terms and lists; the brackets and quotation marks
//! around them; comments.
//!
//! `"…"` is quoted, and `'…'` where a word begins, as in `'a.b'`. Brackets within quotation marks are text.

use super::CommandError;
use gdl::diagnostic::Diagnostic;
use gdl::rules::GroundTerm;
use gdl::syntax::ast::{Formula, Term};
use gdl::syntax::error::{STRAY, UNCLOSED};
use gdl::syntax::{self, Dialect, Source, Span};
use std::ops::Range;

/// The first word of a text and the rest, both trimmed.
pub(crate) fn word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

/// The byte ranges of the words of a text. Spaces within brackets and quotation marks are part of a word.
pub(crate) fn words(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut start = None;
    depths(text).chain([(text.len(), ' ', 0)]).filter_map(move |(at, c, depth)| {
        if c.is_whitespace() && depth == 0 {
            return start.take().map(|start| start..at);
        }
        if !c.is_whitespace() {
            start = start.or(Some(at));
        }
        None
    })
}

/// The text before and after the first occurrence of a word outside parentheses; `None` after it if the word does not
/// occur.
pub(crate) fn split_at_word<'a>(text: &'a str, wanted: &str) -> (&'a str, Option<&'a str>) {
    match words(text).find(|word| text[word.clone()] == *wanted) {
        Some(word) => (text[..word.start].trim(), Some(text[word.end..].trim())),
        None => (text.trim(), None),
    }
}

/// The byte offset of the last word of a text; spaces within brackets and quotation marks are part of a word.
pub(crate) fn last_word(text: &str) -> usize {
    let spaces = depths(text).filter(|(_, c, depth)| c.is_whitespace() && *depth == 0);
    spaces.last().map_or(0, |(at, c, _)| at + c.len_utf8())
}

/// The byte offset of the last of several items with commas, or another ASCII sign, between them; signs within brackets
/// and quotation marks are part of an item.
pub(crate) fn last_item(text: &str, separator: char) -> usize {
    depths(text).filter(|(_, c, depth)| *c == separator && *depth == 0).last().map_or(0, |(at, ..)| at + 1)
}

/// Parses ground terms separated by spaces; a comma by itself between them is ignored.
pub(crate) fn terms(text: &str) -> Result<Vec<GroundTerm>, CommandError> {
    terms_in(text, None)
}

/// Parses one ground term in infix syntax.
pub(crate) fn term(text: &str) -> Result<GroundTerm, CommandError> {
    let [term] = <[GroundTerm; 1]>::try_from(terms_in(text, Some(Dialect::Infix))?)
        .map_err(|_| CommandError::refused(format!("`{text}` is not one term")))?;
    Ok(term)
}

/// Parses the one ground term at a range of bytes of a text; errors have their positions in the whole text.
pub(crate) fn term_at(text: &str, range: Range<usize>) -> Result<GroundTerm, CommandError> {
    // Spaces in place of the text before keep the positions of errors.
    let alone = " ".repeat(range.start) + &text[range.clone()];
    let whole = |error| match error {
        CommandError::Syntax { text: part, diagnostics } => {
            CommandError::Syntax { text: Source::new(part.name(), text), diagnostics }
        }
        CommandError::Mistyped { text: part, span, problem, help } => {
            CommandError::Mistyped { text: Source::new(part.name(), text), span, problem, help }
        }
        error => error,
    };
    let [term] = <[GroundTerm; 1]>::try_from(terms(&alone).map_err(whole)?)
        .map_err(|_| CommandError::mistyped(text, range, "this is not one term", None))?;
    Ok(term)
}

/// A text with a space in place of each comma outside brackets.
pub(crate) fn without_commas(text: &str) -> String {
    depths(text).map(|(_, c, depth)| if c == ',' && depth == 0 { ' ' } else { c }).collect()
}

fn terms_in(text: &str, dialect: Option<Dialect>) -> Result<Vec<GroundTerm>, CommandError> {
    let source = Source::new("input", text);
    match syntax::parse_terms(&source, dialect) {
        Err(diagnostics) => Err(CommandError::Syntax { text: source, diagnostics }),
        Ok(terms) => terms
            .iter()
            .filter(|term| !matches!(term, Term::Symbol(name) if &*name.text == ","))
            .map(|term| {
                let not_ground = || {
                    let problem =
                        format!("`{}` contains a variable, where a ground term is needed", source.slice(term.span()));
                    CommandError::Mistyped { text: source.clone(), span: term.span(), problem, help: None }
                };
                GroundTerm::from_term(term).ok_or_else(not_ground)
            })
            .collect(),
    }
}

/// Parses a query, with or without `?-` before it.
pub(crate) fn query(text: &str) -> Result<Vec<Formula>, CommandError> {
    let text = text.trim();
    let source = Source::new("query", text.strip_prefix("?-").unwrap_or(text).trim());
    match syntax::parse_query(&source, None) {
        Ok(query) => Ok(query),
        Err(diagnostics) => Err(CommandError::Syntax { text: source, diagnostics }),
    }
}

/// Parses a list such as `[mark(1,1), noop]`, or terms separated by spaces.
pub(crate) fn list(text: &str) -> Result<Vec<GroundTerm>, CommandError> {
    let text = text.trim();
    let Some(inside) = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')) else { return terms(text) };
    let mut items = Vec::new();
    for part in split_outside_parentheses(inside, ',') {
        items.extend(terms(part)?);
    }
    Ok(items)
}

/// True if a line is a query and not a command: it begins with `?-`, `(`, `~`, or with a name and `(`.
pub(crate) fn is_query(line: &str) -> bool {
    let name_end = line.find(|c: char| c.is_whitespace() || c == '(').unwrap_or(line.len());
    line.starts_with("?-") || line.starts_with('(') || line.starts_with('~') || line[name_end..].starts_with('(')
}

/// A line without its comment, which begins with `%` or `#` at the beginning of the line or after a space.
pub(crate) fn without_comment(line: &str) -> &str {
    line[..comment(line)].trim()
}

/// The byte offset of the comment in a line; the length of the line if it has none. No comment begins within quotation
/// marks, which rows of a board may have around them.
pub(crate) fn comment(line: &str) -> usize {
    let begins = |at: usize| !line[..at].ends_with(|before: char| !before.is_whitespace());
    let mut signs = unquoted(line).filter(|(_, c)| matches!(c, '%' | '#'));
    signs.find(|&(at, _)| begins(at)).map_or(line.len(), |(at, _)| at)
}

/// The parts of a text between separators outside all brackets and quotation marks; empty parts are left out.
pub(crate) fn split_outside_parentheses(text: &str, separator: char) -> Vec<&str> {
    let mut parts = all_outside_parentheses(text, separator);
    parts.retain(|part| !part.is_empty());
    parts
}

/// As [`split_outside_parentheses`], with the empty parts.
pub(crate) fn all_outside_parentheses(text: &str, separator: char) -> Vec<&str> {
    let separators = depths(text).filter(|(_, c, depth)| *c == separator && *depth == 0);
    let mut start = 0;
    let mut parts = Vec::new();
    for (at, c, _) in separators.chain([(text.len(), separator, 0)]) {
        parts.push(text[start..at].trim());
        start = text.len().min(at + c.len_utf8());
    }
    parts
}

/// Splits a text before its last term or list: `legal robot [down, right]` into `legal robot` and `[down, right]`.
pub(crate) fn last_value(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (others, value) = text.split_at(last_word(text));
    (others.trim(), value)
}

/// The texts in quotation marks, which they include.
pub(crate) fn quotes(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while let Some(start) = next_quote(text, at) {
            let end = closing(text, start);
            at = end.unwrap_or(start + 1);
            if let Some(end) = end {
                return Some(start..end);
            }
        }
        None
    })
}

/// The first quotation mark from a byte on that may open a quoted text.
fn next_quote(text: &str, from: usize) -> Option<usize> {
    let begins = |at: usize| !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
    let mut marks = text[from..].match_indices(['"', '\'']).map(|(at, mark)| (from + at, mark));
    marks.find(|(at, mark)| *mark == "\"" || begins(*at)).map(|(at, _)| at)
}

/// The end of the text that a quotation mark begins, the closing mark included.
fn closing(text: &str, start: usize) -> Option<usize> {
    let mark = &text[start..=start];
    text[start + 1..].find(mark).map(|length| start + 1 + length + 1)
}

/// The first quotation mark that is never closed.
pub(crate) fn open_quote(text: &str) -> Option<usize> {
    let mut at = 0;
    while let Some(start) = next_quote(text, at) {
        match closing(text, start) {
            Some(end) => at = end,
            None => return Some(start),
        }
    }
    None
}

/// The characters of a text with their bytes and the number of brackets around them; brackets are within themselves,
/// and quoted texts are within their marks.
pub(crate) fn depths(text: &str) -> impl Iterator<Item = (usize, char, usize)> {
    let mut quotes = quotes(text).peekable();
    let mut depth = 0_usize;
    text.char_indices().map(move |(at, c)| {
        while quotes.next_if(|quoted| quoted.end <= at).is_some() {}
        if quotes.peek().is_some_and(|quoted| quoted.start <= at) {
            return (at, c, depth + 1);
        }
        match c {
            '(' | '[' => {
                depth += 1;
                (at, c, depth)
            }
            ')' | ']' => {
                depth = depth.saturating_sub(1);
                (at, c, depth + 1)
            }
            _ => (at, c, depth),
        }
    })
}

/// The characters of a text outside quotation marks, with their bytes.
pub(crate) fn unquoted(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quotes = quotes(text).peekable();
    text.char_indices().filter(move |(at, _)| {
        while quotes.next_if(|quoted| quoted.end <= *at).is_some() {}
        quotes.peek().is_none_or(|quoted| *at < quoted.start)
    })
}

/// The brackets of a text outside quotation marks, with their bytes.
pub(crate) fn brackets(text: &str) -> impl Iterator<Item = (usize, char)> {
    unquoted(text).filter(|(_, c)| matches!(c, '(' | '[' | ')' | ']'))
}

/// Checks that every bracket of a line and every quotation mark has its partner.
///
/// # Errors
/// The first bracket or mark without one, with its position.
pub(crate) fn check_brackets(line: &str) -> Result<(), CommandError> {
    // Brackets after an open quotation mark would all be text.
    if let Some(at) = open_quote(line) {
        let problem = format!("this `{}` is never closed", &line[at..=at]);
        return Err(CommandError::mistyped(line, at..at + 1, problem, None));
    }
    let mut open = Vec::new();
    for (at, bracket) in brackets(line) {
        match (bracket, open.last()) {
            ('(' | '[', _) => open.push((at, bracket)),
            (')', Some((_, '('))) | (']', Some((_, '['))) => _ = open.pop(),
            _ => return Err(unmatched_bracket(line, at, open.last().map(|&(open, _)| open))),
        }
    }
    open.pop().map_or(Ok(()), |(at, bracket)| Err(unclosed(line, at, bracket)))
}

fn unmatched_bracket(line: &str, at: usize, open: Option<usize>) -> CommandError {
    let found = &line[at..=at];
    let problem = Diagnostic::new(&STRAY, Span::new(at, at + 1), format!("this `{found}` closes nothing"));
    problem_of(
        line,
        match open {
            Some(open) => {
                let bracket = &line[open..=open];
                problem.with_label(Span::new(open, open + 1), format!("this `{bracket}` is still open"))
            }
            None => problem.with_help("remove it, or add the missing opening one"),
        },
    )
}

fn unclosed(line: &str, at: usize, bracket: char) -> CommandError {
    let problem = Diagnostic::new(&UNCLOSED, Span::new(at, at + 1), format!("this `{bracket}` is never closed"));
    let closing = if bracket == '(' { ')' } else { ']' };
    let help = match line[..at].trim().is_empty() {
        true => format!("close it with `{closing}`; a line that begins with `{bracket}` is a query, not a command"),
        false => format!("close it with `{closing}`"),
    };
    problem_of(line, problem.with_help(help))
}

fn problem_of(line: &str, problem: Diagnostic) -> CommandError {
    CommandError::Syntax { text: Source::new("input", line), diagnostics: vec![problem] }
}
