//! What a board shows, and how: as a sheet declares it, or guessed.

use super::{Axes, Extent};
use gdl::rules::GroundTerm;
use gdl::rules::picture::{self, BoardShape, FactForm, Field};

/// What a board shows, and how.
#[derive(Clone, Debug)]
pub struct BoardPlan {
    /// What the arguments of its relation say.
    pub(crate) form: FactForm,
    /// The axes of its relation.
    pub(crate) axes: Axes,
    /// What the arguments of further relations say.
    pub(crate) layers: Vec<FactForm>,
    /// The words above it, in place of the relation.
    pub(super) title: Option<String>,
    /// Whether rows and columns have labels.
    pub(super) is_labelled: bool,
    /// How the squares lie.
    pub(super) shape: BoardShape,
    /// The relations of the layers that are holes of the board: marks that never change.
    pub(super) holes: Vec<GroundTerm>,
    /// Whether the sheet declares it.
    pub(super) is_declared: bool,
}

impl BoardPlan {
    /// The plan of a declared board.
    pub fn declared(figure: &picture::DeclaredFigure) -> Self {
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
    pub(super) fn add_marks(&mut self, extent: &Extent, is_constant: bool) {
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
