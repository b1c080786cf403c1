//! The work to be done: columns of 64 lanes, each with its number of games, which idle batches take one by one.
//!
//! A column plays a number of games that is fixed before it begins, and all of them to their end: counting the games
//! that have ended at some moment would favour short games. Its random numbers depend only on the seed and the column's
//! number. So the sum does not depend on which thread plays which columns, in how wide a batch and next to which
//! others.

use gdl::time::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// A request for random games.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of games; `None` for no limit.
    pub(crate) playouts: Option<u64>,
    /// No column is begun after this; columns that have begun play all their games.
    pub(crate) deadline: Option<Instant>,
    /// The seed of the random numbers: the same seed gives the same games.
    pub seed: u64,
    /// A game longer than this many plies is abandoned.
    pub(crate) longest: u32,
    /// The number of threads.
    pub threads: usize,
    /// Stops the work when set; games that are being played then are discarded.
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

impl Request {
    /// The default for [`Request::longest`].
    pub(crate) const LONGEST: u32 = 5_000;

    /// A request for this many games, with seed 0, on one thread.
    pub fn playouts(playouts: u64) -> Self {
        Self { playouts: Some(playouts), deadline: None, seed: 0, longest: Self::LONGEST, threads: 1, interrupt: None }
    }

    /// A request for as many games as there is time for.
    pub fn until(deadline: Instant) -> Self {
        Self { playouts: None, deadline: Some(deadline), ..Self::playouts(0) }
    }

    /// Sets the seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Sets the number of threads; the outcomes do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the number of plies after which a game is abandoned.
    pub fn with_longest(self, longest: u32) -> Self {
        Self { longest, ..self }
    }

    /// Sets a flag that stops the work soon after it is set.
    pub fn with_interrupt(self, interrupt: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }
}

/// The columns that are still to be played.
#[derive(Debug)]
pub(super) struct ColumnQueue<'a> {
    pub(super) request: &'a Request,
    /// The number of games of a column.
    games: u64,
    taken: AtomicU64,
}

/// A column to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedColumn {
    pub(super) number: u64,
    pub(super) games: u64,
    /// When it was taken.
    taken: Instant,
}

/// The fewest games of a column, one in each lane.
const LEAST_GAMES: u64 = 64;
/// The most games of a column.
const MOST_GAMES: u64 = 16_384;
/// Columns get more than the least number of games only if there are this many columns: enough for a few threads with
/// wide batches.
const COLUMNS: u64 = 256;
/// The least number of games of a column if the request has no number. In the last games of a column there are more and
/// more lanes without a game, so a column gets more where there is time.
const GAMES_UNTIL_DEADLINE: u64 = 512;
/// More games must not take more than this part of the time that is left.
const PART_OF_TIME: u32 = 32;

impl<'a> ColumnQueue<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        Self::after(request, 0)
    }

    /// What is left of a request after this number of columns.
    pub(super) fn after(request: &'a Request, columns: u64) -> Self {
        let games = request
            .playouts
            .map_or(GAMES_UNTIL_DEADLINE, |playouts| (playouts / COLUMNS).clamp(LEAST_GAMES, MOST_GAMES));
        Self { request, games, taken: AtomicU64::new(columns) }
    }

    /// The number of columns that have been taken, with those before the work began.
    pub(super) fn columns(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// Whether all games have been taken, or the deadline of the whole request has passed, or it is interrupted.
    pub(super) fn ends(&self, whole: &Request) -> bool {
        let are_taken = whole.playouts.is_some_and(|playouts| self.columns().saturating_mul(self.games) >= playouts);
        are_taken || whole.deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.is_interrupted()
    }

    /// The next column, after this one in the same batch; `None` if all are taken, the deadline has passed or the work
    /// is interrupted.
    pub(super) fn take(&self, previous: Option<QueuedColumn>) -> Option<QueuedColumn> {
        let now = Instant::now();
        if self.request.deadline.is_some_and(|deadline| now >= deadline) || self.is_interrupted() {
            return None;
        }
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        let games = match (self.request.playouts, self.request.deadline, previous) {
            (Some(playouts), ..) => playouts.saturating_sub(number.saturating_mul(self.games)).min(self.games),
            (None, Some(deadline), Some(previous)) => previous.games_within((deadline - now) / PART_OF_TIME, now),
            (None, ..) => self.games,
        };
        (games > 0).then_some(QueuedColumn { number, games, taken: now })
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.request.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl QueuedColumn {
    /// The number of games of the next column if it has this time, at most twice as many as this one, which has ended
    /// now.
    fn games_within(self, time: Duration, now: Instant) -> u64 {
        let elapsed = (now - self.taken).as_nanos().max(1);
        let games = u128::from(self.games) * time.as_nanos() / elapsed;
        let games = u64::try_from(games).unwrap_or(u64::MAX).min(self.games * 2);
        games.clamp(GAMES_UNTIL_DEADLINE, MOST_GAMES)
    }
}
