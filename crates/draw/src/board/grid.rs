//! The squares of a board in lines of text, with their labels: in groups of columns, or around a ring.

use super::ring::Ring;
use super::sign::{joined, label, length, styled};
use super::{Board, Piece};
use gdl::diagnostic::render::Paint;
use gdl::rules::GroundTerm;
use gdl::rules::picture::{BoardShape, Glyph};
use std::ops::Range;

/// A text with styles, and its width without them.
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
pub(super) struct TextGrid {
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

impl TextGrid {
    pub(super) fn from_board(board: &Board, paint: Paint) -> Self {
        let labels = |keys: &[Vec<GroundTerm>]| -> Vec<String> {
            keys.iter().map(|key| if board.is_labelled { label(key) } else { String::new() }).collect()
        };
        let columns = labels(&board.columns);
        let rows = labels(&board.rows);
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

    /// The width of each column, in characters.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The groups of columns that are drawn next to each other, in lines of at most this width.
    pub(super) fn bands(&self, board: &Board, width: usize) -> Vec<Range<usize>> {
        let columns = self.columns.len();
        let margin = if self.margin == 0 { 0 } else { self.margin + 2 };
        let fitting = (width.saturating_sub(margin + self.widest_shift(board)) / (self.width + 1)).max(1);
        (0..columns).step_by(fitting).map(|first| first..columns.min(first + fitting)).collect()
    }

    /// These columns of all rows.
    pub(super) fn band(&self, columns: Range<usize>, board: &Board) -> String {
        let rows = self.rows.iter().zip(&self.cells).enumerate();
        let mut lines: Vec<String> = rows
            .map(|(row, (label, cells))| self.line(label, '│', &cells[columns.clone()], self.shift(board, row)))
            .collect();
        let labels = &self.columns[columns];
        let rule = labels.len() * (self.width + 1) + self.widest_shift(board) - usize::from(self.margin == 0);
        let rule = "─".repeat(rule);
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
    pub(super) fn ring(&self, ring: &Ring) -> String {
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

    /// The number of blanks by which the last row is shifted.
    fn widest_shift(&self, board: &Board) -> usize {
        self.shift(board, self.rows.len().saturating_sub(1))
    }

    /// The number of blanks by which a row of hexagons is shifted.
    fn shift(&self, board: &Board, row: usize) -> usize {
        if board.shape == BoardShape::Hex { row * (self.width + 1).div_ceil(2) } else { 0 }
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
            keys.iter().filter(|key| !glyphs.is_blank(key)).map(|key| glyphs.glyph(key).clone()).collect();
        if own.is_empty() {
            own.push(keys.first().map_or(&glyphs.empty, |key| glyphs.glyph(key)).clone());
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
