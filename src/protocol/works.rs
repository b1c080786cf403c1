//! Counts the threads that messages have started, so that a new match can wait until those of the previous one have
//! ended.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The number of threads that work for matches and previews.
#[derive(Default)]
pub(super) struct Works {
    running: Mutex<usize>,
    ended: Condvar,
}

/// A running thread; the thread drops it when it ends.
pub(super) struct Work(Arc<Works>);

impl Works {
    /// Counts a thread that begins.
    pub(super) fn begin(self: &Arc<Self>) -> Work {
        *self.running() += 1;
        Work(self.clone())
    }

    /// The number of running threads.
    pub(super) fn count(&self) -> usize {
        *self.running()
    }

    /// Waits until no thread runs, at most for `time`. Returns whether none runs.
    pub(super) fn wait_for_none(&self, time: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.running(), time, |running| *running > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }

    fn running(&self) -> MutexGuard<'_, usize> {
        // The number is always valid, even after a panic.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// Counts another thread that works for the same message.
    pub(super) fn share(&self) -> Self {
        self.0.begin()
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        *self.0.running() -= 1;
        self.0.ended.notify_all();
    }
}
