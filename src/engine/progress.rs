//! Reports that long work is still going on.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// A callback that is told while an engine is being set up.
#[derive(Clone)]
pub struct SetupProgress(Arc<dyn Fn(Option<Duration>) + Send + Sync>);

impl SetupProgress {
    /// The time between two calls.
    const INTERVAL: Duration = Duration::from_millis(500);

    /// `tell` is called every half second with the elapsed time, on another thread, and with `None` when the work is
    /// done. It is not called for shorter work.
    pub fn new(tell: impl Fn(Option<Duration>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Does some work, and reports while it runs.
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        // Dropping the sender ends the thread, also after a panic.
        let (going_on, done) = mpsc::channel::<()>();
        std::thread::scope(|scope| {
            scope.spawn(move || {
                let mut told = false;
                while done.recv_timeout(Self::INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    (self.0)(Some(started.elapsed()));
                    told = true;
                }
                if told {
                    (self.0)(None);
                }
            });
            let result = work();
            drop(going_on);
            result
        })
    }
}

impl fmt::Debug for SetupProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SetupProgress")
    }
}
