//! Moments by the clock of a host.

use std::convert::Infallible;
use std::ops::{Add, AddAssign, Sub};
use std::sync::OnceLock;
use std::time::Duration;

/// The milliseconds since the beginning of 1970, which never become fewer.
static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

/// Provides the clock: the milliseconds since the beginning of 1970, which must never become fewer. Until then no time
/// passes. Only the first clock counts.
pub fn provide(clock: fn() -> f64) {
    CLOCK.get_or_init(|| clock);
}

fn now() -> Duration {
    CLOCK.get().map_or(Duration::ZERO, |clock| Duration::from_secs_f64(clock().max(0.0) / 1_000.0))
}

/// A moment, as [`std::time::Instant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Self {
        Self(now())
    }

    /// The time since this moment.
    pub fn elapsed(&self) -> Duration {
        now().saturating_sub(self.0)
    }

    /// The time since an earlier moment; 0 if it is later.
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The time since an earlier moment; 0 if it is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// The moment after this time; `None` if it cannot be counted.
    pub fn checked_add(&self, time: Duration) -> Option<Self> {
        self.0.checked_add(time).map(Self)
    }

    /// The moment before this time; `None` if it cannot be counted.
    pub fn checked_sub(&self, time: Duration) -> Option<Self> {
        self.0.checked_sub(time).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    fn add(self, time: Duration) -> Self {
        Self(self.0 + time)
    }
}

impl AddAssign<Duration> for Instant {
    fn add_assign(&mut self, time: Duration) {
        self.0 += time;
    }
}

impl Sub<Duration> for Instant {
    type Output = Self;

    fn sub(self, time: Duration) -> Self {
        Self(self.0.saturating_sub(time))
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}

/// A date, as [`std::time::SystemTime`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTime(Duration);

impl SystemTime {
    /// The beginning of 1970.
    pub const UNIX_EPOCH: Self = Self(Duration::ZERO);

    /// This moment.
    pub fn now() -> Self {
        Self(now())
    }

    /// The time since an earlier date.
    ///
    /// # Errors
    /// None.
    pub fn duration_since(&self, earlier: Self) -> Result<Duration, Infallible> {
        Ok(self.0.saturating_sub(earlier.0))
    }
}
