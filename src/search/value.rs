//! What searches of several players compare: ends of the game, and estimates of states that are not over.

use crate::game::Utility;
use serde::Serialize;
use std::fmt;
use std::ops::Neg;

/// The value of a state to one role, as searches compare it: every win is more than any estimate, every loss is less.
///
/// A utility counts as its distance from 50, beyond all estimates where there is one; a draw, 50, is the same as the estimate 0.
/// So what one role gains its opponent loses: the value of `100 - u` is minus that of `u`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(i64);

impl Value {
    /// Less than every value of a state.
    pub(super) const LEAST: Self = Self(-i64::MAX);
    /// More than every value of a state.
    pub(super) const MOST: Self = Self(i64::MAX);

    /// What a draw is worth.
    const DRAW: i64 = 50;
    /// Estimates are less than this.
    const DECIDED: i64 = 1 << 40;

    /// The value of an end of the game.
    pub fn utility(utility: Utility) -> Self {
        let lead = i64::from(utility.0) - Self::DRAW;
        Self(lead.signum() * Self::DECIDED + lead)
    }

    /// The value of a state that is not over: more than 0 is good for the role. Estimates beyond 2^40 count as just so much.
    pub fn estimate(estimate: i64) -> Self {
        Self(estimate.clamp(1 - Self::DECIDED, Self::DECIDED - 1))
    }

    /// What stands behind the value. A value of 0 is a draw in an exact answer, and an estimate in others.
    pub fn worth(self, is_exact: bool) -> Worth {
        if self.0.abs() < Self::DECIDED && !(self.0 == 0 && is_exact) {
            return Worth::Estimate(self.0);
        }
        let lead = self.0 - self.0.signum() * Self::DECIDED;
        Worth::Utility(Utility((lead + Self::DRAW) as i32))
    }

    /// The greatest value that is less.
    pub(super) fn just_below(self) -> Self {
        Self(self.0 - 1)
    }

    /// Whether no further work can change it: the best or the worst that a game gives.
    pub(super) fn is_decided(self) -> bool {
        self == Self::utility(Utility::MAX) || self == Self::utility(Utility::MIN)
    }

    /// The value as a number for pictures and traces: a utility, or, where states are `estimated`, an estimate, and wins and
    /// losses are infinite.
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

/// What a state is worth to a role, as an answer says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// The game comes to an end that is worth this much.
    Utility(Utility),
    /// The search did not see the end; this is what an evaluation says of where it stopped. 0 without one.
    Estimate(i64),
}

impl Worth {
    /// The utility, where the search saw the end of the game.
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
