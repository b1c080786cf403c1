//! Values of all states of a game, computed from its ends: retrograde analysis, backward induction, value iteration.
//!
//! The states are those of [`super::explore`]. `rule.rs` says how the value of a state follows from those of its
//! successors.

mod expected_values;
#[doc(hidden)]
pub mod layer_values;
mod layered;
mod precision;
mod repeating;
mod retrograde;
mod rule;
mod solve;
mod value_iteration;

pub use precision::Precision;
pub use repeating::{FEW_STATES, FromAllStates, repeating_choice, repeating_expectation, repeating_shares};
pub(crate) use rule::{GameKind, Rule};
pub use solve::{ExpectedValue, Solution, SolvedState, SolvedStates, SolvedVisitor, solve, solve_each};
