//! How people are told that an optimised form of a game differs from its plain form.

use crate::rules::GroundTerm;
use std::fmt::{Display, Formatter, Result};

/// Writes in which state, and with which moves if there are any.
pub(crate) fn write_state(formatter: &mut Formatter<'_>, state: &[GroundTerm], joint_move: &[GroundTerm]) -> Result {
    let list = |terms: &[GroundTerm]| terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    write!(formatter, " in the state {}", list(state))?;
    match joint_move {
        [] => Ok(()),
        joint_move => write!(formatter, " with the moves {}", list(joint_move)),
    }
}

/// Writes that something is left out, since it makes this difference.
pub(crate) fn write_left_out(formatter: &mut Formatter<'_>, what: impl Display, difference: impl Display) -> Result {
    write!(formatter, "{what} is left out, since it changes the game: {difference}; ")?;
    write!(formatter, "please report the sheet (`ggp propnet verify` writes a report)")
}
