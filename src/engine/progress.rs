//! Word of work that takes long, while it is going on.

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Somebody who wants to know that an engine is still being set up.
#[derive(Clone)]
pub struct Progress(Arc<dyn Fn(Option<Duration>) + Send + Sync>);

impl Progress {
    /// So often somebody is told.
    const INTERVAL: Duration = Duration::from_millis(500);

    /// `tell` is called now and then with the time so far, on another thread, and with `None` when the work is done. Work that
    /// takes less than half a second is not worth a word.
    pub fn new(tell: impl Fn(Option<Duration>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(tell))
    }

    /// Does some work, and tells of it as long as it takes.
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        let started = Instant::now();
        // Dropping the sender, after a panic as well, ends the thread.
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

impl fmt::Debug for Progress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Progress")
    }
}
