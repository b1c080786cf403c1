//! The answer of `solve`.

use super::RoleMove;
use crate::game::Utility;
use crate::rules::GroundTerm;
use crate::search::{Cost, SolvedStates};
use serde::Serialize;

/// A game that has been solved from the current state on.
#[derive(Clone, Debug, Serialize)]
pub struct Solved {
    /// What best play is worth, role by role; `None` where it never comes to an end.
    pub value: Option<Worths>,
    /// How many joint moves it takes, where somebody can force that.
    pub moves: Option<u32>,
    /// The moves of best play that somebody chooses.
    pub line: Vec<RoleMove>,
    /// All states that can be reached.
    pub states: u64,
    /// All joint moves in them.
    pub joint_moves: u64,
    /// How many states are worth how much.
    pub worths: Vec<SolvedStates>,
    /// The bytes of one packed state.
    pub state_bytes: u64,
    /// The most bytes that were in use at a time.
    pub memory: u64,
    /// What it cost.
    pub cost: Cost,
}

/// Utilities with their roles.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Worths(pub Vec<(GroundTerm, Utility)>);
