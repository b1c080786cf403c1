//! The answer of `solve`.

use super::RoleMove;
use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::{Cost, SolvedStates};
use serde::Serialize;

/// A game that has been solved from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// The utilities under best play; `None` if it never ends.
    pub(crate) value: Option<Worths>,
    /// The number of joint moves to the end, if a side can force it.
    pub(crate) moves: Option<u32>,
    /// The moves of best play by roles that have a choice.
    pub(crate) line: Vec<RoleMove>,
    /// The number of states that can be reached.
    pub(crate) states: u64,
    /// The number of joint moves in them.
    pub(crate) joint_moves: u64,
    /// The number of states for each ending.
    pub(crate) worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub(crate) state_bytes: u64,
    /// The most bytes in use at a time.
    pub(crate) memory: u64,
    /// The cost of solving, in states.
    pub(crate) cost: Cost,
}

/// Utilities with their roles, in the order of the roles.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct Worths(pub Vec<(GroundTerm, Utility)>);
