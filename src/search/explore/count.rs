//! Numbers of nodes, exact below 2^128 - 1.

use serde::{Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// A number of nodes. A tree may have far more nodes than the game has states, even more than 128 bits can count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// The number of nodes, less than 2^128.
    Exactly(u128),
    /// The number of nodes is 2^128 or more.
    TooMany,
}

impl Count {
    /// The number 0, from which sums start.
    pub(crate) const ZERO: Self = Self::Exactly(0);
    /// The number 1, the count of a leaf.
    pub const ONE: Self = Self::Exactly(1);

    /// The number multiplied by a factor.
    pub(crate) fn times(self, factor: u128) -> Self {
        self.exact().and_then(|count| count.checked_mul(factor)).map_or(Self::TooMany, Self::Exactly)
    }

    /// The exact number, if it fits into 128 bits.
    pub fn exact(self) -> Option<u128> {
        match self {
            Self::Exactly(count) => Some(count),
            Self::TooMany => None,
        }
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        let sum = self.exact().zip(other.exact()).and_then(|(left, right)| left.checked_add(right));
        sum.map_or(Self::TooMany, Self::Exactly)
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exactly(count) => count.fmt(formatter),
            Self::TooMany => formatter.write_str("2^128 or more"),
        }
    }
}

/// A number of nodes in half the memory of a [`Count`], for lists of millions: 2^128 - 1 stands for all that are not
/// less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PackedCount(u128);

impl PackedCount {
    /// The number 0, from which sums start.
    pub(super) const ZERO: Self = Self(0);
    /// The number 1, the count of a leaf.
    pub(super) const ONE: Self = Self(1);
}

impl From<bool> for PackedCount {
    fn from(counts: bool) -> Self {
        if counts { Self::ONE } else { Self::ZERO }
    }
}

impl Add for PackedCount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl From<PackedCount> for Count {
    fn from(PackedCount(count): PackedCount) -> Self {
        if count == u128::MAX { Self::TooMany } else { Self::Exactly(count) }
    }
}

/// Serialized as a number; `null` if it is too large.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exact().serialize(serializer)
    }
}
