//! The players there are, by name.

use super::options::OptionKind;

/// A player that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerKind {
    /// The first legal move.
    Legal,
    /// Any legal move.
    Random,
}

impl PlayerKind {
    /// All players, in the order in which help lists them.
    pub const ALL: &[Self] = &[Self::Legal, Self::Random];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Random => "random",
        }
    }

    /// What it does, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Legal => "the first legal move",
            Self::Random => "any legal move, each with the same probability",
        }
    }

    /// The options that it understands.
    pub fn options(self) -> &'static [OptionKind] {
        match self {
            Self::Legal => &[],
            Self::Random => &[OptionKind::Seed],
        }
    }
}
