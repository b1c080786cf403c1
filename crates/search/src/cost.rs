//! The cost of a search, and its progress, which can be read while it runs.

use serde::Serialize;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// Cost of an answer. All fields except the time are the same on every run, engine and machine.
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
            // Both searches may remember the same states, so the numbers are not added.
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

/// Counters that a search updates from time to time, and that another thread may read.
#[derive(Debug, Default)]
pub struct SearchProgress {
    nodes: AtomicU64,
    depth: AtomicU32,
    listener: Option<fn()>,
}

impl SearchProgress {
    /// Counters with a function that is called whenever they are set, for programs of one thread.
    pub fn with_listener(listener: fn()) -> Self {
        Self { listener: Some(listener), ..Self::default() }
    }

    /// The number of nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The depth reached: the longest line or, in deepening searches, the depth of the round.
    pub fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Sets the counters to 0.
    pub fn reset(&self) {
        self.set(0, 0);
    }

    pub(super) fn set(&self, nodes: u64, depth: u32) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.depth.store(depth, Ordering::Relaxed);
        self.announce();
    }

    /// Calls the listener, if there is one. Callers use it also after a change that is shown in another way.
    pub fn announce(&self) {
        if let Some(listener) = self.listener {
            listener();
        }
    }
}
