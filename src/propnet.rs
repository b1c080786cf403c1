//! The propositional network: ground rules as gates, evaluated for one state at a time, or for hundreds of games at once.
//!
//! The way is [`build()`] (ground rules to a graph of components), [`optimise()`] (small passes, each of which can be left
//! out), and lowering to a flat program that evaluators run, and [`lanes`]. It stands on [`crate::ground`] and implements
//! [`crate::game::Reasoner`]; the interpreter is its judge in the tests, not its neighbour in the code.

mod build;
mod describe;
mod dot;
mod evaluate;
mod faithful;
mod file;
mod guards;
pub mod lanes;
mod layout;
mod lower;
mod many;
mod netlist;
mod network;
mod options;
mod order;
pub mod passes;
mod program;
mod reasoner;
mod soundness;
mod svg;

pub use describe::{Census, Labels, around, census};
pub use dot::dot;
pub use file::{CompiledGame, FileError};
pub use lanes::Lanes;
pub use layout::{Drawing, draw};
pub use network::{Component, Fluent, FluentId, FluentStorage, MoveId, Network, Output, RoleGoal, RoleMove};
pub use options::{EvaluatorKind, Options, PropnetError, UnknownEvaluator};
pub use order::{NegativeCycle, check_cycles};
pub use passes::{FOR_PLAY, PASSES, Pass, PassReport, optimise, optimise_while};
pub use program::{Gate, GateKind, Legality, Program, Wire};
pub use reasoner::{Propnet, State};
pub use soundness::Unsound;
pub use svg::{MOST_DRAWN, TooLarge, svg};

use crate::ground::Grounding;
use crate::limits::Limits;

/// The network of a ground game, as the rules have it: nothing simplified.
pub fn build(grounding: &Grounding) -> Network {
    build::build(grounding, &Limits::none()).unwrap_or_else(|_| unreachable!("nothing stops the work"))
}

/// Checks that a network as it is built says what the ground rules say: every proposition has one component, every ground
/// `next`, `legal`, `goal` and `terminal` its output, and the initial facts are the same.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition for which this is not so.
pub fn check_faithful(grounding: &Grounding, network: &Network) -> Result<(), PropnetError> {
    faithful::check(grounding, network)
}

/// Checks that everything in a network which may change has its output, whatever passes have made of it: [`lower`] takes the
/// rest for what never holds.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition without an output.
pub fn check_outputs(network: &Network) -> Result<(), PropnetError> {
    faithful::check_outputs(network)
}

/// The flat program of a network.
pub fn lower(network: &Network) -> Program {
    lower::lower(network, &Limits::none()).unwrap_or_else(|_| unreachable!("nothing stops the work"))
}
