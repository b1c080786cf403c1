//! Boards: facts such as `cell(1,2,x)` drawn as a grid, for the command `show`.
//!
//! An `Extent` holds what is known of one relation: the facts that hold, and those that may hold. [`Axes`] says which
//! of its arguments are horizontal and which vertical; `Axes::choose` finds them if the arguments look like
//! coordinates. Both together make a [`Board`], a value, which [`draw()`] turns into text.

mod abbreviate;
mod axes;
mod coordinate;
mod draw;
mod extent;
mod places;
mod rows;

pub use axes::Axes;
pub(crate) use draw::cells;
pub use draw::draw;
pub(crate) use extent::Extent;
pub(crate) use places::Places;
pub(crate) use rows::RowsError;

use crate::rules::GroundTerm;
use serde::Serialize;
use std::collections::BTreeMap;

/// What one fact puts into a cell: its arguments that are not coordinates; empty if the fact is only a mark.
pub type Piece = Vec<GroundTerm>;

/// A relation laid out in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// The name of the relation.
    pub relation: String,
    /// The number of arguments of the relation.
    pub arity: usize,
    /// The arguments that are horizontal and vertical.
    #[serde(flatten)]
    pub axes: Axes,
    /// The coordinates of the columns, from left to right.
    pub columns: Vec<Vec<GroundTerm>>,
    /// The coordinates of the rows, from top to bottom; one row without coordinates if no argument is vertical.
    pub rows: Vec<Vec<GroundTerm>>,
    /// The rows from top to bottom, each with an entry for each column: the pieces there in canonical order, or `None`
    /// if no fact can ever hold there.
    pub cells: Vec<Vec<Option<Vec<Piece>>>>,
    /// Every piece that the relation may have at some time, in canonical order, so that abbreviations stay the same.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
}

/// A relation that has too many coordinates for a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {rows} rows and {columns} columns is too large to be drawn")]
pub struct TooLarge {
    /// The number of rows that it would have.
    pub(crate) rows: usize,
    /// The number of columns that it would have.
    pub(crate) columns: usize,
}

impl Board {
    /// The greatest number of cells of a board.
    pub(crate) const MOST_CELLS: usize = 1 << 16;

    /// Lays a relation out as a board.
    ///
    /// # Errors
    /// If it has more than [`Board::MOST_CELLS`] cells.
    pub(crate) fn new(extent: &Extent, axes: &Axes) -> Result<Self, TooLarge> {
        let columns = extent.coordinates(&axes.columns);
        let mut rows = extent.coordinates(&axes.rows);
        if rows.len().saturating_mul(columns.len()) > Self::MOST_CELLS {
            return Err(TooLarge { rows: rows.len(), columns: columns.len() });
        }
        if axes.upwards {
            rows.reverse();
        }
        let unseen = if extent.is_declared() { None } else { Some(Vec::new()) };
        let mut cells = vec![vec![unseen; columns.len()]; rows.len()];
        let (row_indices, column_indices) = (indices(&rows), indices(&columns));
        let cell = |tuple: &[GroundTerm]| (row_indices[&axes.row(tuple)], column_indices[&axes.column(tuple)]);
        let mut pieces = Vec::new();
        for tuple in extent.possible() {
            let (row, column) = cell(tuple);
            cells[row][column].get_or_insert_default();
            pieces.push(axes.piece(tuple));
        }
        for tuple in extent.holding() {
            let (row, column) = cell(tuple);
            cells[row][column].get_or_insert_default().push(axes.piece(tuple));
        }
        pieces.sort();
        pieces.dedup();
        let (relation, arity) = (extent.name().to_string(), extent.arity());
        Ok(Self { relation, arity, axes: axes.clone(), columns, rows, cells, pieces })
    }
}

/// The index of each coordinate.
fn indices(coordinates: &[Vec<GroundTerm>]) -> BTreeMap<Vec<GroundTerm>, usize> {
    coordinates.iter().cloned().zip(0..).collect()
}
