//! Draws boards as text.

use super::Board;
use super::Piece;
use super::grid::TextGrid;
use super::ring::Ring;
use super::sign::length;
use crate::fit::{WIDTH, cut};
use gdl::diagnostic::render::Paint;
use gdl::rules::picture::BoardShape;
use std::collections::BTreeSet;

/// A board as text: the relation with its arguments, the grid (labels on the side from which rows are counted), and the
/// meaning of signs. A dot is an empty cell; `#` is one on which no fact can ever hold, unless signs are declared.
/// Lines have at most [`WIDTH`] characters.
pub fn draw(board: &Board) -> String {
    painted(board, Paint::Plain, WIDTH)
}

/// As [`draw()`], with declared colours, in lines of at most this width: columns that do not fit are drawn below the
/// others. Cells that have changed are underlined.
pub fn painted(board: &Board, paint: Paint, width: usize) -> String {
    let mut text = title(board) + "\n";
    let grid = TextGrid::from_board(board, paint);
    match ring(board, (width + 1) / (grid.width() + 1)) {
        Some(ring) => text += &grid.ring(&ring),
        None => text.extend(grid.bands(board, width).into_iter().map(|band| grid.band(band, board))),
    }
    cut(&(text + &legend(board, width)), width)
}

/// The ring of a board of one row that is declared as one, with its numbers in at most this many columns.
pub(super) fn ring(board: &Board, most_columns: usize) -> Option<Ring> {
    let is_ring = board.shape == BoardShape::Ring && board.rows.len() == 1;
    if is_ring { Ring::with_squares(board.columns.len(), most_columns.saturating_sub(2)) } else { None }
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
fn legend(board: &Board, width: usize) -> String {
    let cells = (0..board.rows.len()).flat_map(|row| (0..board.columns.len()).map(move |column| (row, column)));
    let drawn: BTreeSet<Piece> = cells.filter_map(|(row, column)| board.drawn(row, column)).flatten().collect();
    let mut lines: Vec<String> = Vec::new();
    for entry in drawn.iter().filter_map(|key| board.glyphs.meaning(key)) {
        match lines.last_mut() {
            Some(line) if length(line) + 2 + length(&entry) <= width => *line += &format!(", {entry}"),
            _ => lines.push(entry),
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}
