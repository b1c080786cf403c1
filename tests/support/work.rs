//! How much a thread has worked, whatever else the machine does.

use std::time::Duration;

/// The processor time of this thread.
#[cfg(unix)]
pub(crate) fn worked() -> Duration {
    use nix::time::{ClockId, clock_gettime};
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).expect("the thread has a clock").into()
}

/// The time by the clock, where that of the thread is not known.
#[cfg(not(unix))]
pub(crate) fn worked() -> Duration {
    std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default()
}
