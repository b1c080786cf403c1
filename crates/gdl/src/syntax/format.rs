//! The layout of whole sheets, as `ggp fmt` writes them.
//!
//! A rule that its author wrote on one line stays on one line if it fits; any other rule has a line for each literal of
//! its body. Comments are kept: those above a clause or a literal stay above it, those after it stay after it, and
//! those in the middle of a literal move above it. Blank lines between clauses are kept, at most one in a row.
//! Formatting is idempotent.

mod clause;

use super::ast::{Comment, ParsedClause, Sheet};
use super::{Dialect, Source, parse};
use crate::diagnostic::Diagnostic;
use clause::ClauseComments;

/// The text of a source, formatted in the dialect `to`, or in its own if `to` is `None`; `from` is the dialect in which
/// it is written, recognised from the text if `None`.
///
/// # Errors
/// The syntax errors of the source: a text that cannot be parsed completely is not formatted.
pub fn format(source: &Source, from: Option<Dialect>, to: Option<Dialect>) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source, from);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    Ok(format_sheet(source, &parsed.sheet, to.unwrap_or(parsed.sheet.dialect)))
}

/// The text of a sheet that was parsed from this source, formatted in the dialect `to`. Linear in its length.
pub fn format_sheet(source: &Source, sheet: &Sheet, to: Dialect) -> String {
    let mut writer =
        SheetWriter { source, from: sheet.dialect, to, text: String::new(), last_line: 0, commented: true };
    let mut comments = &sheet.comments[..];
    for clause in &sheet.clauses {
        let (before, rest) = split(comments, clause.span.start);
        let (inside, rest) = split(rest, clause.span.end);
        comments = rest;
        before.iter().for_each(|comment| writer.comment(comment));
        writer.clause(clause, inside);
    }
    comments.iter().for_each(|comment| writer.comment(comment));
    if !writer.text.is_empty() {
        writer.text.push('\n');
    }
    writer.text
}

/// The comments before this offset, and the others.
fn split(comments: &[Comment], offset: u32) -> (&[Comment], &[Comment]) {
    comments.split_at(comments.iter().take_while(|comment| comment.span.start < offset).count())
}

/// The formatted text so far, and the state of its last line.
struct SheetWriter<'s> {
    source: &'s Source,
    from: Dialect,
    to: Dialect,
    text: String,
    /// The line of the source on which the text written last ends; 0 at the beginning.
    last_line: u32,
    /// Whether the last line of the text has a comment, so that nothing more can follow on it.
    commented: bool,
}

impl SheetWriter<'_> {
    /// Begins a new line for text that begins on this line of the source.
    fn new_line(&mut self, line: u32) {
        if !self.text.is_empty() {
            self.text.push('\n');
            if line > self.last_line + 1 {
                self.text.push('\n');
            }
        }
        self.last_line = line;
    }

    /// Writes a comment outside clauses.
    fn comment(&mut self, comment: &Comment) {
        let line = self.source.line(comment.span.start);
        if line == self.last_line && !self.commented {
            self.text.push(' ');
        } else {
            self.new_line(line);
        }
        self.commented = true;
        self.text.push_str(&comment_text(self.source, comment, self.to));
    }

    fn clause(&mut self, clause: &ParsedClause, comments: &[Comment]) {
        let layout = ClauseComments::new(self.source, clause, comments, self.to);
        self.new_line(self.source.line(clause.span.start));
        for comment in layout.above() {
            self.text.push_str(comment);
            self.text.push('\n');
        }
        layout.write(&clause.translated(self.from, self.to), &mut self.text);
        self.last_line = self.source.line(clause.span.end);
        for comment in layout.below() {
            self.text.push('\n');
            self.text.push_str(comment);
        }
        self.commented = layout.ends_with_comment();
    }
}

/// A comment as the other dialect writes it, with the same number of signs.
fn comment_text(source: &Source, comment: &Comment, to: Dialect) -> String {
    let whole = source.slice(comment.span);
    let signs = whole.len().saturating_sub(comment.text.len());
    let mut text = to.comment_sign().to_string().repeat(signs);
    text.push_str(comment.text.trim_end());
    text
}
