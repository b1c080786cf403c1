//! The scale on which searches of several players compare states: ends of the game, and estimates of states that are
//! not terminal.

use crate::game::{Reasoner, Utility, UtilityRange};
use serde::Serialize;
use std::fmt;
use std::ops::Neg;

/// The value of a state for one role, as searches compare it: every win is greater than any estimate, every loss is
/// less.
///
/// A utility counts as its distance from the middle of the range of utilities (`Scale`), shifted beyond all estimates
/// unless it is 0; a draw equals the estimate 0. So what one role gains its opponent loses: from 0 to 100 the value of
/// `100 - u` is the negation of that of `u`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(i64);

impl Value {
    /// Less than the value of any state.
    pub(super) const LEAST: Self = Self(-i64::MAX);
    /// Greater than the value of any state.
    pub(super) const MOST: Self = Self(i64::MAX);

    /// The least absolute value of a win or loss; estimates are smaller.
    const DECIDED: i64 = 1 << 40;

    /// The value of a state that is not terminal; positive values are good for the role. Estimates are clamped to less
    /// than 2^40 in absolute value.
    pub(crate) fn estimate(estimate: i64) -> Self {
        Self(estimate.clamp(1 - Self::DECIDED, Self::DECIDED - 1))
    }

    /// The greatest value that is less.
    pub(super) fn just_below(self) -> Self {
        Self(self.0 - 1)
    }
}

/// The scale between utilities and values: the range of the game's utilities, whose middle is a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Scale(UtilityRange);

impl Scale {
    /// The scale of a game.
    pub(super) fn of(reasoner: &impl Reasoner) -> Self {
        Self(reasoner.utility_range())
    }

    /// The value of a terminal state.
    pub(super) fn value(self, utility: Utility) -> Value {
        let lead = 2 * utility.millionths() - self.sum();
        Value(lead.signum() * Value::DECIDED + lead)
    }

    /// The value of the greatest utility.
    pub(super) fn win(self) -> Value {
        self.value(self.0.most)
    }

    /// The value of the least utility.
    pub(super) fn loss(self) -> Value {
        self.value(self.0.least)
    }

    /// The utility or estimate behind a value. A value of 0 is a draw in an exact answer, and an estimate otherwise.
    pub(super) fn worth(self, Value(value): Value, is_exact: bool) -> Worth {
        if value.abs() < Value::DECIDED && !(value == 0 && is_exact) {
            return Worth::Estimate(value);
        }
        let lead = value - value.signum() * Value::DECIDED;
        Worth::Utility(Utility::from_millionths((lead + self.sum()) / 2))
    }

    /// Whether no further work can change the value: it is that of the best or worst utility.
    pub(super) fn is_decided(self, value: Value) -> bool {
        value == self.win() || value == self.loss()
    }

    /// The value as a number for drawings and traces: a utility or, if states are `estimated`, an estimate, where wins
    /// and losses are infinite.
    pub(super) fn number(self, value: Value, estimated: bool) -> f64 {
        match self.worth(value, !estimated) {
            Worth::Utility(utility) if !estimated => utility.to_f64(),
            Worth::Estimate(estimate) => estimate as f64,
            Worth::Utility(_) => f64::INFINITY.copysign(value.0 as f64),
        }
    }

    /// Twice the middle of the range, in millionths.
    fn sum(self) -> i64 {
        self.0.least.millionths() + self.0.most.millionths()
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
