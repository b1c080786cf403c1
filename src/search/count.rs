//! Numbers of nodes: exact up to 2^128, and honest beyond.

use serde::{Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::Add;

/// How many nodes there are. A tree may have far more of them than states; where even 128 bits do not hold the number,
/// that is what it says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Count {
    /// Just so many.
    Exactly(u128),
    /// 2^128 or more.
    TooMany,
}

impl Count {
    /// None.
    pub const ZERO: Self = Self::Exactly(0);
    /// One.
    pub const ONE: Self = Self::Exactly(1);

    /// The number, where 128 bits hold it.
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

/// As a number; `null` where it is too large.
impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.exact().serialize(serializer)
    }
}
