//! How people are told that an optimised form of a game differs from its plain form.

use gdl::rules::GroundTerm;
use serde::Serialize;
use std::fmt::{Display, Formatter, Result};

/// The first state in which a form of a program differs from the program gate by gate: a fault of this library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct FormDifference {
    /// What is wrong: `terminal`, an instance of `legal`, `goal`, `next` or a feature, or the choice of a role.
    pub subject: String,
    /// The facts of the state, in canonical order.
    pub state: Vec<GroundTerm>,
    /// The move of each role, if the next state is wrong.
    pub joint_move: Vec<GroundTerm>,
}

impl Display for FormDifference {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> Result {
        let Self { subject, state, joint_move } = self;
        write!(formatter, "{subject} is wrong")?;
        write_state(formatter, state, joint_move)
    }
}

impl FormDifference {
    /// The message about forms, such as `lanes`, that cannot do without what differs.
    pub(crate) fn report(&self, forms: &str) -> String {
        format!("{forms} differ from the network: {self}; please report the sheet")
    }
}

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
