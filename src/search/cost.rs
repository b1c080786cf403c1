//! What a search cost.

use serde::Serialize;
use std::time::Duration;

/// The price of an answer. All but the time are the same on every run, engine and machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// States visited, the first one included; a state that is reached twice counts twice.
    pub nodes: u64,
    /// Visited states whose successors were looked at: those that were not terminal.
    pub expanded: u64,
    /// The longest line of joint moves from the first state.
    pub depth: u32,
    /// How long it took by the clock. Left out of JSON, where answers must not change from run to run.
    #[serde(skip)]
    pub time: Duration,
}
