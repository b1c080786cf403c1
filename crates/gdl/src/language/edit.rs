//! Edits of whole texts: formatting, and translation between the dialects.

use super::Document;
use crate::diagnostic::{Diagnostic, TextEdit};
use crate::syntax::ast::Sheet;
use crate::syntax::format::format_sheet;
use crate::syntax::{Dialect, Source, Span, parse};

impl Document {
    /// The edits that format the text, in another dialect if one is given; none if it is formatted.
    ///
    /// # Errors
    /// The syntax errors: a text that does not parse completely is not formatted.
    pub fn format(&self, to: Option<Dialect>) -> Result<Vec<TextEdit>, Vec<Diagnostic>> {
        let errors = self.syntax_errors();
        if !errors.is_empty() {
            return Err(errors);
        }
        let text = self.source().text();
        let formatted = format_sheet(self.source(), self.sheet(), to.unwrap_or(self.dialect()));
        Ok(changed(text, &formatted, 0).into_iter().collect())
    }

    /// The edits that format the clauses within or around a span, and leave the others as they are. Clauses with errors
    /// stay as well.
    pub fn format_range(&self, span: Span) -> Vec<TextEdit> {
        let touches = |other: Span| other.start <= span.end && span.start <= other.end;
        let mut touched = self.sheet().clauses.iter().filter(|clause| touches(clause.span));
        let Some(first) = touched.next() else { return Vec::new() };
        let last = touched.next_back().unwrap_or(first);
        let end = self.source().line_span(self.source().line(last.span.end)).end;
        // Another clause on the last line stays as it is.
        let follows = self.sheet().clauses.iter().find(|clause| clause.span.start >= last.span.end);
        let end = follows.filter(|next| next.span.start < end).map_or(end, |_| last.span.end);
        let whole = Span { start: first.span.start, end };
        let part = Source::new(self.source().name(), self.source().slice(whole));
        match crate::syntax::format(&part, Some(self.dialect()), None) {
            Ok(text) => changed(part.text(), text.trim_end(), whole.start as usize).into_iter().collect(),
            Err(_) => Vec::new(),
        }
    }

    /// A part of the text that is written in the other dialect, in the dialect of the sheet: what was pasted from
    /// another sheet. `None` if the part is not a number of clauses of the other dialect, or is one of this dialect.
    pub fn translated(&self, span: Span) -> Option<TextEdit> {
        let (own, other) = match self.dialect() {
            Dialect::Prefix => (Dialect::Prefix, Dialect::Infix),
            Dialect::Infix => (Dialect::Infix, Dialect::Prefix),
        };
        let part = Source::new(self.source().name(), self.source().slice(span));
        let is_one = |dialect| {
            let parsed = parse(&part, Some(dialect));
            parsed.errors.is_empty() && has_clauses(&parsed.sheet)
        };
        if is_one(own) || !is_one(other) {
            return None;
        }
        let text = crate::syntax::format(&part, Some(other), Some(own)).ok()?;
        let text = if part.text().ends_with('\n') { &text[..] } else { text.trim_end() };
        Some(TextEdit::new(span, text))
    }

    /// The problems of syntax, which leave clauses out of the tree. While there are any, nothing else is checked.
    fn syntax_errors(&self) -> Vec<Diagnostic> {
        let is_of_syntax =
            |problem: &&Diagnostic| crate::syntax::error::CODES.iter().any(|code| code.id == problem.code.id);
        self.diagnostics().iter().filter(is_of_syntax).cloned().collect()
    }
}

fn has_clauses(sheet: &Sheet) -> bool {
    !sheet.clauses.is_empty()
}

/// The edit that makes one text of another, which begins at an offset: what they have in common at both ends stays, so
/// that an editor keeps its cursor.
fn changed(old: &str, new: &str, offset: usize) -> Option<TextEdit> {
    if old == new {
        return None;
    }
    let same = |a: char, b: char| a == b;
    let start: usize = old.chars().zip(new.chars()).take_while(|&(a, b)| same(a, b)).map(|(a, _)| a.len_utf8()).sum();
    let old_rest = &old[start..];
    let new_rest = &new[start..];
    let ends = old_rest.chars().rev().zip(new_rest.chars().rev()).take_while(|&(a, b)| same(a, b));
    let end: usize = ends.map(|(a, _)| a.len_utf8()).sum();
    let span = Span::new(offset + start, offset + old.len() - end);
    Some(TextEdit::new(span, &new_rest[..new_rest.len() - end]))
}
