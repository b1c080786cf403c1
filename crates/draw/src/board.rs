//! Positions as values that can be drawn: boards of facts such as `cell(1,2,x)`, stacks, hands and values.
//!
//! A sheet may declare how its positions are drawn (`rules::picture`). If it declares nothing, the relations that look
//! like boards are drawn: an `Extent` has the facts of a relation that hold in a state and those that may hold, and
//! [`Axes`] has the arguments that are horizontal and vertical; `Axes::choose` finds them. A `Setting` has the data
//! about a game, and makes a `DrawnPosition` of a state: [`Board`]s and other figures, which [`draw()`] turns into
//! text. This file has the board itself: its plan, its layout from the facts of relations, and its value.

mod draw;
mod extent;
mod figure;
mod glyphs;
mod hexagons;
mod lattice;
mod notation;
mod paint;
mod planes;
mod ring;
mod setting;
mod tuples;

pub use draw::draw;
#[doc(hidden)]
pub use draw::{lines as figure_lines, painted, sketched};
pub use extent::Axes;
#[doc(hidden)]
pub use extent::Extent;
pub use figure::Figure;
pub(crate) use glyphs::Glyphs;
#[doc(hidden)]
pub use notation::Places;
pub use planes::Planes;
#[doc(hidden)]
pub use setting::{DrawnPosition, Setting};
pub use tuples::tuples;

use gdl::rules::GroundTerm;
use gdl::rules::picture::{BoardShape, DeclaredFigure, FactForm, Field, Glyph, Picture};
use gdl::sorting;
use serde::Serialize;
use std::collections::BTreeMap;

/// The piece that one fact puts into a cell: its arguments that are not coordinates; empty if the fact is only a mark.
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
    /// The facts of other relations on the board.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    layers: Vec<BoardLayer>,
    /// The arrangement of the squares.
    #[serde(skip_serializing_if = "is_square")]
    shape: BoardShape,
    /// The places of the squares of a row in pictures, if they lie opposite each other.
    #[serde(skip)]
    pairs: Option<ring::Ring>,
    /// The places of the squares of a row that are named by a letter and a number.
    #[serde(skip)]
    lattice: Option<lattice::Lattice>,
    /// The meaning of the arguments of the relation.
    #[serde(skip)]
    form: FactForm,
    /// The marks that are drawn as walls, since they never change.
    #[serde(skip)]
    holes: Vec<GroundTerm>,
    /// True if the facts of its layers are seen only where nothing else stands.
    #[serde(skip)]
    has_marks_below: bool,
    /// The words above it, in place of the relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    /// True if rows and columns have labels.
    #[serde(skip)]
    is_labelled: bool,
    /// Every piece that the relation may have at some time, in canonical order, so that abbreviations stay the same.
    #[serde(skip)]
    pieces: Vec<Piece>,
    /// The sign of each piece.
    #[serde(skip)]
    glyphs: Glyphs,
    /// The cells that are marked because they have changed.
    #[serde(skip)]
    changed: Vec<(usize, usize)>,
}

/// Facts of another relation on a board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct BoardLayer {
    /// The name of the relation.
    relation: String,
    /// The meaning of its arguments.
    #[serde(skip)]
    form: FactForm,
    /// The rows from top to bottom, each with an entry for each column: the pieces there in canonical order.
    cells: Vec<Vec<Vec<Piece>>>,
}

/// A relation that has too many coordinates for a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a board of {rows} rows and {columns} columns is too large to be drawn")]
pub struct TooLarge {
    /// The number of rows that it would have.
    rows: usize,
    /// The number of columns that it would have.
    columns: usize,
}

impl Board {
    /// Marks the cells that differ from those of another position of the same board.
    pub fn mark_changes(&mut self, before: &Self) {
        self.changed.clear();
        // Boards with other coordinates have no squares in common.
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
    pub fn glyph(&self, piece: &Piece) -> &Glyph {
        self.glyphs.glyph(&Glyphs::key(&self.form, piece))
    }

    /// The piece of the board's own relation with this glyph, if there is exactly one.
    fn piece_of_glyph(&self, glyph: &str) -> Option<&Piece> {
        let mut found = self.pieces.iter().filter(|piece| self.glyph(piece).text == glyph);
        let first = found.next();
        if found.next().is_none() { first } else { None }
    }

    /// The signs of a cell that breaks the frame rule ([`Glyphs::faulty`]) and on which no layer shows anything; `None` for
    /// all other cells.
    fn faulty(&self, row: usize, column: usize) -> Option<Vec<Glyph>> {
        let own: Vec<Piece> =
            self.cells[row][column].as_ref()?.iter().map(|piece| Glyphs::key(&self.form, piece)).collect();
        let signs = self.glyphs.faulty(&own)?;
        if own.is_empty() && self.unused_colour() == Some((row + column) % 2) {
            return None;
        }
        (self.drawn(row, column)? == own).then_some(signs)
    }

    /// The colour of the squares of a chess board that a game does not use, as draughts does not: none of them has a value,
    /// and all others have one.
    fn unused_colour(&self) -> Option<usize> {
        let is_empty = |cell: &Option<Vec<Piece>>| cell.as_ref().is_some_and(Vec::is_empty);
        let row = |(cells, row): (&Vec<Option<Vec<Piece>>>, usize)| {
            cells.iter().zip(row..).map(|(cell, sum)| (sum % 2, is_empty(cell))).collect()
        };
        let cells: Vec<(usize, bool)> = self.cells.iter().zip(0..).flat_map::<Vec<_>, _>(row).collect();
        [0, 1].into_iter().find(|unused| cells.iter().all(|(colour, is_empty)| *is_empty == (colour == unused)))
    }

    /// The pieces that are drawn in a cell, as keys of their glyphs, from the bottom; `None` if nothing can ever stand
    /// there. Static layers, and marks that are not declared, are drawn only where nothing else stands.
    fn drawn(&self, row: usize, column: usize) -> Option<Vec<Piece>> {
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

impl Board {
    /// The greatest number of cells of a board.
    const MOST_CELLS: usize = 1 << 16;

    /// Lays relations out as a board: that of the plan, and its layers.
    ///
    /// # Errors
    /// If it has more than [`Board::MOST_CELLS`] cells.
    fn new(main: &Extent, layers: &[Extent], plan: BoardPlan, picture: &Picture) -> Result<Self, TooLarge> {
        let layer_axes: Vec<Axes> = plan.layers.iter().map(|layer| plan.axes.for_layer(&plan.form, layer)).collect();
        let mut squares = LaidSquares::empty(main, layers, &plan.axes, &layer_axes)?;
        let mut pieces: Vec<Piece> = main.possible().map(|tuple| plan.form.piece(tuple)).collect();
        // The rules may allow pieces that no known fact has; they get a sign as well, so that signs stay the same.
        if let ([only], false) = (&plan.form.indices(&Field::Piece)[..], plan.is_declared) {
            pieces.extend(main.range(*only).into_iter().map(|piece| vec![piece.clone()]));
        }
        pieces.sort();
        pieces.dedup();
        squares.place(main, &plan.axes, &plan.form);
        let placed = plan.layers.iter().zip(layers).zip(&layer_axes);
        let layers = placed.map(|((form, extent), axes)| squares.layer(extent, axes, form)).collect();
        let glyphs = glyphs(main, &squares, &plan, &pieces, picture);
        let has_marks_below = !plan.is_declared && !plan.form.indices(&Field::Piece).is_empty();
        let BoardPlan { form, axes, title, is_labelled, shape, holes, .. } = plan;
        Ok(Self {
            relation: main.name().to_string(),
            arity: main.arity(),
            axes,
            columns: squares.columns,
            rows: squares.rows,
            cells: squares.cells,
            layers,
            shape,
            pairs: None,
            lattice: None,
            form,
            has_marks_below,
            holes,
            title,
            is_labelled,
            pieces,
            glyphs,
            changed: Vec::new(),
        })
    }
}

/// The squares of a board while it is laid out.
struct LaidSquares {
    columns: Vec<Vec<GroundTerm>>,
    rows: Vec<Vec<GroundTerm>>,
    /// The index of each coordinate.
    column_indices: BTreeMap<Vec<GroundTerm>, usize>,
    row_indices: BTreeMap<Vec<GroundTerm>, usize>,
    /// The pieces of the board's own relation, as in [`Board::cells`].
    cells: Vec<Vec<Option<Vec<Piece>>>>,
    /// The pieces that the layers may ever show, as keys of glyphs.
    shown: Vec<Piece>,
}

impl LaidSquares {
    /// The squares without pieces. If `base` declares the relation, a place where no fact can ever hold is no square.
    fn empty(main: &Extent, layers: &[Extent], axes: &Axes, layer_axes: &[Axes]) -> Result<Self, TooLarge> {
        let others = || layers.iter().zip(layer_axes);
        let columns = coordinates(main, &axes.columns, others().map(|(extent, axes)| (extent, &axes.columns)));
        let mut rows = coordinates(main, &axes.rows, others().map(|(extent, axes)| (extent, &axes.rows)));
        if rows.len().saturating_mul(columns.len()) > Board::MOST_CELLS {
            return Err(TooLarge { rows: rows.len(), columns: columns.len() });
        }
        if axes.upwards {
            // The row that is counted first is drawn at the bottom.
            rows.reverse();
        }
        let unseen = if main.is_declared() { None } else { Some(Vec::new()) };
        let cells = vec![vec![unseen; columns.len()]; rows.len()];
        let column_indices = indices(&columns);
        let row_indices = indices(&rows);
        Ok(Self { columns, rows, column_indices, row_indices, cells, shown: Vec::new() })
    }

    /// The row and column of a fact with these arguments.
    fn cell_of_fact(&self, axes: &Axes, tuple: &[GroundTerm]) -> (usize, usize) {
        (self.row_indices[&axes.row(tuple)], self.column_indices[&axes.column(tuple)])
    }

    /// Places the pieces of the board's own relation.
    fn place(&mut self, main: &Extent, axes: &Axes, form: &FactForm) {
        // A place where a fact may hold is a square of the board, even if nothing stands there now.
        for tuple in main.possible() {
            let (row, column) = self.cell_of_fact(axes, tuple);
            self.cells[row][column].get_or_insert_default();
        }
        for tuple in main.holding() {
            let (row, column) = self.cell_of_fact(axes, tuple);
            self.cells[row][column].get_or_insert_default().push(form.piece(tuple));
        }
    }

    /// Places the pieces of a layer, whose squares belong to the board.
    fn layer(&mut self, extent: &Extent, axes: &Axes, form: &FactForm) -> BoardLayer {
        for tuple in extent.possible() {
            let (row, column) = self.cell_of_fact(axes, tuple);
            self.cells[row][column].get_or_insert_default();
            self.shown.push(Glyphs::key(form, &form.piece(tuple)));
        }
        let mut cells = vec![vec![Vec::new(); self.columns.len()]; self.rows.len()];
        for tuple in extent.holding() {
            let (row, column) = self.cell_of_fact(axes, tuple);
            cells[row][column].push(form.piece(tuple));
        }
        BoardLayer { relation: extent.name().to_string(), form: form.clone(), cells }
    }
}

/// The signs of everything that the board may ever show.
fn glyphs(main: &Extent, squares: &LaidSquares, plan: &BoardPlan, pieces: &[Piece], picture: &Picture) -> Glyphs {
    let BoardPlan { form, axes, layers, is_declared, .. } = plan;
    let own = pieces.iter().map(|piece| Glyphs::key(form, piece));
    let shown = squares.shown.iter().cloned().chain(own).collect();
    let is_full = squares.cells.iter().flatten().flatten().count()
        == main.initial_count(&[&axes.rows[..], &axes.columns[..]].concat());
    let has_marks = |form: &FactForm| form.indices(&Field::Piece).is_empty();
    let mark = (has_marks(form) && !layers.iter().any(has_marks)).then(|| Glyphs::key(form, &Vec::new()));
    Glyphs::new(shown, mark.as_ref(), picture, is_full, *is_declared)
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
        sorting::sort_by(&mut known, |left, right| extent::compare_all(left, right));
    }
    known
}

/// The index of each coordinate.
fn indices(coordinates: &[Vec<GroundTerm>]) -> BTreeMap<Vec<GroundTerm>, usize> {
    coordinates.iter().cloned().zip(0..).collect()
}

/// The plan of a board: the relations on it, their axes, and its look. A sheet declares it, or it is guessed.
#[derive(Clone, Debug)]
pub struct BoardPlan {
    /// The meaning of the arguments of its relation.
    form: FactForm,
    /// The axes of its relation.
    axes: Axes,
    /// The meaning of the arguments of further relations.
    layers: Vec<FactForm>,
    /// The words above it, in place of the relation.
    title: Option<String>,
    /// True if rows and columns have labels.
    is_labelled: bool,
    /// The arrangement of the squares.
    shape: BoardShape,
    /// The relations of the layers that are holes of the board: marks that never change.
    holes: Vec<GroundTerm>,
    /// True if the sheet declares it.
    is_declared: bool,
}

impl BoardPlan {
    /// The plan of a declared board.
    pub fn declared(figure: &DeclaredFigure) -> Self {
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
            holes: Vec::new(),
            is_declared: true,
        }
    }

    /// The same plan with other axes.
    pub fn turned(mut self, turned: &dyn Fn(Axes) -> Axes) -> Self {
        self.axes = turned(self.axes);
        self
    }

    /// Adds the facts of a relation of two coordinates, which lie in the order of those of the board.
    fn add_marks(&mut self, extent: &Extent, is_constant: bool) {
        if is_constant {
            self.holes.push(GroundTerm::symbol(extent.name()));
        }
        let is_coordinate = |field: &&Field| matches!(field, Field::Row | Field::Column);
        let fields = self.form.fields.iter().filter(is_coordinate).cloned().collect();
        self.layers.push(FactForm { relation: extent.name().into(), fields, is_static: false });
    }

    /// The plan of a relation with these axes, of which nothing is declared.
    pub fn guessed(extent: &Extent, axes: Axes) -> Self {
        let field = |index: usize| match index {
            _ if axes.rows.contains(&index) => Field::Row,
            _ if axes.columns.contains(&index) => Field::Column,
            _ => Field::Piece,
        };
        let fields = (0..extent.arity()).map(field).collect();
        let form = FactForm { relation: extent.name().into(), fields, is_static: false };
        let layers = Vec::new();
        let title = None;
        Self {
            form,
            axes,
            layers,
            title,
            is_labelled: true,
            shape: BoardShape::Square,
            holes: Vec::new(),
            is_declared: false,
        }
    }
}

/// The texts of the signs in one cell: side by side if all signs of the board have one character, else with `+` between
/// them.
fn joined<'a>(board: &Board, signs: impl Iterator<Item = &'a Glyph>) -> Vec<String> {
    let is_short = board.glyphs.all().all(|glyph| glyph.text.chars().count() <= 1);
    let mut texts = Vec::new();
    for sign in signs {
        if !texts.is_empty() && !is_short {
            texts.push("+".to_string());
        }
        texts.push(sign.text.clone());
    }
    texts
}
