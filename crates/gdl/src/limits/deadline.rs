//! The moment by which work must end.

use crate::time::Instant;
use std::time::Duration;

/// The moment by which work must end, or an answer must arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Instant);

impl Deadline {
    /// This much time from now.
    pub fn after(time: Duration) -> Self {
        Self::since(Instant::now(), time)
    }

    /// This much time from a moment on.
    pub(crate) fn since(begun: Instant, time: Duration) -> Self {
        // A time that the system's clock cannot represent is replaced by a century.
        Self(begun.checked_add(time).unwrap_or_else(|| begun + Duration::from_secs(100 * 365 * 86_400)))
    }

    /// The deadline postponed by this much time.
    pub fn later(self, time: Duration) -> Self {
        Self(self.0.checked_add(time).unwrap_or(self.0))
    }

    /// Earlier by this time.
    pub fn earlier(self, time: Duration) -> Self {
        Self(self.0.checked_sub(time).unwrap_or(self.0))
    }

    /// The deadline as a moment of the system's monotonic clock.
    pub fn at(self) -> Instant {
        self.0
    }

    /// The time left; zero if the deadline has passed.
    pub fn remaining(self) -> Duration {
        self.0.saturating_duration_since(Instant::now())
    }

    /// Whether the deadline has passed.
    pub fn is_over(self) -> bool {
        Instant::now() >= self.0
    }
}
