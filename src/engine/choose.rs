//! The engines there are, by name.

use std::fmt;
use std::str::FromStr;

/// An engine that can be asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EngineKind {
    /// The resolution engine: answers straight from the rules ([`crate::interpreter`]).
    #[default]
    Interpreter,
}

/// Someone asked for an engine that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no engine `{name}`; there is {}", crate::suggestion::alternatives(&EngineKind::ALL))]
pub struct UnknownEngine {
    /// What was asked for.
    pub name: String,
}

impl EngineKind {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Interpreter];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interpreter => "interpreter",
        }
    }
}

impl fmt::Display for EngineKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

impl FromStr for EngineKind {
    type Err = UnknownEngine;

    fn from_str(name: &str) -> Result<Self, UnknownEngine> {
        Self::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| UnknownEngine { name: name.to_string() })
    }
}
