//! Positions drawn with signs: boards of facts such as `cell(1,2,x)`, stacks, hands, values.
//!
//! A sheet may declare how its positions are drawn (`rules::picture`). Of a sheet that declares nothing, the relations
//! are drawn that look like boards: an `Extent` holds what is known of a relation, the facts that hold and those that
//! may hold, and [`Axes`] says which of its arguments are horizontal and which vertical; `Axes::choose` finds them. A
//! `Setting` has what is known of a game, and makes `DrawnPosition` of a state: [`Board`]s and other figures, which are
//! values, and which [`draw()`] turns into text.

mod abbreviate;
mod axes;
mod cards;
mod coordinate;
mod draw;
mod extent;
mod figure;
mod glyphs;
mod grid;
mod layout;
mod paint;
mod pairs;
mod pictograms;
mod places;
mod plan;
mod planes;
mod ring;
mod rows;
mod setting;
mod sign;
mod sketch;
mod tree;

pub use axes::Axes;
pub use draw::draw;
#[doc(hidden)]
pub use draw::painted;
#[doc(hidden)]
pub use extent::Extent;
pub use figure::Figure;
pub(crate) use glyphs::Glyphs;
#[doc(hidden)]
pub use places::Places;
#[doc(hidden)]
pub use plan::BoardPlan;
pub use planes::Planes;
#[doc(hidden)]
pub use setting::{DrawnPosition, Setting, tuples};
#[doc(hidden)]
pub use sketch::{lines as figure_lines, sketched};

use gdl::rules::GroundTerm;
use gdl::rules::picture::{self, BoardShape, FactForm};
use serde::Serialize;

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
    /// What other relations add.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) layers: Vec<BoardLayer>,
    /// How the squares lie.
    #[serde(skip_serializing_if = "is_square")]
    pub(crate) shape: BoardShape,
    /// Where the squares of a row lie in pictures, if they lie opposite each other.
    #[serde(skip)]
    pub(crate) pairs: Option<ring::Ring>,
    /// What the arguments of the relation say.
    #[serde(skip)]
    pub(crate) form: FactForm,
    /// The marks that are drawn as walls, since they never change.
    #[serde(skip)]
    pub(crate) holes: Vec<GroundTerm>,
    /// Whether the facts of its layers are seen only where nothing else stands.
    #[serde(skip)]
    pub(crate) has_marks_below: bool,
    /// The words above it, in place of the relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    /// Whether rows and columns have labels.
    #[serde(skip)]
    pub(crate) is_labelled: bool,
    /// Every piece that the relation may have at some time, in canonical order, so that abbreviations stay the same.
    #[serde(skip)]
    pub(crate) pieces: Vec<Piece>,
    /// The sign of each piece.
    #[serde(skip)]
    pub(crate) glyphs: Glyphs,
    /// The cells that are marked because they have changed.
    #[serde(skip)]
    pub(crate) changed: Vec<(usize, usize)>,
}

/// Facts of another relation on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct BoardLayer {
    /// The name of the relation.
    pub(crate) relation: String,
    /// What its arguments say.
    #[serde(skip)]
    pub(crate) form: FactForm,
    /// The rows from top to bottom, each with an entry for each column: the pieces there in canonical order.
    pub(crate) cells: Vec<Vec<Vec<Piece>>>,
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
    /// Marks the cells that differ from those of another position of the same board.
    pub fn mark_changes(&mut self, before: &Self) {
        self.changed.clear();
        if (&self.rows, &self.columns) != (&before.rows, &before.columns) || self.layers.len() != before.layers.len() {
            return;
        }
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let mut layers = self.layers.iter().zip(&before.layers);
                let is_same = self.cells[row][column] == before.cells[row][column]
                    && layers.all(|(layer, old)| layer.cells[row][column] == old.cells[row][column]);
                if !is_same {
                    self.changed.push((row, column));
                }
            }
        }
    }

    /// The marked cells, as rows and columns.
    pub fn changed(&self) -> &[(usize, usize)] {
        &self.changed
    }

    /// The glyph of a piece of the board's own relation.
    pub fn glyph(&self, piece: &Piece) -> &picture::Glyph {
        self.glyphs.glyph(&Glyphs::key(&self.form, piece))
    }

    /// The piece of the board's own relation with this glyph, if there is exactly one.
    pub(crate) fn piece_of_glyph(&self, glyph: &str) -> Option<&Piece> {
        let mut found = self.pieces.iter().filter(|piece| self.glyph(piece).text == glyph);
        let first = found.next();
        if found.next().is_none() { first } else { None }
    }

    /// Everything that is drawn in a cell, as keys of its glyphs, from the bottom; `None` where nothing can ever stand.
    /// Static layers, and marks that no declaration puts there, are drawn where nothing else stands.
    pub(crate) fn drawn(&self, row: usize, column: usize) -> Option<Vec<Piece>> {
        let own = self.cells[row][column].as_ref()?.iter().map(|piece| Glyphs::key(&self.form, piece));
        let mut keys: Vec<Piece> = own.collect();
        let layer = |is_static: bool| {
            let is_below = |layer: &BoardLayer| layer.form.is_static || self.has_marks_below;
            let layers = self.layers.iter().filter(move |layer| is_below(layer) == is_static);
            layers.flat_map(move |layer| layer.cells[row][column].iter().map(|piece| Glyphs::key(&layer.form, piece)))
        };
        keys.extend(layer(false));
        if keys.iter().all(|key| self.glyphs.is_blank(key)) {
            let below: Vec<Piece> = layer(true).collect();
            if !below.is_empty() {
                return Some(below);
            }
        }
        Some(keys)
    }
}

fn is_square(shape: &BoardShape) -> bool {
    *shape == BoardShape::Square
}
