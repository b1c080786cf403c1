//! The clocks of a match, and the safety margin that a player keeps.

use gdl::limits::Deadline;
use gdl::time::Instant;
use std::time::Duration;

/// The thinking time of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The time before the first move.
    pub start: Duration,
    /// The time for each move.
    pub play: Duration,
}

/// The time that a player leaves unused, so that its answer arrives before the deadline: a share for the transfer of
/// the answer, and twice the worst recent delay between the moment at which the player meant to stop and the moment at
/// which it did; but never more than half of the time, so that a player which was held up once still thinks.
#[derive(Clone, Debug, Default)]
pub struct Margin {
    delay: Duration,
}

impl Margin {
    /// The least share for the transfer.
    const LEAST: Duration = Duration::from_millis(5);
    /// The share for the transfer is the time divided by this, up to [`Margin::MOST_SHARE`].
    const SHARE: u32 = 10;
    const MOST_SHARE: Duration = Duration::from_millis(500);
    /// The margin is at most the time divided by this, unless the share for the transfer is more.
    const MOST: u32 = 2;

    /// A margin for which no delay has been observed yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The moment at which to stop thinking.
    pub fn stop_before(&self, deadline: Deadline) -> Deadline {
        let remaining = deadline.remaining();
        let share = (remaining / Self::SHARE).clamp(Self::LEAST, Self::MOST_SHARE);
        let margin = (share + 2 * self.delay).min(share.max(remaining / Self::MOST));
        deadline.earlier(margin).max(Deadline::after(Duration::ZERO))
    }

    /// Runs `work` with the moment at which to stop, and learns from the delay. Old delays fade by a tenth each time.
    pub fn think<T>(&mut self, deadline: Deadline, work: impl FnOnce(Deadline) -> T) -> T {
        let stop = self.stop_before(deadline);
        let result = work(stop);
        let delay = Instant::now().saturating_duration_since(stop.at());
        self.delay = delay.max(self.delay * 9 / 10);
        result
    }

    /// The delay that the margin allows for.
    pub fn delay(&self) -> Duration {
        self.delay
    }
}
