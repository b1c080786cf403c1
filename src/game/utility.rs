//! What an outcome is worth to a role.

use std::fmt;

/// A goal value. GDL has them from 0 (worst) to 100 (best); sheets with others load with a warning, so all integers of 32
/// bits are kept as they are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Utility(pub i32);

impl Utility {
    /// The worst value of the language.
    pub const MIN: Self = Self(0);
    /// The best value of the language; the textbook's searches stop when they have found it.
    pub const MAX: Self = Self(100);
}

impl fmt::Display for Utility {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
