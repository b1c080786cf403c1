//! The cost of a search.

use serde::Serialize;
use std::time::Duration;

/// What an answer cost. All fields except the time are the same on every run, engine and machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// States generated, the first one included; a state that is reached twice counts twice.
    pub nodes: u64,
    /// States whose successors were generated.
    pub expanded: u64,
    /// Distinct states, in searches that remember the states they have seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Nodes taken from the queue or stack, those at a depth limit and the goal included; only in searches that have
    /// one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pops: Option<u64>,
    /// Nodes without successors: terminal states, and states at the horizon; only in searches of lines of play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<u64>,
    /// The length of the longest line from the first state, in joint moves.
    pub depth: u32,
    /// Elapsed time by the clock. Left out of JSON, so that answers do not change from run to run.
    #[serde(skip)]
    pub time: Duration,
}

impl Cost {
    /// Calls of the recursive function, the one for the root included: one for each generated node. `None` for a search
    /// with a queue or a stack, which is not recursive.
    #[inline]
    pub fn calls(&self) -> Option<u64> {
        self.pops.is_none().then_some(self.nodes)
    }

    /// The cost of two searches, one after the other.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            expanded: self.expanded + other.expanded,
            states: self.states.max(other.states),
            pops: sum(self.pops, other.pops),
            leaves: sum(self.leaves, other.leaves),
            depth: self.depth.max(other.depth),
            time: self.time + other.time,
        }
    }
}

#[inline]
fn sum(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    one.into_iter().chain(other).reduce(u64::saturating_add)
}
