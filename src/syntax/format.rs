//! Whole sheets as people like to read them: `ggp fmt`.
//!
//! A rule that its author wrote on one line stays on one where it fits; any other has a line for each literal of its body.
//! Comments are kept: those above a clause or a literal stay above it, those behind it stay behind it, and those in the
//! middle of a literal move above it. Blank lines between clauses are kept, at most one in a row. Formatting what is
//! formatted changes nothing.

mod clause;

use super::ast::{Clause, Comment, Sheet};
use super::{Dialect, Source, parse};
use crate::diagnostic::Diagnostic;
use clause::Layout;

/// The text of a source laid out in the dialect `to`, or in its own where none is given; `from` is the dialect in which it
/// is written, recognised from the text where none is given.
///
/// # Errors
/// The syntax errors of the source: a text that is not understood as a whole is not rewritten.
pub fn format(source: &Source, from: Option<Dialect>, to: Option<Dialect>) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source, from);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    Ok(format_sheet(source, &parsed.sheet, to.unwrap_or(parsed.sheet.dialect)))
}

/// The text of a sheet that was read from this source, laid out in the dialect `to`. Time is linear in its length.
pub fn format_sheet(source: &Source, sheet: &Sheet, to: Dialect) -> String {
    let mut writer = Writer { source, from: sheet.dialect, to, text: String::new(), last_line: 0, commented: true };
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

/// The text so far, and what it ends with.
struct Writer<'s> {
    source: &'s Source,
    from: Dialect,
    to: Dialect,
    text: String,
    /// The line of the source in which ends what was written last; 0 at the beginning.
    last_line: u32,
    /// Whether the last line of the text has a comment, so that nothing more can follow in it.
    commented: bool,
}

impl Writer<'_> {
    /// Begins a new line for what begins in this line of the source.
    fn new_line(&mut self, line: u32) {
        if !self.text.is_empty() {
            self.text.push('\n');
            if line > self.last_line + 1 {
                self.text.push('\n');
            }
        }
        self.last_line = line;
    }

    /// A comment outside of clauses.
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

    fn clause(&mut self, clause: &Clause, comments: &[Comment]) {
        let layout = Layout::new(self.source, clause, comments, self.to);
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

/// A comment as the other dialect writes it, with as many signs.
fn comment_text(source: &Source, comment: &Comment, to: Dialect) -> String {
    let whole = source.slice(comment.span);
    let signs = whole.len().saturating_sub(comment.text.len());
    let mut text = to.comment_sign().to_string().repeat(signs);
    text.push_str(comment.text.trim_end());
    text
}
