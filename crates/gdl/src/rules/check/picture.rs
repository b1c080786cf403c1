//! Declarations of drawings. Their codes stand in `rules/picture.rs`, where the problems are found.

use super::{CheckContext, CheckFamily, Diagnostic};
use crate::rules::picture::{COLOUR, GLYPH, RELATION, UNREADABLE, declared};

pub(super) const FAMILY: CheckFamily = CheckFamily { codes: &[&UNREADABLE, &RELATION, &GLYPH, &COLOUR], check };

fn check(context: &CheckContext<'_>, found: &mut Vec<Diagnostic>) {
    found.extend(declared(context.sheet, context.rules).1);
}
