//! Roles, moves, fluents and percepts as small copyable ids, and lines of fluents that win.

use gdl::number::index_id;
use gdl::rules::GroundTerm;
use serde::{Deserialize, Serialize};

index_id! {
    /// A role of a game: its index in [`crate::Reasoner::roles`].
    #[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct Role
}

impl Role {
    /// The role of chance, if there is one.
    #[inline]
    pub fn chance(roles: &[GroundTerm]) -> Option<Self> {
        roles.iter().position(GroundTerm::is_chance).map(Self::new)
    }

    /// The roles that players take: all except chance.
    #[inline]
    pub fn players(roles: &[GroundTerm]) -> impl Iterator<Item = Self> + '_ {
        (0..roles.len()).filter(|&index| !roles[index].is_chance()).map(Self::new)
    }
}

index_id! {
    /// A move, as one engine numbers it. The number is valid only for that engine and its forks, and the order of the
    /// numbers has no meaning: moves are always listed in the canonical order of their terms.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub struct Move
}

index_id! {
    /// A fluent, as one engine numbers it. Like that of a move, the number is valid only for that engine and its forks.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct Fluent
}

index_id! {
    /// A percept, as one engine numbers it. Like that of a move, the number is valid only for that engine and its forks.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
    pub struct Percept
}

/// Fluents with which a role wins if all of them hold, such as four in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WinningLine {
    /// The role that wins.
    pub role: Role,
    /// The fluents, ascending.
    pub fluents: Vec<Fluent>,
    /// Fluents of which none holds as long as the line is open, such as stones of the other role on its squares.
    pub rivals: Vec<Fluent>,
}

impl WinningLine {
    /// The most fluents of a line.
    pub const LONGEST: usize = 8;
}
