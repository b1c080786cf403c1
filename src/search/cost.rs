//! What a search cost.

use serde::Serialize;
use std::time::Duration;

/// The price of an answer. All but the time are the same on every run, engine and machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// States generated, the first one included; a state that is reached twice counts twice.
    pub nodes: u64,
    /// States whose successors were generated.
    pub expanded: u64,
    /// Distinct states, in searches that remember the states they have seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// The longest line of joint moves from the first state.
    pub depth: u32,
    /// How long it took by the clock. Left out of JSON, where answers must not change from run to run.
    #[serde(skip)]
    pub time: Duration,
}
