//! Draws boards as text.

use super::abbreviate::{full_name, names};
use super::{Board, Piece};
use crate::drawing::Cells;
use crate::rules::GroundTerm;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of characters in a line; columns that do not fit are drawn below the others.
const WIDTH: usize = 120;

const EMPTY: &str = ".";

/// A board as text: the relation with its arguments, the grid (labels on the side from which rows are counted), and the
/// meaning of abbreviations. A dot is an empty cell; a cell is blank if no fact can ever hold there.
pub fn draw(board: &Board) -> String {
    let names = names(&board.pieces);
    let grid = Grid::of(board, &names);
    let mut text = title(board) + "\n";
    for band in grid.bands() {
        text += &grid.band(band, board.axes.upwards);
    }
    text + &legend(board, &names)
}

/// The cells of a board as texts, row by row: abbreviated pieces, an empty text for an empty cell, and `None` where no
/// fact can ever hold. A piece whose abbreviation is that of a blank (`b`, `blank`, `empty`) is an empty cell.
pub(crate) fn cells(board: &Board) -> Cells {
    let names = names(&board.pieces);
    let is_blank = |piece: &Piece| matches!(&full_name(piece)[..], "b" | "blank" | "empty");
    let cell = |cell: &Option<Vec<Piece>>| {
        let pieces = cell.as_ref()?.iter().filter(|piece| !is_blank(piece));
        Some(pieces.map(|piece| names[piece].as_str()).collect::<Vec<_>>().join("+"))
    };
    board.cells.iter().map(|row| row.iter().map(cell).collect()).collect()
}

/// The texts of a board and their widths.
struct Grid {
    columns: Vec<String>,
    rows: Vec<String>,
    cells: Vec<Vec<String>>,
    /// The width of each column, in characters.
    width: usize,
    /// The width of the row labels, in characters; 0 if there are none.
    margin: usize,
    /// Whether the contents of cells are right-aligned.
    numeric: bool,
}

impl Grid {
    fn of(board: &Board, names: &BTreeMap<&Piece, String>) -> Self {
        let columns: Vec<String> = board.columns.iter().map(|key| label(key)).collect();
        let rows: Vec<String> = board.rows.iter().map(|key| label(key)).collect();
        let cell = |cell: &Option<Vec<Piece>>| match cell.as_deref() {
            None => String::new(),
            Some([]) => EMPTY.to_string(),
            Some(pieces) => pieces.iter().map(|piece| names[piece].as_str()).collect::<Vec<_>>().join("+"),
        };
        let cells: Vec<Vec<String>> = board.cells.iter().map(|row| row.iter().map(cell).collect()).collect();
        let width = cells.iter().flatten().chain(&columns).map(|text| length(text)).max().unwrap_or(0);
        let margin = rows.iter().map(|text| length(text)).max().unwrap_or(0);
        let numeric = names.values().all(|name| name.parse::<i64>().is_ok());
        Self { columns, rows, cells, width, margin, numeric }
    }

    /// The groups of columns that are drawn next to each other.
    fn bands(&self) -> Vec<std::ops::Range<usize>> {
        let columns = self.columns.len();
        let fitting = (WIDTH.saturating_sub(self.margin + 3) / (self.width + 1)).max(1);
        (0..columns).step_by(fitting).map(|first| first..columns.min(first + fitting)).collect()
    }

    fn band(&self, columns: std::ops::Range<usize>, upwards: bool) -> String {
        let rows = self.rows.iter().zip(&self.cells);
        let mut lines: Vec<String> =
            rows.map(|(label, cells)| self.line(label, '│', &cells[columns.clone()])).collect();
        let labels = &self.columns[columns];
        let rule = "─".repeat(labels.len() * (self.width + 1) - usize::from(self.margin == 0));
        let corner = |corner: char| {
            if self.margin == 0 { String::new() } else { " ".repeat(self.margin + 1) + &corner.to_string() }
        };
        if labels.iter().all(String::is_empty) {
            // A board of one column needs no column label.
        } else if upwards {
            lines.extend([corner('└') + &rule, self.line("", ' ', labels)]);
        } else {
            lines.splice(0..0, [self.line("", ' ', labels), corner('┌') + &rule]);
        }
        lines.into_iter().map(|line| line.trim_end().to_string() + "\n").collect()
    }

    fn line(&self, label: &str, edge: char, cells: &[String]) -> String {
        let width = self.width;
        let cell = |text: &String| if self.numeric { format!("{text:>width$}") } else { format!("{text:width$}") };
        let cells = cells.iter().map(cell).collect::<Vec<_>>().join(" ");
        let margin = self.margin;
        if margin == 0 { cells } else { format!("{label:>margin$} {edge} {cells}") }
    }
}

/// The first line of a board: `cell(row,column,_)`.
fn title(board: &Board) -> String {
    let name = |argument| match argument {
        _ if board.axes.rows.contains(&argument) => "row",
        _ if board.axes.columns.contains(&argument) => "column",
        _ => "_",
    };
    format!("{}({})", board.relation, (0..board.arity).map(name).collect::<Vec<_>>().join(","))
}

/// The meaning of the abbreviations on the board, as lines.
fn legend(board: &Board, names: &BTreeMap<&Piece, String>) -> String {
    let drawn: BTreeSet<&Piece> = board.cells.iter().flatten().flatten().flatten().collect();
    let entry = |piece: &&Piece| {
        let full = full_name(piece);
        (full != names[piece]).then(|| format!("{} = {full}", names[piece]))
    };
    let mut lines: Vec<String> = Vec::new();
    for entry in drawn.iter().filter_map(entry) {
        match lines.last_mut() {
            Some(line) if length(line) + 2 + length(&entry) < WIDTH => *line += &format!(", {entry}"),
            _ => lines.push(entry),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

fn label(key: &[GroundTerm]) -> String {
    key.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn length(text: &str) -> usize {
    text.chars().count()
}
