//! The propositional network: ground rules as gates, evaluated for one state at a time. [`crate::lanes`] evaluates
//! the same program for hundreds of games at once.
//!
//! ```
//! use ggp_engine::ground::{GroundBudget, ground};
//! use gdl::limits::Limits;
//! use ggp_engine::propnet::{build, optimise};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let game = ggp_engine::Game::library("tic_tac_toe")?;
//! let mut network = build(&ground(&game.rules, &GroundBudget::new())?, &Limits::none())?;
//! let before = network.graph.node_count();
//! optimise(&mut network, &[]);
//! assert!(network.graph.node_count() < before);
//! # Ok(())
//! # }
//! ```
//!
//! [`build()`] turns ground rules into a graph of components, [`optimise()`] runs small passes over it, each of which
//! can be switched off, and [`lower()`] turns the graph into a flat [`Program`](crate::program::Program) that the
//! evaluators run. The room builds on [`crate::ground`] and implements [`ggp_game::Reasoner`] ([`Propnet`]); it does
//! not use the interpreter, with which the tests compare it.

mod build;
#[doc(hidden)]
pub mod decisive;
mod evaluate;
mod file;
mod inspect;
mod literal;
mod lower;
mod netlist;
mod network;
mod passes;
mod reasoner;
#[doc(hidden)]
pub mod validation;

pub use build::{GateNegativeCycle, build, check_cycles, check_faithful, check_outputs};
pub(crate) use evaluate::rules::RuleAnswers;
pub use file::{CompiledGame, FileError, UnsoundProgram};
#[doc(hidden)]
pub use inspect::{Census, around, census};
pub use inspect::{Inspected, Inspector, Labels};
pub use lower::lower;
pub use netlist::{ComponentOrder, Netlist};
pub use network::{Component, Group, Groups, MoveId, Network, NetworkFluent, Output};
pub(crate) use passes::FOR_PLAY;
pub use passes::{PASSES, Pass, PassReport, optimise, optimise_within};
pub use reasoner::Propnet;
pub use validation::{
    LeftOut, NetworkDifference, Verification, VerificationProgress, VerifiedEvaluator, verify, verify_watched,
};

use crate::ground::GroundError;
use crate::lanes::LeftOutTechnique;
use crate::program::FormDifference;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use std::fmt;
use std::str::FromStr;

/// The method by which a program is evaluated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EvaluatorKind {
    /// The fastest of the others, as measured on the game.
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
    /// Computes the gates that are asked for, and no others. If gates are nested too deep, this is `Incremental`.
    Demand,
    /// Asks the rules, and no gates. Only the automatic choice takes it, for large networks that are slower.
    Rules,
}

impl EvaluatorKind {
    /// All evaluators that can be selected, `Auto` first.
    pub const ALL: [Self; 6] = [Self::Auto, Self::Full, Self::Incremental, Self::Compiled, Self::Sparse, Self::Demand];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Full => "full",
            Self::Incremental => "incremental",
            Self::Compiled => "compiled",
            Self::Sparse => "sparse",
            Self::Demand => "demand",
            Self::Rules => "rules",
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
#[error("there is no evaluator `{name}`; there are `auto`, `full`, `incremental`, `compiled`, `sparse` and `demand`")]
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

/// The options of a network: the passes that make it and the evaluator that runs it.
#[derive(Clone, Debug, Default)]
pub struct NetworkOptions {
    /// The method by which it is evaluated.
    pub evaluator: EvaluatorKind,
    /// The names of the passes that are skipped.
    pub without: Vec<String>,
    /// Passes that run after those of the table. Tests add wrong ones, to see them found.
    #[doc(hidden)]
    pub more: Vec<Pass>,
    /// Techniques that lanes and evaluators do not use, because they are known to differ from the network.
    #[doc(hidden)]
    pub left_out: Vec<LeftOutTechnique>,
}

/// A network that could not be built, or that may not be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PropnetError {
    /// The rules cannot be grounded.
    #[error(transparent)]
    Ground(#[from] GroundError),
    /// The network differs from the ground rules, which is a bug of this program, whatever the rule sheet.
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
        /// True if it holds in the network's initial state, and not in that of the rules.
        holds: bool,
    },
}

impl From<Stop> for PropnetError {
    fn from(stopped: Stop) -> Self {
        Self::Ground(GroundError::Reason(stopped.into()))
    }
}
