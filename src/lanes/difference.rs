//! Where lanes differ from the program that they were compiled from.

use crate::limits::Stop;
use crate::program::write_state;
use crate::rules::GroundTerm;
use serde::Serialize;
use std::fmt;

/// The first state in which lanes differ from the program gate by gate: a fault of this library.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LanesDifference {
    /// What is wrong: `terminal`, an instance of `legal`, `goal` or `next`, or the choice of a role.
    pub subject: String,
    /// The facts of the state, in canonical order.
    pub state: Vec<GroundTerm>,
    /// The move of each role, if the next state is wrong.
    pub joint_move: Vec<GroundTerm>,
}

impl fmt::Display for LanesDifference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, state, joint_move } = self;
        write!(formatter, "{subject} is wrong")?;
        write_state(formatter, state, joint_move)
    }
}

impl LanesDifference {
    /// The message about lanes that cannot do without what differs.
    pub(crate) fn report(&self) -> String {
        format!("lanes differ from the network: {self}; please report the sheet")
    }
}

/// Why lanes could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LanesError {
    /// The limits ended the work.
    #[error(transparent)]
    Stopped(#[from] Stop),
    /// Even the plainest lanes differ from the program. This is a bug of this library.
    #[error("{}", .0.report())]
    Differ(Box<LanesDifference>),
}

/// What was made without limits.
///
/// # Panics
/// If it differs from the program: a fault of this library.
pub(super) fn made<T>(made: Result<T, LanesError>) -> T {
    made.unwrap_or_else(|error| panic!("{error}"))
}
