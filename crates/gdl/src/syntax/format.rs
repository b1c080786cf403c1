//! The layout of rule sheets, as `ggp fmt` writes them.
//!
//! A rule that its author wrote on one line stays on one line if it fits; any other rule gets a line for each literal
//! of its body. Comments are kept: one above a clause or a literal stays above it, one after it stays after it, and one
//! in the middle of a literal moves above the literal. Blank lines between clauses are kept, at most one in a row.
//! Formatting is idempotent: a formatted text stays as it is.

use super::ast::{Comment, Formula, ParsedClause, Sheet};
use super::operations::translate;
use super::print::{PrintContext, Printer};
use super::{Dialect, Source, parse};
use crate::diagnostic::Diagnostic;
use std::fmt;
use std::fmt::Write;

/// The text of a source, formatted in the dialect `to`, or in its own dialect if `to` is `None`. `from` is its own
/// dialect; if it is `None`, the dialect is recognised from the text.
///
/// # Errors
/// The syntax errors of the source: a text that cannot be parsed completely is not formatted. Of a sheet in GDL, what
/// has no form in the dialect with operations, if that is wanted.
pub fn format(source: &Source, from: Option<Dialect>, to: Option<Dialect>) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(source, from);
    if !parsed.errors.is_empty() {
        return Err(parsed.errors);
    }
    let to = to.unwrap_or(parsed.sheet.dialect);
    let sheet = match to {
        Dialect::Operations => parsed.sheet.translated(to)?,
        Dialect::Prefix | Dialect::Infix => parsed.sheet,
    };
    Ok(format_sheet(source, &sheet, to))
}

/// The text of a sheet that was parsed from this source, formatted in the dialect `to`. Takes time linear in
/// the length of the source.
pub fn format_sheet(source: &Source, sheet: &Sheet, to: Dialect) -> String {
    if sheet.dialect == Dialect::Operations && to != Dialect::Operations {
        return format_sheet(source, &translate(sheet).sheet, to);
    }
    let mut writer = SheetWriter {
        source,
        from: sheet.dialect,
        to,
        text: String::new(),
        last_line: 0,
        ends_with_comment: true,
        furthest: None,
        is_behind: false,
    };
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
    /// The beginning of the last clause that stands in the order of the source.
    furthest: Option<u32>,
    /// True if the last clause was implied by one that stands before it, so that the lines of the source say nothing.
    is_behind: bool,
}

impl SheetWriter<'_> {
    /// Begins a new line for text that begins on this line of the source. A blank line comes before it if the source
    /// has one there.
    fn new_line(&mut self, line: u32) {
        if !self.text.is_empty() {
            self.text.push('\n');
            // Clauses that a translation leaves out leave no blank line.
            let before = self.source.line_span(line.saturating_sub(1));
            let is_apart = line > self.last_line + 1 && self.source.slice(before).trim().is_empty();
            if is_apart || self.is_behind {
                self.text.push('\n');
            }
        }
        self.last_line = line;
        self.is_behind = false;
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
        let start = clause.span.start;
        if self.furthest.is_some_and(|furthest| start < furthest) {
            // What a translation adds has one blank line before it.
            self.text.push_str(if self.is_behind { "\n" } else { "\n\n" });
            self.is_behind = true;
            layout.write(&clause.translated(self.from, self.to), &mut self.text);
            return;
        }
        self.furthest = Some(start);
        self.new_line(self.source.line(start));
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

/// A clause with more columns than this gets a line for each literal.
const WIDTH: usize = 100;

/// The comments of a clause, each at the part (the head, then the literals) to which it belongs.
struct ClauseComments {
    to: Dialect,
    /// True if the author wrote the clause on one line.
    on_one_line: bool,
    parts: Vec<PartComments>,
    below: Vec<String>,
}

/// The comments of one part of a clause.
#[derive(Clone, Default)]
struct PartComments {
    above: Vec<String>,
    behind: Option<String>,
}

impl ClauseComments {
    /// Finds the part to which each comment inside a clause belongs.
    fn new(source: &Source, clause: &ParsedClause, comments: &[Comment], to: Dialect) -> Self {
        let spans: Vec<_> = std::iter::once(clause.head.span).chain(clause.formulas().map(Formula::span)).collect();
        let on_one_line = source.line(clause.span.start) == source.line(clause.span.end);
        let parts = vec![PartComments::default(); spans.len()];
        let mut layout = Self { to, on_one_line, parts, below: Vec::new() };
        for comment in comments {
            let at = comment.span.start;
            let text = comment_text(source, comment, to);
            // The first part that ends after the beginning of the comment.
            let next = spans.partition_point(|span| span.end <= at);
            let behind = next > 0 && source.line(spans[next - 1].end) == source.line(at);
            // A fact stays on one line, so a comment inside it moves above it.
            if behind && (clause.body.is_some() || clause.effects.is_some()) {
                layout.parts[next - 1].behind = Some(text);
            } else if let Some(part) = layout.parts.get_mut(next) {
                part.above.push(text);
            } else {
                layout.below.push(text);
            }
        }
        layout
    }

    /// The comments above the clause.
    fn above(&self) -> &[String] {
        &self.parts[0].above
    }

    /// The comments after the last literal, on lines of their own.
    fn below(&self) -> &[String] {
        &self.below
    }

    /// True if a comment follows the clause, so that nothing else fits on its last line.
    fn ends_with_comment(&self) -> bool {
        !self.below.is_empty() || self.parts.last().is_some_and(|part| part.behind.is_some())
    }

    /// Writes the clause, a tree in the dialect `to`, without the comments above and below it.
    fn write(&self, clause: &ParsedClause, text: &mut String) {
        match (&clause.effects, &clause.body) {
            (Some(effects), _) if !self.fits_a_line(clause) => self.write_operation(clause, effects, text),
            (None, Some(body)) if !body.is_empty() && !self.fits_a_line(clause) => {
                self.write_lines(clause, body, text);
            }
            _ => {
                flat(text, |out| Printer { dialect: self.to, out }.clause(clause));
                self.write_behind(self.parts.len() - 1, text);
            }
        }
    }

    /// True if the clause stays on one line: the author wrote it so, and it fits. Such a clause has no comments in it.
    fn fits_a_line(&self, clause: &ParsedClause) -> bool {
        self.on_one_line && fits_in_columns(WIDTH, |out| Printer { dialect: self.to, out }.clause(clause))
    }

    /// Writes the head and each literal on lines of their own.
    fn write_lines(&self, clause: &ParsedClause, body: &[Formula], text: &mut String) {
        let (before, behind_head, indent, sign, end) = match self.to {
            Dialect::Prefix => ("(<= ", "", 4, "", ")"),
            Dialect::Infix | Dialect::Operations => ("", " :-", 2, " &", ""),
        };
        text.push_str(before);
        flat(text, |out| Printer { dialect: self.to, out }.atom(&clause.head));
        text.push_str(behind_head);
        self.write_behind(0, text);
        self.write_formulas(body, 1, &FormulaLines { indent, lead: "", sign, end }, text);
    }

    /// Writes the action, and each condition and effect on a line of its own; `==>` is before the first effect.
    fn write_operation(&self, clause: &ParsedClause, effects: &[Formula], text: &mut String) {
        flat(text, |out| Printer { dialect: self.to, out }.atom(&clause.head));
        text.push_str(" ::");
        self.write_behind(0, text);
        let condition = clause.body.as_deref().unwrap_or_default();
        self.write_formulas(condition, 1, &FormulaLines { indent: 2, lead: "", sign: " &", end: "" }, text);
        let lead = if clause.body.is_some() { "==> " } else { "" };
        self.write_formulas(effects, condition.len() + 1, &FormulaLines { indent: 2, lead, sign: " &", end: "" }, text);
    }

    /// Writes formulas, each on a line; `first` is the number of the part that is the first of them.
    fn write_formulas(&self, formulas: &[Formula], first: usize, lines: &FormulaLines, text: &mut String) {
        let context = if formulas.len() == 1 { PrintContext::Body } else { PrintContext::Operand };
        let indent = lines.indent + lines.lead.len();
        for (position, formula) in formulas.iter().enumerate() {
            for comment in &self.parts[first + position].above {
                new_line(text, lines.indent);
                text.push_str(comment);
            }
            new_line(text, if position == 0 { lines.indent } else { indent });
            text.push_str(if position == 0 { lines.lead } else { "" });
            FormulaWriter { dialect: self.to, text }.formula(formula, context, indent);
            text.push_str(if position + 1 < formulas.len() { lines.sign } else { lines.end });
            self.write_behind(first + position, text);
        }
    }

    fn write_behind(&self, part: usize, text: &mut String) {
        if let Some(comment) = &self.parts[part].behind {
            text.push(' ');
            text.push_str(comment);
        }
    }
}

/// The layout of formulas that have a line each.
struct FormulaLines {
    /// The column of the lines.
    indent: usize,
    /// The text before the first formula, below whose end the others begin.
    lead: &'static str,
    /// The sign after all but the last.
    sign: &'static str,
    /// The sign after the last.
    end: &'static str,
}

/// Writes formulas over as many lines as they need.
struct FormulaWriter<'t> {
    dialect: Dialect,
    text: &'t mut String,
}

impl FormulaWriter<'_> {
    /// Writes a formula at this column, on one line if it fits.
    fn formula(&mut self, formula: &Formula, context: PrintContext, column: usize) {
        let dialect = self.dialect;
        if fits_in_columns(WIDTH.saturating_sub(column), |out| Printer { dialect, out }.formula(formula, context)) {
            return flat(self.text, |out| Printer { dialect, out }.formula(formula, context));
        }
        match dialect {
            Dialect::Prefix => self.prefix(formula, column),
            Dialect::Infix | Dialect::Operations => self.infix(formula, context, column),
        }
    }

    fn prefix(&mut self, formula: &Formula, column: usize) {
        let (word, formulas) = match formula {
            Formula::Not { formula, .. } => ("(not ", std::slice::from_ref(&**formula)),
            Formula::And { formulas, .. } if !formulas.is_empty() => ("(and ", &formulas[..]),
            Formula::Or { formulas, .. } if !formulas.is_empty() => ("(or ", &formulas[..]),
            _ => {
                return flat(self.text, |out| {
                    Printer { dialect: self.dialect, out }.formula(formula, PrintContext::Operand)
                });
            }
        };
        self.text.push_str(word);
        self.operands(formulas, "", PrintContext::Operand, column + word.len());
        self.text.push(')');
    }

    fn infix(&mut self, formula: &Formula, context: PrintContext, column: usize) {
        let (sign, formulas, inner) = match formula {
            Formula::Not { formula, .. } => {
                self.text.push('~');
                return self.formula(formula, PrintContext::Operand, column + 1);
            }
            Formula::And { formulas, .. } if formulas.len() > 1 => (" &", formulas, PrintContext::Operand),
            Formula::Or { formulas, .. } if formulas.len() > 1 => (" |", formulas, PrintContext::Alternative),
            _ => return flat(self.text, |out| Printer { dialect: self.dialect, out }.formula(formula, context)),
        };
        let parentheses = formula.needs_parentheses(context);
        self.text.push_str(if parentheses { "(" } else { "" });
        self.operands(formulas, sign, inner, column + usize::from(parentheses));
        self.text.push_str(if parentheses { ")" } else { "" });
    }

    /// Writes operands below each other, with a sign after all but the last.
    fn operands(&mut self, formulas: &[Formula], sign: &str, context: PrintContext, column: usize) {
        for (position, formula) in formulas.iter().enumerate() {
            if position > 0 {
                self.text.push_str(sign);
                new_line(self.text, column);
            }
            self.formula(formula, context, column);
        }
    }
}

fn new_line(text: &mut String, column: usize) {
    text.push('\n');
    text.extend(std::iter::repeat_n(' ', column));
}

/// Writes to a string, which never fails.
fn flat(text: &mut String, print: impl FnOnce(&mut String) -> fmt::Result) {
    let written = print(text);
    debug_assert!(written.is_ok());
}

/// True if the output has at most this many columns. Printing stops at the first column beyond them, so a long output
/// costs no more than a short one.
fn fits_in_columns(columns: usize, print: impl FnOnce(&mut WriterRoom) -> fmt::Result) -> bool {
    print(&mut WriterRoom { columns }).is_ok()
}

/// Accepts output as long as there is room.
struct WriterRoom {
    columns: usize,
}

impl Write for WriterRoom {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.columns = self.columns.checked_sub(text.chars().count()).ok_or(fmt::Error)?;
        Ok(())
    }
}
