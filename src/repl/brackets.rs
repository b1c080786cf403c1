//! Brackets and quotation marks of a typed line: what is within them, which bracket is still open, and what is wrong
//! with them.
//!
//! `"…"` is quoted, and `'…'` where a word begins, as in `'a.b'`. Brackets within quotation marks are text.

use super::CommandError;
use gdl::diagnostic::Diagnostic;
use gdl::syntax::error::{STRAY, UNCLOSED};
use gdl::syntax::{Source, Span};
use std::ops::Range;

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

/// The innermost bracket that a text leaves open; what follows an open quotation mark is quoted.
pub(crate) fn innermost_open(text: &str) -> Option<char> {
    let mut open = Vec::new();
    for (_, bracket) in brackets(&text[..open_quote(text).unwrap_or(text.len())]) {
        match bracket {
            '(' | '[' => open.push(bracket),
            _ => _ = open.pop(),
        }
    }
    open.pop()
}

/// Checks that every bracket of a line and every quotation mark has its partner.
///
/// # Errors
/// The first bracket or mark without one, with its position.
pub(crate) fn check(line: &str) -> Result<(), CommandError> {
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
