//! Whether games still show states that were not seen before. A small game has few states to which good play leads, so
//! after some thousand games a network meets the others only in games that begin elsewhere.

use gdl::number::to_index;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// The states of games, and the share of those that had been seen in an earlier game.
pub(crate) struct Novelty {
    /// Hashes of states, each at the place that its first bits number; a later state replaces an earlier one there.
    hashes: Vec<u64>,
    seen: f64,
}

impl Novelty {
    /// The states that are remembered: more than good play has in a game of which all states can be learned in minutes.
    const STATES: usize = 1 << 16;
    /// The weight of a state in the share.
    const WEIGHT: f64 = 1e-3;

    pub(crate) fn new() -> Self {
        Self { hashes: vec![0; Self::STATES], seen: 0.0 }
    }

    /// Notes a state of a game.
    pub(crate) fn note(&mut self, state: &impl Hash) {
        let hash = FxBuildHasher.hash_one(state);
        let place = &mut self.hashes[to_index(hash >> (u64::BITS - Self::STATES.ilog2()))];
        let is_seen = f64::from(u8::from(*place == hash));
        self.seen += Self::WEIGHT * (is_seen - self.seen);
        *place = hash;
    }

    /// The share, from 0 to 1, of the last thousand states or so that had been seen.
    pub(crate) fn seen(&self) -> f64 {
        self.seen
    }
}
