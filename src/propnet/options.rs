//! The options of a network, and the reasons for which there may be none.

use super::passes::Pass;
use super::validation::NetworkDifference;
use crate::ground::GroundError;
use crate::lanes::TechniqueFault;
use crate::limits::Stop;
use crate::rules::GroundTerm;
use std::fmt;
use std::str::FromStr;

/// The method by which a program is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The fastest of the others on the game, by measurement.
    #[default]
    Auto,
    /// Computes every gate in every state.
    Full,
    /// Updates only the gates that change.
    Incremental,
    /// Updates only the gates that change, and compiles joint moves to their effects.
    Compiled,
    /// Updates only the gates that change; for a joint move, evaluates only the gates that it changes relative to no
    /// role moving. If a cycle depends on the moves, this is `Incremental`.
    Sparse,
}

impl EvaluatorKind {
    /// All evaluators, `Auto` first.
    pub const ALL: [Self; 5] = [Self::Auto, Self::Full, Self::Incremental, Self::Compiled, Self::Sparse];

    /// The name on the command line.
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

/// The name of an evaluator that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no evaluator `{name}`; there are `auto`, `full`, `incremental`, `compiled` and `sparse`")]
pub struct UnknownEvaluator {
    /// The name that no evaluator has.
    pub(crate) name: String,
}

impl FromStr for EvaluatorKind {
    type Err = UnknownEvaluator;

    fn from_str(name: &str) -> Result<Self, UnknownEvaluator> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found.ok_or_else(|| UnknownEvaluator { name: name.to_string() })
    }
}

/// The options of a network.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The method by which it is evaluated.
    pub evaluator: EvaluatorKind,
    /// The names of the passes that are skipped.
    pub without: Vec<String>,
    /// Passes that run after those of the table: for tests of what finds a wrong one.
    #[doc(hidden)]
    pub more: Vec<Pass>,
    /// What is wrong in lanes: for tests of what finds it.
    #[doc(hidden)]
    pub lanes_fault: Option<TechniqueFault>,
}

impl From<Stop> for PropnetError {
    fn from(stopped: Stop) -> Self {
        Self::Ground(GroundError::Reason(stopped.into()))
    }
}

/// The reasons for which there is no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropnetError {
    /// The rules cannot be grounded.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The network differs from the ground rules. This is a bug of this program that no rule sheet should cause.
    #[error("the network differs from the rules: `{proposition}` {problem}; please report the sheet")]
    Unfaithful {
        /// The first proposition that differs.
        proposition: String,
        /// The difference, as the end of a sentence.
        problem: &'static str,
    },
    /// The optimised network differs from the network as it was built. This is a bug of this program.
    #[error("the optimised network differs from the rules: {0}; please report the sheet")]
    Differs(Box<NetworkDifference>),
    /// The initial state of the network is not that of the rules.
    #[error("the network differs from the rules: initially `{fact}` {} in it; please report the sheet", if *holds { "holds" } else { "does not hold" })]
    InitialFact {
        /// The first fact that differs.
        fact: GroundTerm,
        /// Whether it holds in the network's initial state.
        holds: bool,
    },
}
