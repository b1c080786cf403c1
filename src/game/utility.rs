//! Utilities: the value of an outcome for a role.

use std::fmt;

/// A goal value. GDL defines them from 0 (worst) to 100 (best); rule sheets with other values load with a warning, so
/// every 32-bit integer is kept as it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, serde::Serialize)]
#[serde(transparent)]
pub struct Utility(pub i32);

impl Utility {
    /// The least value of the language.
    pub(crate) const MIN: Self = Self(0);
    /// The greatest value of the language; the textbook's searches stop when they have found it.
    pub const MAX: Self = Self(100);
}

impl fmt::Display for Utility {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
