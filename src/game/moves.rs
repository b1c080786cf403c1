//! Roles, moves and fluents as small copyable ids.

use serde::{Deserialize, Serialize};

/// A role of a game: its place in [`crate::game::Reasoner::roles`].
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Role(u32);

impl Role {
    /// The role at this place.
    pub const fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Its place among the roles.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move, as one engine numbers it. Ids mean nothing to another engine and their order means nothing at all: moves are
/// always listed in the canonical order of their terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

impl Move {
    /// The move that the engine numbers so.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A fluent: what can be true in a state, as one engine numbers it. Like moves, fluents mean something only to the engine that
/// numbered them and to its forks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fluent(u32);

impl Fluent {
    /// The fluent that the engine numbers so.
    pub fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
