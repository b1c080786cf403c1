//! The reasons for which there may be no network.

use super::validation::NetworkDifference;
use crate::ground::GroundError;
use crate::program::FormDifference;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;

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
    /// All evaluators differ from the network. This is a bug of this program.
    #[error("{}", .0.report("all evaluators"))]
    Evaluators(Box<FormDifference>),
    /// The initial state of the network is not that of the rules.
    #[error("the network differs from the rules: initially `{fact}` {} in it; please report the sheet", if *holds { "holds" } else { "does not hold" })]
    InitialFact {
        /// The first fact that differs.
        fact: GroundTerm,
        /// Whether it holds in the network's initial state.
        holds: bool,
    },
}

impl From<Stop> for PropnetError {
    fn from(stopped: Stop) -> Self {
        Self::Ground(GroundError::Reason(stopped.into()))
    }
}
