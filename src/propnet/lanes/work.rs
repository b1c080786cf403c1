//! What there is to play: columns of 64 lanes, each with its number of games, taken by whoever is free.
//!
//! A column plays a number of games that is fixed before it begins, and all of them to their end: to count what has ended at
//! some moment would favour short games. Its random numbers depend on the seed and the column's number alone. So who plays
//! which columns, in how wide a batch and beside which others, changes nothing in the sum.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// How much is to be played.
#[derive(Clone, Debug)]
pub struct Request {
    /// So many games; without end where there is none.
    pub playouts: Option<u64>,
    /// No games are begun after this, but by columns that have begun before.
    pub deadline: Option<Instant>,
    /// Random play begins here: the same seed gives the same games.
    pub seed: u64,
    /// A game that is longer than so many plies is broken off.
    pub longest: u32,
    /// So many threads play.
    pub threads: usize,
    /// Set by somebody who wants it to stop: games that are being played then are forgotten.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Request {
    /// A game that is longer than so many plies is broken off, if nothing else is said.
    pub const LONGEST: u32 = 5_000;

    /// So many games.
    pub fn playouts(playouts: u64) -> Self {
        Self { playouts: Some(playouts), deadline: None, seed: 0, longest: Self::LONGEST, threads: 1, interrupt: None }
    }

    /// As many games as there is time for.
    pub fn until(deadline: Instant) -> Self {
        Self { playouts: None, deadline: Some(deadline), ..Self::playouts(0) }
    }

    /// With this seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// On so many threads; the outcomes do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Breaks longer games off.
    pub fn with_longest(self, longest: u32) -> Self {
        Self { longest, ..self }
    }

    /// Stops soon after somebody sets this flag.
    pub fn with_interrupt(self, interrupt: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }
}

/// Columns that are still to be played.
#[derive(Debug)]
pub(super) struct Work<'a> {
    pub(super) request: &'a Request,
    /// How many games a column plays.
    games: u64,
    taken: AtomicU64,
}

/// A column to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct Column {
    pub(super) number: u64,
    pub(super) games: u64,
}

/// A column plays at least so many games, one in each lane, ...
const LEAST_GAMES: u64 = 64;
/// ... and at most so many.
const MOST_GAMES: u64 = 16_384;
/// There are so many columns before they get more than the least number of games: enough for a few threads with wide batches.
const COLUMNS: u64 = 256;
/// Without a number of games a column plays so many.
const GAMES_UNTIL_DEADLINE: u64 = 512;

impl<'a> Work<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        let shared = request.playouts.map(|playouts| (playouts / COLUMNS).clamp(LEAST_GAMES, MOST_GAMES));
        Self { request, games: shared.unwrap_or(GAMES_UNTIL_DEADLINE), taken: AtomicU64::new(0) }
    }

    /// The next column; none where everything has been taken, or the time is over.
    pub(super) fn take(&self) -> Option<Column> {
        if self.request.deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.is_interrupted() {
            return None;
        }
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let games = match self.request.playouts {
            Some(playouts) => playouts.saturating_sub(number.saturating_mul(self.games)).min(self.games),
            None => self.games,
        };
        (games > 0).then_some(Column { number, games })
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.request.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}
