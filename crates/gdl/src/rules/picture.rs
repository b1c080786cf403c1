//! Declared drawings: comments of a sheet say how its positions are drawn.
//!
//! ```text
//! %! board cell(row,column,piece)
//! %! glyph b .
//! %! glyph x X red
//! %! label control(value) "to move"
//! ```
//!
//! `board`, `stack`, `bars`, `tree`, `hand` and `label` each begin a [`DeclaredFigure`], and `layer` adds another
//! relation to the figure before it. The words in place of the arguments say what each argument is; a constant selects
//! the facts that have it there. The grammar is in docs/boards.md. A declaration with a problem is ignored; the checks
//! report it.

mod read;
mod resolve;

pub(crate) use read::each_mention;
pub(in crate::rules) use resolve::declared;

use super::GroundTerm;
use crate::diagnostic::{Code, Severity};
use serde::Serialize;
use std::sync::Arc;

/// The declared drawing of a game; empty if the sheet declares nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// The figures, in the order of the text.
    pub figures: Vec<DeclaredFigure>,
    /// The glyphs of pieces. Neither a piece nor a glyph occurs twice.
    pub(crate) glyphs: Vec<(Vec<GroundTerm>, Glyph)>,
    /// The glyph of a square on which nothing stands, if it is declared.
    pub empty: Option<Glyph>,
    /// The glyph of a square on which nothing can ever stand, if it is declared.
    pub wall: Option<Glyph>,
}

/// A part of the drawing: a board, a stack and so on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredFigure {
    /// The kind of figure.
    pub kind: FigureKind,
    /// The facts that it draws: those of its own relation first, then those of its layers.
    pub facts: Vec<FactForm>,
    /// The words above it, or before it, in place of the relation.
    pub title: Option<String>,
    /// True if rows are counted from the bottom.
    pub is_upwards: bool,
    /// True if rows and columns have labels.
    pub is_labelled: bool,
    /// The shape of a board; square for other figures.
    pub shape: BoardShape,
}

/// The kinds of figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FigureKind {
    /// Squares in rows and columns.
    Board,
    /// Pieces on top of each other, a stack for each column, the first piece in canonical order on top.
    Stack,
    /// A row of equal marks for each fact, as many as a number says.
    Bars,
    /// Nodes, each below another one; in pictures.
    Tree,
    /// A list of pieces for each owner.
    Hand,
    /// A value, or a value for each owner.
    Label,
}

/// Arrangements of the squares of a board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BoardShape {
    /// In rows and columns.
    #[default]
    Square,
    /// Each row half a square to the right of the one above it, so that each square has six neighbours.
    Hex,
    /// One row, closed to a ring, clockwise from the upper left corner.
    Ring,
    /// In rows and columns, each a hollow with as many things as a number says. Of two rows, which two players have from
    /// their seats, pictures show the upper one from right to left.
    Hollows,
}

/// Facts of one relation, with the meanings of their arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FactForm {
    /// The name of the relation.
    pub relation: Arc<str>,
    /// The meaning of each argument.
    pub fields: Vec<Field>,
    /// True for a relation of the rules that is the same in every state, false for facts of the state.
    pub is_static: bool,
}

/// The meaning of an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Field {
    /// The row, or a part of it.
    Row,
    /// The column, or a part of it; of a stack, its name.
    Column,
    /// The piece, or a part of it.
    Piece,
    /// The number of marks.
    Count,
    /// Who has a piece or a value.
    Owner,
    /// A value.
    Value,
    /// A goal value of this role, which is shown as the utility that it stands for.
    Utility(GroundTerm),
    /// A node.
    Parent,
    /// A node below it.
    Child,
    /// Anything; it is not shown.
    Any,
    /// This term; other facts are not drawn.
    Only(GroundTerm),
}

/// The sign that is drawn for a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Glyph {
    /// One to three characters.
    pub text: String,
    /// Its colour, if one is declared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
}

/// The colours of glyphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Black.
    Black,
    /// Red.
    Red,
    /// Green.
    Green,
    /// Yellow.
    Yellow,
    /// Blue.
    Blue,
    /// Magenta.
    Magenta,
    /// Cyan.
    Cyan,
    /// White.
    White,
    /// Grey.
    Grey,
}

impl Picture {
    /// True if it declares a board, a stack, bars or a tree, so that no board has to be guessed.
    pub fn has_grid(&self) -> bool {
        let grids = [FigureKind::Board, FigureKind::Stack, FigureKind::Bars, FigureKind::Tree];
        self.figures.iter().any(|figure| grids.contains(&figure.kind))
    }

    /// The declared board of a relation.
    pub fn board(&self, relation: &str, arity: usize) -> Option<&DeclaredFigure> {
        let is_it =
            |figure: &&DeclaredFigure| figure.kind == FigureKind::Board && figure.facts[0].is_of(relation, arity);
        self.figures.iter().find(is_it)
    }

    /// The declared glyph of a piece.
    pub fn glyph(&self, piece: &[GroundTerm]) -> Option<&Glyph> {
        self.glyphs.iter().find(|(known, _)| known == piece).map(|(_, glyph)| glyph)
    }
}

/// The name of the field for goal values.
const UTILITY: &str = "utility";

impl FactForm {
    /// True if it is about facts of this relation with this number of arguments.
    pub fn is_of(&self, relation: &str, arity: usize) -> bool {
        *self.relation == *relation && self.fields.len() == arity
    }

    /// True if a fact with these arguments is drawn: it has every constant of the form.
    pub fn selects(&self, arguments: &[GroundTerm]) -> bool {
        let has = |(field, term): (&Field, &GroundTerm)| !matches!(field, Field::Only(only) if only != term);
        self.fields.len() == arguments.len() && self.fields.iter().zip(arguments).all(has)
    }

    /// The piece of a fact with these arguments.
    pub fn piece(&self, arguments: &[GroundTerm]) -> Vec<GroundTerm> {
        self.terms(&Field::Piece, arguments)
    }

    /// The indices of the arguments with this meaning.
    pub fn indices(&self, wanted: &Field) -> Vec<usize> {
        let found = self.fields.iter().enumerate().filter(|(_, field)| *field == wanted);
        found.map(|(index, _)| index).collect()
    }

    /// The arguments with this meaning.
    pub fn terms(&self, wanted: &Field, arguments: &[GroundTerm]) -> Vec<GroundTerm> {
        self.indices(wanted).into_iter().map(|index| arguments[index].clone()).collect()
    }
}

impl FigureKind {
    /// The word that declares it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Board => "board",
            Self::Stack => "stack",
            Self::Bars => "bars",
            Self::Tree => "tree",
            Self::Hand => "hand",
            Self::Label => "label",
        }
    }
}

impl Field {
    /// The word for it in a declaration.
    pub fn word(&self) -> String {
        match self {
            Self::Row => "row".to_string(),
            Self::Column => "column".to_string(),
            Self::Piece => "piece".to_string(),
            Self::Count => "count".to_string(),
            Self::Owner => "owner".to_string(),
            Self::Value => "value".to_string(),
            Self::Utility(role) => format!("{UTILITY}({role})"),
            Self::Parent => "parent".to_string(),
            Self::Child => "child".to_string(),
            Self::Any => "_".to_string(),
            Self::Only(term) => term.to_string(),
        }
    }
}

impl Colour {
    /// All colours with their names, in the order of the variants.
    pub(crate) const ALL: [(&'static str, Self); 9] = [
        ("black", Self::Black),
        ("red", Self::Red),
        ("green", Self::Green),
        ("yellow", Self::Yellow),
        ("blue", Self::Blue),
        ("magenta", Self::Magenta),
        ("cyan", Self::Cyan),
        ("white", Self::White),
        ("grey", Self::Grey),
    ];

    /// Its name in declarations.
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].0
    }
}

impl FigureKind {
    /// The meanings that arguments of its facts may have, beside constants.
    fn allowed(self) -> &'static [Field] {
        match self {
            Self::Board => &[Field::Row, Field::Column, Field::Piece, Field::Any],
            Self::Stack => &[Field::Column, Field::Piece, Field::Any],
            Self::Bars => &[Field::Row, Field::Count, Field::Any],
            Self::Tree => &[Field::Parent, Field::Child, Field::Value, Field::Owner, Field::Any],
            Self::Hand => &[Field::Owner, Field::Piece, Field::Any],
            Self::Label => &[Field::Owner, Field::Value, Field::Any],
        }
    }

    /// The reason for which a form of facts cannot be drawn as this figure; `None` if it can.
    fn missing(self, form: &FactForm) -> Option<&'static str> {
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

/// A declaration that cannot be read.
pub(in crate::rules) static UNREADABLE: Code = Code {
    id: "W228",
    name: "board-declaration",
    severity: Severity::Warning,
    summary: "a declaration of how positions are drawn cannot be read",
    explanation: "\
What: a comment begins with `!` and a word such as `board`, `stack` or `glyph`, but is no declaration. All of them are in
docs/boards.md.

Why: it is ignored, and positions are drawn without it.

Example:

    %! board cell(row,colum,piece)

Instead:

    %! board cell(row,column,piece)
",
};

/// A declaration about something that the rules do not have.
pub(in crate::rules) static RELATION: Code = Code {
    id: "W229",
    name: "board-relation",
    severity: Severity::Warning,
    summary: "a declaration of how positions are drawn names what the rules do not have",
    explanation: "\
What: a declaration names a relation or a piece that is not in the rules, or a relation with another number of arguments, or
one that depends on the state but is no fact of it. What can be drawn are the facts of the state, and relations that are
the same in every state, such as `wall`.

Why: it is ignored, since there is nothing to draw.

Example:

    init(cell(1,1,b))
    %! board cel(row,column,piece)

Instead:

    init(cell(1,1,b))
    %! board cell(row,column,piece)
",
};

/// A glyph that is given twice.
pub(in crate::rules) static GLYPH: Code = Code {
    id: "W230",
    name: "glyph-twice",
    severity: Severity::Warning,
    summary: "a piece has two glyphs, or two pieces have the same glyph",
    explanation: "\
What: a declaration gives a piece a glyph, but the piece has one already, or another piece has this one.

Why: a glyph stands for one piece, so that a drawn position can be read. The first declaration counts, and this one is
ignored.

Example:

    %! glyph white w
    %! glyph black w

Instead:

    %! glyph white w
    %! glyph black b
",
};

/// A colour that does not exist.
pub(in crate::rules) static COLOUR: Code = Code {
    id: "W231",
    name: "glyph-colour",
    severity: Severity::Warning,
    summary: "there is no such colour for a glyph",
    explanation: "\
What: the last word of the declaration of a glyph is not the name of a colour. The colours are black, red, green, yellow,
blue, magenta, cyan, white and grey.

Why: the declaration is ignored, the glyph included.

Example:

    %! glyph ghost M purple

Instead:

    %! glyph ghost M magenta
",
};
