//! What the arguments of a figure may say, and what it needs to be drawn.

use super::{FactForm, Field, FigureKind};

impl FigureKind {
    /// The meanings that arguments of its facts may have, beside constants.
    pub(super) fn allowed(self) -> &'static [Field] {
        match self {
            Self::Board => &[Field::Row, Field::Column, Field::Piece, Field::Any],
            Self::Stack => &[Field::Column, Field::Piece, Field::Any],
            Self::Bars => &[Field::Row, Field::Count, Field::Any],
            Self::Tree => &[Field::Parent, Field::Child, Field::Value, Field::Any],
            Self::Hand => &[Field::Owner, Field::Piece, Field::Any],
            Self::Label => &[Field::Owner, Field::Value, Field::Any],
        }
    }

    /// What a form of facts lacks to be drawn as this figure; `None` if it lacks nothing.
    pub(super) fn missing(self, form: &FactForm) -> Option<&'static str> {
        let count = |field: &Field| form.indices(field).len();
        let one = |field: &Field| count(field) == 1;
        match self {
            Self::Board => {
                (count(&Field::Row) + count(&Field::Column) == 0).then_some("a board needs `row` or `column`")
            }
            Self::Stack => {
                let is_stack = one(&Field::Column) && one(&Field::Piece);
                (!is_stack).then_some("a stack needs one `column` and one `piece`")
            }
            Self::Bars => (!(one(&Field::Row) && one(&Field::Count))).then_some("bars need one `row` and one `count`"),
            Self::Tree => (!one(&Field::Child)).then_some("a tree needs one `child`"),
            Self::Hand => (count(&Field::Piece) == 0).then_some("a hand needs a `piece`"),
            Self::Label => {
                let needs = !form.fields.is_empty() && count(&Field::Value) == 0;
                needs.then_some("a label needs a `value`")
            }
        }
    }
}
