//! The progress of a search, which can be read while it runs.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Counters that a search updates now and then, and that another thread may read.
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

    /// Calls the listener, if there is one: also after what is shown in another way has changed.
    pub fn announce(&self) {
        if let Some(listener) = self.listener {
            listener();
        }
    }
}
