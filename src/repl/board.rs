//! Boards: facts such as `cell(1,2,x)` seen as a grid, for the command `show`.
//!
//! An [`Extent`] is what is known of one relation: what holds, and what may hold. [`Axes`] says which of its arguments run
//! across and which down; [`Axes::choose`] finds them where the arguments look like coordinates. Both together make a
//! [`Board`], a value, which [`draw()`] makes text of.

mod abbreviate;
mod axes;
mod coordinate;
mod draw;
mod extent;

pub use axes::Axes;
pub use draw::draw;
pub use extent::Extent;

use crate::rules::GroundTerm;
use serde::Serialize;
use std::collections::BTreeMap;

/// What one fact puts into a cell: its arguments beside the coordinates; none where the fact is a mere mark.
pub type Piece = Vec<GroundTerm>;

/// A relation laid out in rows and columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Board {
    /// The name of the relation.
    pub relation: String,
    /// How many arguments it has.
    pub arity: usize,
    /// Which of the arguments run across and which down.
    #[serde(flatten)]
    pub axes: Axes,
    /// The coordinates of the columns, from the left.
    pub columns: Vec<Vec<GroundTerm>>,
    /// The coordinates of the rows, from the top as they are drawn; one row without coordinates where no argument runs down.
    pub rows: Vec<Vec<GroundTerm>>,
    /// A list a row, from the top, with an entry a column: the pieces there in canonical order, or nothing where no fact can
    /// ever be.
    pub cells: Vec<Vec<Option<Vec<Piece>>>>,
    /// Every piece that the relation is known to hold at some time, in canonical order, so that abbreviations stay the same.
    #[serde(skip)]
    pub pieces: Vec<Piece>,
}

/// A relation that has too many coordinates for a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {rows} rows and {columns} columns is too large to be drawn")]
pub struct TooLarge {
    /// How many rows it would have.
    pub rows: usize,
    /// How many columns it would have.
    pub columns: usize,
}

impl Board {
    /// The most cells that a board has.
    pub const MOST_CELLS: usize = 1 << 16;

    /// Lays a relation out.
    ///
    /// # Errors
    /// Beyond [`Board::MOST_CELLS`].
    pub fn new(extent: &Extent, axes: &Axes) -> Result<Self, TooLarge> {
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

/// Where each coordinate stands.
fn indices(coordinates: &[Vec<GroundTerm>]) -> BTreeMap<Vec<GroundTerm>, usize> {
    coordinates.iter().cloned().zip(0..).collect()
}
