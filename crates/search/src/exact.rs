//! Values of all states of a game, computed from its ends: retrograde analysis, backward induction, value iteration.
//!
//! The states are those of [`super::explore`]. The rule by which the value of a state follows from those of its
//! successors is in `retrograde.rs`.

mod expected_values;
#[doc(hidden)]
pub mod layered;
mod repeating;
mod retrograde;
mod solve;

pub use expected_values::Precision;
pub use repeating::{FEW_STATES, FromAllStates, repeating_choice, repeating_expectation, repeating_shares};
pub(crate) use retrograde::{GameKind, Rule};
pub use solve::{ExpectedValue, Solution, SolvedState, SolvedStates, SolvedVisitor, solve, solve_each};
