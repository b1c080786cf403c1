//! Positions drawn with signs: boards of facts such as `cell(1,2,x)`, stacks, hands, values.
//!
//! A sheet may declare how its positions are drawn (`rules::picture`). Of a sheet that declares nothing, the relations
//! are drawn that look like boards: an `Extent` holds what is known of a relation, the facts that hold and those that may
//! hold, and [`Axes`] says which of its arguments are horizontal and which vertical; `Axes::choose` finds them. A
//! `Setting` has what is known of a game, and makes `Drawn` of a state: [`Board`]s and other figures, which are values,
//! and which [`draw()`] turns into text.

mod abbreviate;
mod axes;
mod coordinate;
mod draw;
mod extent;
mod figure;
mod glyphs;
mod paint;
mod places;
mod ring;
mod rows;
mod setting;
mod sketch;

pub use axes::Axes;
pub use draw::draw;
pub(crate) use draw::painted;
pub(crate) use extent::Extent;
pub use figure::Figure;
pub(crate) use glyphs::Glyphs;
pub(crate) use places::Places;
pub(crate) use setting::{Drawn, Setting, tuples};
pub(crate) use sketch::{lines as figure_lines, sketched};

use crate::rules::GroundTerm;
use crate::rules::picture::{self, FactForm, Field, Picture, Shape};
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
    /// What other relations add.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) layers: Vec<Layer>,
    /// How the squares lie.
    #[serde(skip_serializing_if = "is_square")]
    pub(crate) shape: Shape,
    /// What the arguments of the relation say.
    #[serde(skip)]
    pub(crate) form: FactForm,
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
pub(crate) struct Layer {
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

/// What a board shows, and how.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    /// What the arguments of its relation say.
    pub(crate) form: FactForm,
    /// The axes of its relation.
    pub(crate) axes: Axes,
    /// What the arguments of further relations say.
    pub(crate) layers: Vec<FactForm>,
    title: Option<String>,
    is_labelled: bool,
    shape: Shape,
    is_declared: bool,
}

impl Plan {
    /// The plan of a declared board.
    pub(crate) fn declared(figure: &picture::Figure) -> Self {
        let form = figure.facts[0].clone();
        let axes =
            Axes { rows: form.indices(&Field::Row), columns: form.indices(&Field::Column), upwards: figure.is_upwards };
        Self {
            axes,
            form,
            layers: figure.facts[1..].to_vec(),
            title: figure.title.clone(),
            is_labelled: figure.is_labelled,
            shape: figure.shape,
            is_declared: true,
        }
    }

    /// The same plan with other axes.
    pub(crate) fn turned(mut self, turned: &dyn Fn(Axes) -> Axes) -> Self {
        self.axes = turned(self.axes);
        self
    }

    /// The plan of a relation with these axes, of which nothing is declared.
    pub(crate) fn guessed(extent: &Extent, axes: Axes) -> Self {
        let field = |index: usize| match index {
            _ if axes.rows.contains(&index) => Field::Row,
            _ if axes.columns.contains(&index) => Field::Column,
            _ => Field::Piece,
        };
        let fields = (0..extent.arity()).map(field).collect();
        let form = FactForm { relation: extent.name().into(), fields, is_static: false };
        let (layers, title) = (Vec::new(), None);
        Self { form, axes, layers, title, is_labelled: true, shape: Shape::Square, is_declared: false }
    }
}

impl Board {
    /// The greatest number of cells of a board.
    pub(crate) const MOST_CELLS: usize = 1 << 16;

    /// Lays relations out as a board: that of the plan, and its layers.
    ///
    /// # Errors
    /// If it has more than [`Board::MOST_CELLS`] cells.
    pub(crate) fn new(main: &Extent, layers: &[Extent], plan: Plan, picture: &Picture) -> Result<Self, TooLarge> {
        let Plan { form, axes, title, is_labelled, shape, is_declared, layers: layer_forms } = plan;
        let layer_axes: Vec<Axes> = layer_forms.iter().map(|layer| axes.for_layer(&form, layer)).collect();
        let others: Vec<(&Extent, &Axes)> = layers.iter().zip(&layer_axes).collect();
        let columns = coordinates(main, &axes.columns, others.iter().map(|(extent, axes)| (*extent, &axes.columns)));
        let mut rows = coordinates(main, &axes.rows, others.iter().map(|(extent, axes)| (*extent, &axes.rows)));
        if rows.len().saturating_mul(columns.len()) > Self::MOST_CELLS {
            return Err(TooLarge { rows: rows.len(), columns: columns.len() });
        }
        if axes.upwards {
            rows.reverse();
        }
        let unseen = if main.is_declared() { None } else { Some(Vec::new()) };
        let mut cells = vec![vec![unseen; columns.len()]; rows.len()];
        let (row_indices, column_indices) = (indices(&rows), indices(&columns));
        let cell =
            |axes: &Axes, tuple: &[GroundTerm]| (row_indices[&axes.row(tuple)], column_indices[&axes.column(tuple)]);
        let mut pieces = Vec::new();
        for tuple in main.possible() {
            let (row, column) = cell(&axes, tuple);
            cells[row][column].get_or_insert_default();
            pieces.push(form.piece(tuple));
        }
        for tuple in main.holding() {
            let (row, column) = cell(&axes, tuple);
            cells[row][column].get_or_insert_default().push(form.piece(tuple));
        }
        let mut shown = Vec::new();
        let mut drawn_layers = Vec::new();
        for ((form, (extent, axes)), relation) in layer_forms.iter().zip(others).zip(layers.iter().map(Extent::name)) {
            let mut layer = vec![vec![Vec::new(); columns.len()]; rows.len()];
            for tuple in extent.possible() {
                let (row, column) = cell(axes, tuple);
                cells[row][column].get_or_insert_default();
                shown.push(Glyphs::key(form, &form.piece(tuple)));
            }
            for tuple in extent.holding() {
                let (row, column) = cell(axes, tuple);
                layer[row][column].push(form.piece(tuple));
            }
            drawn_layers.push(Layer { relation: relation.to_string(), form: form.clone(), cells: layer });
        }
        pieces.sort();
        pieces.dedup();
        shown.extend(pieces.iter().map(|piece| Glyphs::key(&form, piece)));
        let is_full = cells.iter().flatten().flatten().count()
            == main.initial_count(&[&axes.rows[..], &axes.columns[..]].concat());
        let has_marks = |form: &FactForm| form.indices(&Field::Piece).is_empty();
        let mark = (has_marks(&form) && !layer_forms.iter().any(has_marks)).then(|| Glyphs::key(&form, &Vec::new()));
        let glyphs = Glyphs::new(shown, mark.as_ref(), picture, is_full, is_declared);
        let (relation, arity) = (main.name().to_string(), main.arity());
        Ok(Self {
            relation,
            arity,
            axes,
            columns,
            rows,
            cells,
            layers: drawn_layers,
            shape,
            form,
            title,
            is_labelled,
            pieces,
            glyphs,
            changed: Vec::new(),
        })
    }

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
    pub(crate) fn glyph(&self, piece: &Piece) -> &picture::Glyph {
        self.glyphs.of(&Glyphs::key(&self.form, piece))
    }

    /// The piece of the board's own relation with this glyph, if there is exactly one.
    pub(crate) fn piece_of_glyph(&self, glyph: &str) -> Option<&Piece> {
        let mut found = self.pieces.iter().filter(|piece| self.glyph(piece).text == glyph);
        found.next().filter(|_| found.next().is_none())
    }

    /// Everything that is drawn in a cell, as keys of its glyphs, from the bottom; `None` where nothing can ever stand.
    /// Static layers are drawn where nothing else stands.
    pub(crate) fn drawn(&self, row: usize, column: usize) -> Option<Vec<Piece>> {
        let own = self.cells[row][column].as_ref()?.iter().map(|piece| Glyphs::key(&self.form, piece));
        let mut keys: Vec<Piece> = own.collect();
        let layer = |is_static: bool| {
            let layers = self.layers.iter().filter(move |layer| layer.form.is_static == is_static);
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

/// The coordinates of a relation along one axis, and those that its layers add.
fn coordinates<'a>(
    main: &Extent,
    arguments: &[usize],
    layers: impl Iterator<Item = (&'a Extent<'a>, &'a Vec<usize>)>,
) -> Vec<Vec<GroundTerm>> {
    let mut known = main.coordinates(arguments);
    let mut is_extended = false;
    for (extent, arguments) in layers {
        for coordinate in extent.coordinates(arguments) {
            if !known.contains(&coordinate) {
                known.push(coordinate);
                is_extended = true;
            }
        }
    }
    if is_extended {
        known.sort_by(|left, right| coordinate::compare_all(left, right));
    }
    known
}

/// The index of each coordinate.
fn indices(coordinates: &[Vec<GroundTerm>]) -> BTreeMap<Vec<GroundTerm>, usize> {
    coordinates.iter().cloned().zip(0..).collect()
}

fn is_square(shape: &Shape) -> bool {
    *shape == Shape::Square
}
