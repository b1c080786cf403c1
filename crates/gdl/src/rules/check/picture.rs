//! Declarations of how positions are drawn.

use super::{CheckContext, CheckFamily, Code, Diagnostic};
use crate::diagnostic::Severity;
use crate::rules::picture;

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&UNREADABLE, &RELATION, &GLYPH, &COLOUR], check };

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

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(picture::declared(context.sheet, context.rules).1);
}
