//! How far a search has come, to be read while it runs.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// Numbers that a search brings up to date now and then, and that another thread may show.
#[derive(Debug, Default)]
pub struct Progress {
    nodes: AtomicU64,
    depth: AtomicU32,
}

impl Progress {
    /// The nodes so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// The depth that the search has come to: the longest line, or that of the round in searches that deepen.
    pub fn depth(&self) -> u32 {
        self.depth.load(Ordering::Relaxed)
    }

    /// Begins anew.
    pub fn reset(&self) {
        self.set(0, 0);
    }

    /// Brings the numbers up to date.
    pub(super) fn set(&self, nodes: u64, depth: u32) {
        self.nodes.store(nodes, Ordering::Relaxed);
        self.depth.store(depth, Ordering::Relaxed);
    }
}
