//! What can be chosen about a network, and why there may be none.

use crate::ground::GroundError;
use crate::limits::Stopped;
use crate::rules::GroundTerm;
use std::fmt;
use std::str::FromStr;

/// How a program is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// Whichever is measured to be faster on the game.
    #[default]
    Auto,
    /// Every gate in every state.
    Full,
    /// Only what changes.
    Incremental,
    /// Only what changes, and joint moves compiled to what they do.
    Compiled,
    /// Only what changes, and of the joint move only what it makes different from a state in which nobody moves. Where a cycle
    /// depends on the moves, this is `Incremental`.
    Sparse,
}

impl EvaluatorKind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Full, Self::Incremental, Self::Compiled, Self::Sparse];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Incremental => "incremental",
            Self::Compiled => "compiled",
            Self::Sparse => "sparse",
        }
    }
}

impl fmt::Display for EvaluatorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.name())
    }
}

/// Someone asked for an evaluator that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no evaluator `{name}`; there are `auto`, `full`, `incremental`, `compiled` and `sparse`")]
pub struct UnknownEvaluator {
    /// What was asked for.
    pub name: String,
}

impl FromStr for EvaluatorKind {
    type Err = UnknownEvaluator;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluator> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownEvaluator { name: name.to_string() })
    }
}

/// What can be chosen about a network.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// How it is evaluated.
    pub evaluator: EvaluatorKind,
    /// The names of the passes that are left out.
    pub without: Vec<String>,
}

impl From<Stopped> for PropnetError {
    fn from(stopped: Stopped) -> Self {
        Self::Ground(GroundError::Reason(stopped.into()))
    }
}

/// Why there is no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropnetError {
    /// The rules cannot be grounded.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The network does not say what the ground rules say. It is a fault of this program that no sheet should bring about.
    #[error("the network is not what the rules say: `{proposition}` {problem}; please report the sheet")]
    Unfaithful {
        /// A proposition for which this is so.
        proposition: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// The network begins in another state than the rules.
    #[error("the network is not what the rules say: initially `{fact}` {} there; please report the sheet", if *holds { "holds" } else { "does not hold" })]
    InitialFact {
        /// A fact that differs.
        fact: GroundTerm,
        /// Whether it holds in the network's initial state.
        holds: bool,
    },
}
