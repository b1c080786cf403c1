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
//! can be switched off, and `lower` turns the graph into a flat [`Program`](crate::program::Program) that the evaluators run. The
//! room builds on [`crate::ground`] and implements [`ggp_game::Reasoner`]; it does not use the interpreter, with
//! which the tests compare it.

mod build;
#[doc(hidden)]
pub mod decisive;
mod describe;
mod error;
mod evaluate;
mod faithful;
mod file;
mod guards;
mod inspect;
mod lists;
mod literal;
mod lower;
mod negative_cycle;
mod netlist;
mod network;
pub(crate) mod options;
mod order;
mod passes;
mod raise;
mod reasoner;
mod soundness;
#[doc(hidden)]
pub mod validation;

pub use describe::Labels;
#[doc(hidden)]
pub use describe::{Census, around, census};
pub use error::PropnetError;
pub use file::{CompiledGame, FileError};
pub use inspect::{Inspected, Inspector};
pub use lower::lower;
pub use negative_cycle::{GateNegativeCycle, check_cycles};
pub use netlist::Netlist;
pub use network::{Component, Group, Groups, MoveId, Network, NetworkFluent, Output};
pub use options::{EvaluatorKind, NetworkOptions, UnknownEvaluator};
pub use order::ComponentOrder;
pub(crate) use passes::FOR_PLAY;
pub use passes::{PASSES, Pass, PassReport, optimise, optimise_within};
pub use reasoner::Propnet;
pub use soundness::UnsoundProgram;
pub use validation::{
    LeftOut, NetworkDifference, Verification, VerificationProgress, VerifiedEvaluator, verify, verify_watched,
};

use crate::ground::Grounding;
use gdl::limits::Limits;

/// Builds the network of a ground game without any simplification; [`check_faithful`] checks it. Linear in the literals
/// of its rules.
///
/// # Errors
/// [`PropnetError::Unfaithful`]; or if the interrupt or the deadline of the limits ends the work.
pub fn build(grounding: &Grounding, limits: &Limits) -> Result<Network, PropnetError> {
    let network = build::build(grounding, limits)?;
    faithful::check(grounding, &network, limits)?;
    Ok(network)
}

/// Checks that a network as built represents the ground rules: every proposition has one component, every ground
/// `next`, `legal`, `goal` and `terminal` has an output, and the initial facts are the same.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition that violates this.
pub fn check_faithful(grounding: &Grounding, network: &Network) -> Result<(), PropnetError> {
    faithful::check(grounding, network, &Limits::none())
}

/// Checks that everything in a network that may change still has its output after the passes: `lower` treats a
/// missing output as false.
///
/// # Errors
/// [`PropnetError::Unfaithful`], with the first proposition without an output.
pub fn check_outputs(network: &Network) -> Result<(), PropnetError> {
    faithful::check_outputs(network)
}
