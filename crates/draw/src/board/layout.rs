//! Lays out relations as a board: its rows, columns and squares, and the pieces on them.

use super::{Axes, Board, BoardLayer, BoardPlan, Extent, Glyphs, Piece, TooLarge, coordinate};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{FactForm, Field, Picture};
use gdl::sorting;
use std::collections::BTreeMap;

impl Board {
    /// The greatest number of cells of a board.
    pub(crate) const MOST_CELLS: usize = 1 << 16;

    /// Lays relations out as a board: that of the plan, and its layers.
    ///
    /// # Errors
    /// If it has more than [`Board::MOST_CELLS`] cells.
    pub(crate) fn new(main: &Extent, layers: &[Extent], plan: BoardPlan, picture: &Picture) -> Result<Self, TooLarge> {
        let layer_axes: Vec<Axes> = plan.layers.iter().map(|layer| plan.axes.for_layer(&plan.form, layer)).collect();
        let mut squares = LaidSquares::empty(main, layers, &plan.axes, &layer_axes)?;
        let mut pieces: Vec<Piece> = main.possible().map(|tuple| plan.form.piece(tuple)).collect();
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
    /// What the layers may ever show, as keys of glyphs.
    shown: Vec<Piece>,
}

impl LaidSquares {
    /// The squares without pieces. Those on which no fact can ever hold are none, if the relation is declared.
    fn empty(main: &Extent, layers: &[Extent], axes: &Axes, layer_axes: &[Axes]) -> Result<Self, TooLarge> {
        let others = || layers.iter().zip(layer_axes);
        let columns = coordinates(main, &axes.columns, others().map(|(extent, axes)| (extent, &axes.columns)));
        let mut rows = coordinates(main, &axes.rows, others().map(|(extent, axes)| (extent, &axes.rows)));
        if rows.len().saturating_mul(columns.len()) > Board::MOST_CELLS {
            return Err(TooLarge { rows: rows.len(), columns: columns.len() });
        }
        if axes.upwards {
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
        sorting::sort_by(&mut known, |left, right| coordinate::compare_all(left, right));
    }
    known
}

/// The index of each coordinate.
fn indices(coordinates: &[Vec<GroundTerm>]) -> BTreeMap<Vec<GroundTerm>, usize> {
    coordinates.iter().cloned().zip(0..).collect()
}
