//! Layouts: the start of a game drawn as a grid of text, for a rule sheet that reads it.
//!
//! ```text
//! % A wall above the third block.
//! sheet ../tiles_layout.gdl
//! @ agent
//! ....
//! ....
//! ..#.
//! abc@
//! ```
//!
//! The line that begins with `sheet` names the rule sheet, from the folder of the layout. A sign, a space and a word
//! name what the sign stands for; letters and digits stand for themselves, `.` for `free` and `#` for `wall`. The other
//! lines are the grid, whose rows have the same number of signs; `%` begins a comment. The sheet gets a fact for each
//! square: `drawn(X,Y,T)` says that column X from the left and row Y from the bottom, both from 0, show T.

use super::error::LAYOUT;
use super::{Dialect, Source, Span};
use crate::diagnostic::Diagnostic;
use std::collections::BTreeMap;
use std::fmt::Write;

/// A layout that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The name of its rule sheet, relative to the layout.
    pub sheet: String,
    /// The rows from the top, each with the names of its squares from the left.
    pub rows: Vec<Vec<String>>,
}

/// Reads a layout.
///
/// # Errors
/// All problems of the text, with their positions.
pub fn read(source: &Source) -> Result<Layout, Vec<Diagnostic>> {
    let mut reader = LayoutReader { sheet: None, names: BTreeMap::new(), rows: Vec::new(), problems: Vec::new() };
    let mut at = 0;
    for line in source.text().split('\n') {
        reader.line(line.trim_end(), at);
        at += line.len() + 1;
    }
    reader.finish(source.text().len())
}

impl Layout {
    /// The facts of the squares, a line for each row, in a dialect.
    pub fn facts(&self, dialect: Dialect) -> String {
        let mut text = String::new();
        for (y, row) in self.rows.iter().rev().enumerate() {
            for (x, name) in row.iter().enumerate() {
                let separator = if x + 1 < row.len() { ' ' } else { '\n' };
                let fact = match dialect {
                    Dialect::Prefix => format!("(drawn {x} {y} {name})"),
                    Dialect::Infix | Dialect::Operations => format!("drawn({x},{y},{name})"),
                };
                let _ = write!(text, "{fact}{separator}");
            }
        }
        text
    }
}

struct LayoutReader<'a> {
    sheet: Option<&'a str>,
    /// The name that each declared sign stands for.
    names: BTreeMap<char, &'a str>,
    /// The rows of the grid, with their positions.
    rows: Vec<(&'a str, usize)>,
    problems: Vec<Diagnostic>,
}

impl<'a> LayoutReader<'a> {
    /// Reads a line that begins at a position.
    fn line(&mut self, line: &'a str, at: usize) {
        if line.is_empty() || line.starts_with('%') {
            return;
        }
        let Some((first, rest)) = line.split_once(' ') else {
            self.rows.push((line, at));
            return;
        };
        let rest = rest.trim();
        let mut signs = first.chars();
        match (first, signs.next(), signs.next()) {
            ("sheet", ..) if self.sheet.is_some() => self.problem(at, line.len(), "a layout has one sheet"),
            ("sheet", ..) => self.sheet = Some(rest),
            (_, Some(sign), None) if is_word(rest) => {
                self.names.insert(sign, rest);
            }
            (_, Some(_), None) => self.problem(at, line.len(), "a sign stands for one word of letters and digits"),
            _ => self.problem(at, line.len(), "this is no row, no sign with its word, and no sheet"),
        }
    }

    fn problem(&mut self, at: usize, length: usize, message: impl Into<String>) {
        let span = Span::new(at, at + length);
        self.problems.push(Diagnostic::new(&LAYOUT, span, message));
    }

    fn finish(mut self, end: usize) -> Result<Layout, Vec<Diagnostic>> {
        let mut rows = Vec::new();
        let width = self.rows.first().map_or(0, |(row, _)| row.chars().count());
        for (number, (row, at)) in std::mem::take(&mut self.rows).into_iter().enumerate() {
            let signs = row.chars().count();
            if signs != width {
                let message = format!("row {} has {signs} squares, and the first has {width}", number + 1);
                self.problem(at, row.len(), message);
            }
            rows.push(row.char_indices().map(|(index, sign)| self.square(sign, at + index)).collect());
        }
        let missing = match (&self.sheet, rows.is_empty()) {
            (None, _) => Some("the rule sheet is missing: a line such as `sheet tiles.gdl`"),
            (Some(_), true) => Some("the grid is missing"),
            (Some(_), false) => None,
        };
        if let Some(missing) = missing {
            self.problems.push(Diagnostic::new(&LAYOUT, Span::new(end, end), missing));
        }
        match self.sheet {
            Some(sheet) if self.problems.is_empty() => Ok(Layout { sheet: sheet.to_string(), rows }),
            _ => Err(self.problems),
        }
    }

    /// The name that a sign at a position stands for; empty if it has none, which is reported.
    fn square(&mut self, sign: char, at: usize) -> String {
        match (self.names.get(&sign), sign) {
            (Some(name), _) => (*name).to_string(),
            (None, '.') => "free".to_string(),
            (None, '#') => "wall".to_string(),
            (None, sign) if sign.is_ascii_lowercase() || sign.is_ascii_digit() => sign.to_string(),
            (None, sign) => {
                let message = format!("`{sign}` stands for nothing; a line such as `{sign} agent` says for what");
                self.problem(at, sign.len_utf8(), message);
                String::new()
            }
        }
    }
}

/// True if a text is a constant in every dialect.
fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
}
