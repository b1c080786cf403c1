//! The clocks of a match, and how a player keeps clear of them.

use std::time::{Duration, Instant};

/// How long players may think.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Before the first move.
    pub start: Duration,
    /// For each move.
    pub play: Duration,
}

/// The moment at which an answer has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// So long from now.
    pub fn after(time: Duration) -> Self {
        let now = Instant::now();
        // A time beyond what the system's clock can count is a century, which is as good.
        Self(now.checked_add(time).unwrap_or_else(|| now + Duration::from_secs(100 * 365 * 86_400)))
    }

    /// So much later.
    pub fn later(self, time: Duration) -> Self {
        Self(self.0.checked_add(time).unwrap_or(self.0))
    }

    /// The moment.
    pub fn at(self) -> Instant {
        self.0
    }

    /// How long until then; nothing where it is past.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether it is past.
    pub fn is_over(self) -> bool {
        self.remaining().is_zero()
    }
}

/// What a player leaves of its time, so that its answer is there before the deadline: a share of the time for the way of the answer, and
/// twice the worst delay that it has seen lately between the moment when it meant to stop and the moment when it did.
#[derive(Clone, Debug, Default)]
pub struct Margin {
    delay: Duration,
}

impl Margin {
    /// The least that is left.
    const LEAST: Duration = Duration::from_millis(5);
    /// One part in so many is left for the way of the answer, but no more than [`Margin::MOST_SHARE`].
    const SHARE: u32 = 10;
    const MOST_SHARE: Duration = Duration::from_millis(500);

    /// No delay seen yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The moment at which to stop thinking.
    pub fn stop_before(&self, deadline: Deadline) -> Deadline {
        let remaining = deadline.remaining();
        let share = (remaining / Self::SHARE).clamp(Self::LEAST, Self::MOST_SHARE);
        Deadline::after(remaining.saturating_sub(share + 2 * self.delay))
    }

    /// Thinks until it is time to stop, and learns from how long it took. Delays are forgotten by and by.
    pub fn think<T>(&mut self, deadline: Deadline, work: impl FnOnce(Deadline) -> T) -> T {
        let stop = self.stop_before(deadline);
        let result = work(stop);
        let delay = Instant::now().saturating_duration_since(stop.at());
        self.delay = delay.max(self.delay * 9 / 10);
        result
    }

    /// The delay that it reckons with.
    pub fn delay(&self) -> Duration {
        self.delay
    }
}
