//! Numbers of nodes, exact below 2^128.

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

/// Serialized as a number; `null` if it is too large.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exact().serialize(serializer)
    }
}
