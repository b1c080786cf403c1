//! The layout of rule sheets, as `ggp fmt` writes them.
//!
//! A rule that its author wrote on one line stays on one line if it fits; any other rule gets a line for each literal
//! of its body. Comments are kept: one above a clause or a literal stays above it, one after it stays after it, and one
//! in the middle of a literal moves above the literal. Blank lines between clauses are kept, at most one in a row.
//! Formatting is idempotent: a formatted text stays as it is.

mod clause;

use super::ast::{Comment, ParsedClause, Sheet};
use super::{Dialect, Source, parse};
use crate::diagnostic::Diagnostic;
use clause::ClauseComments;

/// The text of a source, formatted in the dialect `to`, or in its own dialect if `to` is `None`. `from` is its own
/// dialect; if it is `None`, the dialect is recognised from the text.
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

/// The text of a sheet that was parsed from this source, formatted in the dialect `to`. Takes time linear in
/// the length of the source.
pub fn format_sheet(source: &Source, sheet: &Sheet, to: Dialect) -> String {
    let mut writer =
        SheetWriter { source, from: sheet.dialect, to, text: String::new(), last_line: 0, ends_with_comment: true };
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

/// The writer of a sheet, with the formatted text so far.
struct SheetWriter<'s> {
    source: &'s Source,
    /// The dialect of the source.
    from: Dialect,
    /// The dialect of the formatted text.
    to: Dialect,
    /// The formatted text; the newline at its end is written last.
    text: String,
    /// The line of the source on which the text written last ends; 0 at the beginning.
    last_line: u32,
    /// True if nothing can follow on the last line of the text: it ends with a comment, or there is no line yet.
    ends_with_comment: bool,
}

impl SheetWriter<'_> {
    /// Begins a new line for text that begins on this line of the source. A blank line comes before it if the source
    /// has one there.
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
        if line == self.last_line && !self.ends_with_comment {
            self.text.push(' ');
        } else {
            self.new_line(line);
        }
        self.ends_with_comment = true;
        self.text.push_str(&comment_text(self.source, comment, self.to));
    }

    /// Writes a clause with the comments inside it.
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
        self.ends_with_comment = layout.ends_with_comment();
    }
}

/// The text of a comment in the dialect `to`, with the same number of comment signs.
fn comment_text(source: &Source, comment: &Comment, to: Dialect) -> String {
    let whole = source.slice(comment.span);
    // A sign is one byte.
    let signs = whole.len().saturating_sub(comment.text.len());
    let mut text = to.comment_sign().to_string().repeat(signs);
    text.push_str(comment.text.trim_end());
    text
}
