//! Draws boards as text.

use super::Board;
use super::Piece;
use super::ring::Ring;
use crate::diagnostic::render::Paint;
use crate::rules::GroundTerm;
use crate::rules::picture::{Colour, Glyph, Shape};
use anstyle::{AnsiColor, Style};
use std::collections::BTreeSet;

/// The greatest number of characters in a line; columns that do not fit are drawn below the others.
const WIDTH: usize = 120;

/// A board as text: the relation with its arguments, the grid (labels on the side from which rows are counted), and the
/// meaning of signs. A dot is an empty cell; `#` is one on which no fact can ever hold, unless signs are declared.
pub fn draw(board: &Board) -> String {
    painted(board, Paint::Plain)
}

/// As [`draw()`], with declared colours; cells that have changed are underlined.
pub(crate) fn painted(board: &Board, paint: Paint) -> String {
    let mut text = title(board) + "\n";
    let grid = Grid::of(board, paint);
    match ring(board) {
        Some(ring) => text += &grid.ring(&ring),
        None => text.extend(grid.bands().into_iter().map(|band| grid.band(band, board))),
    }
    text + &legend(board)
}

/// The ring of a board of one row that is declared as one.
pub(super) fn ring(board: &Board) -> Option<Ring> {
    if board.shape == Shape::Ring && board.rows.len() == 1 { Ring::of(board.columns.len()) } else { None }
}

/// The texts of the signs in one cell: side by side if all signs of the board have one character, else with `+` between
/// them.
pub(super) fn joined<'a>(board: &Board, signs: impl Iterator<Item = &'a Glyph>) -> Vec<String> {
    let is_short = board.glyphs.all().all(|glyph| length(&glyph.text) <= 1);
    let mut texts = Vec::new();
    for sign in signs {
        if !texts.is_empty() && !is_short {
            texts.push("+".to_string());
        }
        texts.push(sign.text.clone());
    }
    texts
}

/// A text with its styled form.
#[derive(Clone, Default)]
struct Cell {
    width: usize,
    text: String,
}

impl Cell {
    fn plain(text: String) -> Self {
        Self { width: length(&text), text }
    }
}

/// The texts of a board and their widths.
struct Grid {
    columns: Vec<Cell>,
    rows: Vec<String>,
    cells: Vec<Vec<Cell>>,
    /// The width of each column, in characters.
    width: usize,
    /// The width of the row labels, in characters; 0 if there are none.
    margin: usize,
    /// Whether the contents of cells are right-aligned.
    numeric: bool,
}

impl Grid {
    fn of(board: &Board, paint: Paint) -> Self {
        let labels = |keys: &[Vec<GroundTerm>]| -> Vec<String> {
            keys.iter().map(|key| if board.is_labelled { label(key) } else { String::new() }).collect()
        };
        let (columns, rows) = (labels(&board.columns), labels(&board.rows));
        let columns: Vec<Cell> = columns.into_iter().map(Cell::plain).collect();
        let cells: Vec<Vec<Cell>> = (0..board.rows.len())
            .map(|row| (0..board.columns.len()).map(|column| cell(board, row, column, paint)).collect())
            .collect();
        let width = cells.iter().flatten().chain(&columns).map(|cell| cell.width).max().unwrap_or(0);
        let margin = rows.iter().map(|text| length(text)).max().unwrap_or(0);
        let mut signs = board.glyphs.all().filter(|glyph| **glyph != board.glyphs.empty).peekable();
        let numeric = signs.peek().is_some() && signs.all(|glyph| glyph.text.parse::<i64>().is_ok());
        Self { columns, rows, cells, width, margin, numeric }
    }

    /// The groups of columns that are drawn next to each other.
    fn bands(&self) -> Vec<std::ops::Range<usize>> {
        let columns = self.columns.len();
        let fitting = (WIDTH.saturating_sub(self.margin + 3) / (self.width + 1)).max(1);
        (0..columns).step_by(fitting).map(|first| first..columns.min(first + fitting)).collect()
    }

    fn band(&self, columns: std::ops::Range<usize>, board: &Board) -> String {
        let rows = self.rows.iter().zip(&self.cells).enumerate();
        let mut lines: Vec<String> = rows
            .map(|(row, (label, cells))| self.line(label, '│', &cells[columns.clone()], self.shift(board, row)))
            .collect();
        let labels = &self.columns[columns];
        let widest = (0..self.rows.len()).map(|row| self.shift(board, row)).max().unwrap_or(0);
        let rule = "─".repeat(labels.len() * (self.width + 1) + widest - usize::from(self.margin == 0));
        let corner = |corner: char| {
            if self.margin == 0 { String::new() } else { " ".repeat(self.margin + 1) + &corner.to_string() }
        };
        if labels.iter().all(|label| label.width == 0) {
            // A board of one column needs no column label, and an unlabelled one has none.
        } else if board.axes.upwards {
            let shift = self.shift(board, self.rows.len() - 1);
            lines.extend([corner('└') + &rule, self.line("", ' ', labels, shift)]);
        } else {
            lines.splice(0..0, [self.line("", ' ', labels, 0), corner('┌') + &rule]);
        }
        lines.into_iter().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    /// The squares of the only row around a rectangle, with their labels outside.
    fn ring(&self, ring: &Ring) -> String {
        let width = self.width;
        let mut lines = vec![vec![" ".repeat(width); ring.width + 2]; ring.height + 2];
        for ((cell, label), &(row, column)) in self.cells[0].iter().zip(&self.columns).zip(&ring.squares) {
            lines[row + 1][column + 1] = " ".repeat(width - cell.width) + &cell.text;
            let (outer_row, outer_column) = match row {
                0 => (0, column + 1),
                _ if row + 1 == ring.height => (row + 2, column + 1),
                _ if column == 0 => (row + 1, 0),
                _ => (row + 1, column + 2),
            };
            lines[outer_row][outer_column] = format!("{:>width$}", label.text);
        }
        lines.into_iter().map(|line| line.join(" ").trim_end().to_string() + "\n").filter(|line| line != "\n").collect()
    }

    /// The number of blanks by which a row of hexagons is shifted.
    fn shift(&self, board: &Board, row: usize) -> usize {
        if board.shape == Shape::Hex { row * (self.width + 1).div_ceil(2) } else { 0 }
    }

    fn line(&self, label: &str, edge: char, cells: &[Cell], shift: usize) -> String {
        let cell = |cell: &Cell| {
            let blanks = " ".repeat(self.width - cell.width);
            if self.numeric { blanks + &cell.text } else { cell.text.clone() + &blanks }
        };
        let cells = " ".repeat(shift) + &cells.iter().map(cell).collect::<Vec<_>>().join(" ");
        let margin = self.margin;
        if margin == 0 { cells } else { format!("{label:>margin$} {edge} {cells}") }
    }
}

/// What a cell shows.
fn cell(board: &Board, row: usize, column: usize, paint: Paint) -> Cell {
    let glyphs = &board.glyphs;
    let drawn = board.drawn(row, column);
    let visible = |keys: &[Piece]| -> Vec<Glyph> {
        let mut own: Vec<Glyph> =
            keys.iter().filter(|key| !glyphs.is_blank(key)).map(|key| glyphs.of(key).clone()).collect();
        if own.is_empty() {
            own.push(keys.first().map_or(&glyphs.empty, |key| glyphs.of(key)).clone());
        }
        own
    };
    let signs = drawn.as_deref().map_or_else(|| vec![glyphs.wall.clone()], visible);
    let is_changed = board.changed.contains(&(row, column));
    let mut cell = Cell::default();
    let texts = joined(board, signs.iter());
    let mut signs = signs.iter();
    for text in texts {
        cell.width += length(&text);
        let colour = if text == "+" { None } else { signs.next().and_then(|sign| sign.colour) };
        cell.text += &styled(&text, colour, is_changed, paint);
    }
    cell
}

/// A text in a colour, underlined if it is marked.
pub(super) fn styled(text: &str, colour: Option<Colour>, is_marked: bool, paint: Paint) -> String {
    let mut style = Style::new().fg_color(colour.map(|colour| colour.of_terminal().into()));
    if is_marked {
        style = style.bold().underline();
    }
    match paint {
        Paint::Coloured if style != Style::new() => format!("{style}{text}{style:#}"),
        _ => text.to_string(),
    }
}

/// The first line of a board: its declared title, or `cell(row,column,piece)`.
pub(super) fn title(board: &Board) -> String {
    let name = |argument| match argument {
        _ if board.axes.rows.contains(&argument) => "row".to_string(),
        _ if board.axes.columns.contains(&argument) => "column".to_string(),
        argument => board.form.fields[argument].word(),
    };
    let names = || (0..board.arity).map(name).collect::<Vec<_>>().join(",");
    board.title.clone().unwrap_or_else(|| format!("{}({})", board.relation, names()))
}

/// The meaning of the signs on the board that do not show it, as lines.
fn legend(board: &Board) -> String {
    let cells = (0..board.rows.len()).flat_map(|row| (0..board.columns.len()).map(move |column| (row, column)));
    let drawn: BTreeSet<Piece> = cells.filter_map(|(row, column)| board.drawn(row, column)).flatten().collect();
    let mut lines: Vec<String> = Vec::new();
    for entry in drawn.iter().filter_map(|key| board.glyphs.meaning(key)) {
        match lines.last_mut() {
            Some(line) if length(line) + 2 + length(&entry) < WIDTH => *line += &format!(", {entry}"),
            _ => lines.push(entry),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

pub(super) fn label(key: &[GroundTerm]) -> String {
    key.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

pub(super) fn length(text: &str) -> usize {
    text.chars().count()
}

impl Colour {
    /// The nearest colour of a terminal.
    fn of_terminal(self) -> AnsiColor {
        match self {
            Self::Black => AnsiColor::Black,
            Self::Red => AnsiColor::Red,
            Self::Green => AnsiColor::Green,
            Self::Yellow => AnsiColor::Yellow,
            Self::Blue => AnsiColor::Blue,
            Self::Magenta => AnsiColor::Magenta,
            Self::Cyan => AnsiColor::Cyan,
            Self::White => AnsiColor::White,
            Self::Grey => AnsiColor::BrightBlack,
        }
    }
}
