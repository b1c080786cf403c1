//! The scale on which searches of several players compare states: ends of the game, and estimates of states that are
//! not terminal.

use ggp_game::{Reasoner, Utility, UtilityRange};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Neg;

/// The value of a state for one role, as searches compare it: every win is greater than any estimate, every loss is
/// less.
///
/// A utility counts as its distance from the middle of the range of utilities (`PayoffRange`), shifted beyond all
/// estimates unless it is 0; a draw equals the estimate 0. So the value for the opponent is the negation: from 0 to 100
/// the value of `100 - u` is the negation of that of `u`. A state at the horizon without an evaluation is unknown, and
/// compares as equal to a draw.
#[derive(Clone, Copy, Debug)]
pub struct Value(i64);

impl Value {
    /// Less than the value of any state.
    pub(super) const LEAST: Self = Self(-i64::MAX);
    /// Greater than the value of any state.
    pub(super) const MOST: Self = Self(i64::MAX);
    /// The value of a state that is not terminal and has no evaluation: its rank is 0.
    pub(super) const UNKNOWN: Self = Self(i64::MIN);

    /// The least absolute value of a win or loss; estimates are smaller.
    const DECIDED: i64 = 1 << 40;

    /// The value of a state that is not terminal; positive values are good for the role. Estimates are clamped to less
    /// than 2^40 in absolute value.
    #[inline]
    pub(crate) fn estimate(estimate: i64) -> Self {
        Self(estimate.clamp(1 - Self::DECIDED, Self::DECIDED - 1))
    }

    /// The greatest value that is less than this one.
    #[inline]
    pub(super) fn just_below(self) -> Self {
        Self(self.rank() - 1)
    }

    /// The least value that is greater than this one.
    #[inline]
    pub(super) fn just_above(self) -> Self {
        Self(self.rank().saturating_add(1))
    }

    /// The number by which values compare.
    #[inline]
    fn rank(self) -> i64 {
        if self.0 == Self::UNKNOWN.0 { 0 } else { self.0 }
    }
}

impl PartialEq for Value {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.rank() == other.rank()
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.rank().hash(state);
    }
}

/// The scale between utilities and values: the range of the game's utilities, whose middle is a draw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct PayoffRange(UtilityRange);

impl PayoffRange {
    /// The scale of a game.
    #[inline]
    pub(super) fn from_roles(reasoner: &impl Reasoner) -> Self {
        Self(reasoner.utility_range())
    }

    /// The range of the game's utilities.
    #[inline]
    pub(super) fn range(self) -> UtilityRange {
        self.0
    }

    /// The value of a terminal state.
    #[inline]
    pub(super) fn value(self, utility: Utility) -> Value {
        let lead = 2 * utility.millionths() - self.sum();
        Value(lead.signum() * Value::DECIDED + lead)
    }

    /// The value of the greatest utility.
    #[inline]
    pub(super) fn win(self) -> Value {
        self.value(self.0.most)
    }

    /// The value of the least utility.
    #[inline]
    pub(super) fn loss(self) -> Value {
        self.value(self.0.least)
    }

    /// The utility or estimate behind a value. If states are `estimated`, a value of 0 is an estimate, otherwise a
    /// draw.
    pub(super) fn worth(self, Value(value): Value, estimated: bool) -> Worth {
        if value == Value::UNKNOWN.0 {
            return Worth::Unknown;
        }
        if value.abs() < Value::DECIDED && (value != 0 || estimated) {
            return Worth::Estimate(value);
        }
        let lead = value - value.signum() * Value::DECIDED;
        Worth::Utility(Utility::from_millionths((lead + self.sum()) / 2))
    }

    /// True if no further work can change the value, since it is that of the best or worst utility.
    #[inline]
    pub(super) fn is_decided(self, value: Value) -> bool {
        value == self.win() || value == self.loss()
    }

    /// The value as a number for drawings and traces: a utility or, if states are `estimated`, an estimate, where wins
    /// and losses are infinite. An unknown value counts as it is ranked.
    #[inline]
    pub(super) fn number(self, value: Value, estimated: bool) -> f64 {
        let ranked = Value(value.rank());
        match self.worth(ranked, estimated) {
            Worth::Utility(utility) if !estimated => utility.to_f64(),
            Worth::Estimate(estimate) => estimate as f64,
            _ => f64::INFINITY.copysign(ranked.0 as f64),
        }
    }

    /// Twice the middle of the range, in millionths.
    #[inline]
    fn sum(self) -> i64 {
        self.0.least.millionths() + self.0.most.millionths()
    }
}

impl Neg for Value {
    type Output = Self;

    #[inline]
    fn neg(self) -> Self {
        // The value that is unknown is its own negation.
        Self(self.0.wrapping_neg())
    }
}

/// The value of a state for a role, as answers show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Worth {
    /// The game ends with this utility.
    Utility(Utility),
    /// The search did not reach the end; this is the evaluation of the state where it stopped.
    Estimate(i64),
    /// The search did not reach the end, and had no evaluation. Among values it ranks as a draw.
    Unknown,
}

impl Worth {
    /// The utility, if the search reached the end of the game.
    #[inline]
    pub fn utility(self) -> Option<Utility> {
        if let Self::Utility(utility) = self { Some(utility) } else { None }
    }

    /// The number alone, of a utility or of an estimate; or `unknown`.
    #[inline]
    pub fn number(self) -> String {
        match self {
            Self::Utility(utility) => utility.to_string(),
            Self::Estimate(estimate) => estimate.to_string(),
            Self::Unknown => "unknown".to_string(),
        }
    }
}

impl fmt::Display for Worth {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Estimate(_) = self {
            formatter.write_str("estimate ")?;
        }
        formatter.write_str(&self.number())
    }
}

/// An object of one entry, `utility`, `estimate` or `unknown`, which may be part of another object.
impl Serialize for Worth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1))?;
        match self {
            Self::Utility(utility) => map.serialize_entry("utility", utility)?,
            Self::Estimate(estimate) => map.serialize_entry("estimate", estimate)?,
            Self::Unknown => map.serialize_entry("unknown", &true)?,
        }
        map.end()
    }
}
