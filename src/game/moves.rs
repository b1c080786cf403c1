//! Roles, moves and fluents as small copyable ids.

use crate::number::to_u32;
use crate::rules::GroundTerm;
use serde::{Deserialize, Serialize};

/// A role of a game: its index in [`crate::game::Reasoner::roles`].
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Role(u32);

impl Role {
    /// The role with this index.
    ///
    /// # Panics
    /// If it does not fit into 32 bits.
    pub const fn new(index: usize) -> Self {
        Self(to_u32(index))
    }

    /// The role of chance, if there is one.
    pub fn chance(roles: &[GroundTerm]) -> Option<Self> {
        roles.iter().position(GroundTerm::is_chance).map(Self::new)
    }

    /// The roles that players take: all except chance.
    pub fn players(roles: &[GroundTerm]) -> impl Iterator<Item = Self> + '_ {
        (0..roles.len()).filter(|&index| !roles[index].is_chance()).map(Self::new)
    }

    /// Its index among the roles.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A move, as one engine numbers it. The number is valid only for that engine and its forks, and the order of the
/// numbers has no meaning: moves are always listed in the canonical order of their terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move(u32);

impl Move {
    /// The move with this number.
    ///
    /// # Panics
    /// If it does not fit into 32 bits.
    pub fn new(index: usize) -> Self {
        Self(to_u32(index))
    }

    /// Its number in the engine.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A fluent, as one engine numbers it. Like that of a move, the number is valid only for that engine and its forks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Fluent(u32);

impl Fluent {
    /// The fluent with this number.
    ///
    /// # Panics
    /// If it does not fit into 32 bits.
    pub fn new(index: usize) -> Self {
        Self(to_u32(index))
    }

    /// Its number in the engine.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
