//! The options of a network.

use super::passes::Pass;
use crate::lanes::LeftOutTechnique;
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
pub struct NetworkOptions {
    /// The method by which it is evaluated.
    pub evaluator: EvaluatorKind,
    /// The names of the passes that are skipped.
    pub without: Vec<String>,
    /// Passes that run after those of the table: for tests of what finds a wrong one.
    #[doc(hidden)]
    pub more: Vec<Pass>,
    /// What lanes and evaluators do without from the start, since it is known to differ from the network.
    #[doc(hidden)]
    pub left_out: Vec<LeftOutTechnique>,
}
