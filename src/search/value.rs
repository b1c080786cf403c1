//! The scale on which searches of several players compare states: ends of the game, and estimates of states that are
//! not terminal.

use crate::game::Utility;
use serde::Serialize;
use std::fmt;
use std::ops::Neg;

/// The value of a state for one role, as searches compare it: every win is greater than any estimate, every loss is
/// less.
///
/// A utility counts as its distance from 50, shifted beyond all estimates unless it is 0; a draw, 50, equals the
/// estimate 0. So what one role gains its opponent loses: the value of `100 - u` is the negation of that of `u`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(i64);

impl Value {
    /// Less than the value of any state.
    pub(super) const LEAST: Self = Self(-i64::MAX);
    /// Greater than the value of any state.
    pub(super) const MOST: Self = Self(i64::MAX);

    /// The utility of a draw.
    const DRAW: i64 = 50;
    /// The least absolute value of a win or loss; estimates are smaller.
    const DECIDED: i64 = 1 << 40;

    /// The value of a terminal state.
    pub(crate) fn utility(utility: Utility) -> Self {
        let lead = i64::from(utility.0) - Self::DRAW;
        Self(lead.signum() * Self::DECIDED + lead)
    }

    /// The value of a state that is not terminal; positive values are good for the role. Estimates are clamped to less
    /// than 2^40 in absolute value.
    pub(crate) fn estimate(estimate: i64) -> Self {
        Self(estimate.clamp(1 - Self::DECIDED, Self::DECIDED - 1))
    }

    /// The utility or estimate behind the value. A value of 0 is a draw in an exact answer, and an estimate otherwise.
    pub fn worth(self, is_exact: bool) -> Worth {
        if self.0.abs() < Self::DECIDED && !(self.0 == 0 && is_exact) {
            return Worth::Estimate(self.0);
        }
        let lead = self.0 - self.0.signum() * Self::DECIDED;
        let utility = i32::try_from(lead + Self::DRAW).unwrap_or(if lead < 0 { i32::MIN } else { i32::MAX });
        Worth::Utility(Utility(utility))
    }

    /// The greatest value that is less.
    pub(super) fn just_below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Whether no further work can change the value: it is that of the best or worst utility, 100 or 0.
    pub(super) fn is_decided(self) -> bool {
        self == Self::utility(Utility::MAX) || self == Self::utility(Utility::MIN)
    }

    /// The value as a number for drawings and traces: a utility or, if states are `estimated`, an estimate, where wins
    /// and losses are infinite.
    pub(super) fn number(self, estimated: bool) -> f64 {
        match self.worth(!estimated) {
            Worth::Utility(utility) if !estimated => f64::from(utility.0),
            Worth::Estimate(estimate) => estimate as f64,
            Worth::Utility(_) => f64::INFINITY.copysign(self.0 as f64),
        }
    }
}

impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Self(-self.0)
    }
}

/// The value of a state for a role, as answers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// The game ends with this utility.
    Utility(Utility),
    /// The search did not reach the end; this is the evaluation of the state where it stopped, or 0 without an
    /// evaluation.
    Estimate(i64),
}

impl Worth {
    /// The utility, if the search reached the end of the game.
    pub fn utility(self) -> Option<Utility> {
        match self {
            Self::Utility(utility) => Some(utility),
            Self::Estimate(_) => None,
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Utility(utility) => utility.fmt(formatter),
            Self::Estimate(estimate) => write!(formatter, "{estimate} by estimate"),
        }
    }
}

/// The bounds between which the value of a node matters.
#[derive(Clone, Copy)]
pub(super) struct Window {
    /// The value that the role can already reach elsewhere.
    pub(super) alpha: Value,
    /// The value to which the others can already hold the role elsewhere.
    pub(super) beta: Value,
}

impl Window {
    /// The window that excludes no value.
    pub(super) const OPEN: Self = Self { alpha: Value::LEAST, beta: Value::MOST };
}
