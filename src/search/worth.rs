//! The worth of a state, as answers and events show it.

use crate::game::Utility;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::fmt;

/// The value of a state for a role, as answers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The game ends with this utility.
    Utility(Utility),
    /// The search did not reach the end; this is the evaluation of the state where it stopped.
    Estimate(i64),
    /// The search did not reach the end, and had no evaluation. Among values it ranks as a draw.
    Unknown,
}

impl Worth {
    /// The utility, if the search reached the end of the game.
    pub fn utility(self) -> Option<Utility> {
        if let Self::Utility(utility) = self { Some(utility) } else { None }
    }

    /// The number alone, of a utility or of an estimate; or `unknown`.
    pub(crate) fn number(self) -> String {
        match self {
            Self::Utility(utility) => utility.to_string(),
            Self::Estimate(estimate) => estimate.to_string(),
            Self::Unknown => "unknown".to_string(),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Estimate(_) = self {
            formatter.write_str("estimate ")?;
        }
        formatter.write_str(&self.number())
    }
}

/// An object of one entry, `utility`, `estimate` or `unknown`, which may be part of another object.
impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Utility(utility) => map.serialize_entry("utility", utility)?,
            Self::Estimate(estimate) => map.serialize_entry("estimate", estimate)?,
            Self::Unknown => map.serialize_entry("unknown", &true)?,
        }
        map.end()
    }
}
