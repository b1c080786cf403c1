//! How much a grounding may cost, and what is said when it would cost more.

use crate::game::ReasonError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The limits of one grounding.
#[derive(Clone, Debug)]
pub struct GroundBudget {
    pub(super) time: Duration,
    pub(super) memory: usize,
    pub(super) interrupt: Option<Arc<AtomicBool>>,
}

impl GroundBudget {
    /// The limits that hold without further word: 20 seconds, 2 GiB.
    pub fn new() -> Self {
        Self { time: Duration::from_secs(20), memory: 2 << 30, interrupt: None }
    }

    /// Stops after this time.
    pub fn with_time(mut self, time: Duration) -> Self {
        self.time = time;
        self
    }

    /// Stops when tuples and rules take about this many bytes.
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// Stops soon after somebody sets this flag.
    pub fn with_interrupt(mut self, flag: Arc<AtomicBool>) -> Self {
        self.interrupt = Some(flag);
        self
    }
}

impl Default for GroundBudget {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a game is not grounded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GroundError {
    /// It would take more time or memory than was given.
    #[error("grounding needs more than {given}; the most instances so far, {count}, are of {relation}")]
    Limit {
        /// What was given, such as `20 s`.
        given: String,
        /// The relation with the most instances.
        relation: String,
        /// How many.
        count: usize,
    },
    /// Something else went wrong on the way.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}
