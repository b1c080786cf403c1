//! Numbers of nodes, exact below 2^128 - 1.

use serde::{Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// A number of nodes. A tree may have far more nodes than the game has states, even more than 128 bits can count, so
/// the greatest number of 128 bits stands for all that are not less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Count(u128);

impl Count {
    /// The number 0, from which sums start.
    pub(crate) const ZERO: Self = Self(0);
    /// The number 1, the count of a leaf.
    pub const ONE: Self = Self(1);
    /// More than can be counted.
    pub const TOO_MANY: Self = Self(u128::MAX);

    /// A number, which counts as [`Count::TOO_MANY`] if no greater one has 128 bits.
    pub const fn new(count: u128) -> Self {
        Self(count)
    }

    /// The number multiplied by a factor.
    pub fn times(self, factor: u128) -> Self {
        Self(self.0.saturating_mul(factor))
    }

    /// The exact number, unless it is [`Count::TOO_MANY`].
    pub fn exact(self) -> Option<u128> {
        (self != Self::TOO_MANY).then_some(self.0)
    }
}

impl Add for Count {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Count {
    fn sum<I: Iterator<Item = Self>>(counts: I) -> Self {
        counts.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Count {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.exact() {
            Some(count) => count.fmt(formatter),
            None => formatter.write_str("2^128 or more"),
        }
    }
}

/// Serialized as a number; `null` if it is too large.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exact().serialize(serializer)
    }
}
