//! How exact the values of a game with chance are.

use serde::Serialize;

/// How exact means are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "precision", rename_all = "snake_case")]
pub enum Precision {
    /// No state repeats: backward induction, in fractions.
    Exact,
    /// No state repeats, but the terms of a fraction did not fit: backward induction, up to the rounding of
    /// floating-point numbers.
    Rounded,
    /// States repeat: the true means lie within this distance, however play without end counts.
    Within {
        /// The greatest distance of a bound from the mean that is given.
        error: f64,
    },
    /// States repeat, and the means depend on what play without end is worth. They were iterated until no mean changed
    /// by more than this.
    Iterated {
        /// The greatest change of a mean in the last round.
        change: f64,
        /// What play without end counts for the first player.
        endless: f64,
    },
}

impl Precision {
    /// Whether no further work would change the means.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact | Self::Rounded)
    }
}
