//! The propositional network: ground rules as gates, evaluated for one state at a time.
//!
//! The way is [`build()`] (ground rules to a graph of components), [`optimise()`] (small passes, each of which can be left
//! out), and lowering to a flat program that evaluators run. It stands on [`crate::ground`] and implements
//! [`crate::game::Reasoner`]; the interpreter is its judge in the tests, not its neighbour in the code.

mod build;
mod netlist;
mod network;
mod order;
pub mod passes;

pub use network::{Component, Fluent, FluentId, FluentPlace, MoveId, Network, Output, RoleGoal, RoleMove};
pub use order::{NegativeCycle, check_cycles};
pub use passes::{Pass, PassReport, optimise};

use crate::ground::Grounding;

/// The network of a ground game, as the rules have it: nothing simplified.
pub fn build(grounding: &Grounding) -> Network {
    build::build(grounding)
}
