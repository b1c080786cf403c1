//! The threads that messages have started, counted, so that a new match waits until those of the one before have ended.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How many threads work for matches and previews.
#[derive(Default)]
pub(super) struct Works {
    running: Mutex<usize>,
    ended: Condvar,
}

/// One thread that works. Given to it, and dropped when it ends.
pub(super) struct Work(Arc<Works>);

impl Works {
    /// A thread begins to work.
    pub(super) fn begin(self: &Arc<Self>) -> Work {
        *self.running() += 1;
        Work(self.clone())
    }

    /// How many threads work now.
    pub(super) fn count(&self) -> usize {
        *self.running()
    }

    /// Waits until no thread works, and no longer than this. Whether that came to pass.
    pub(super) fn wait_for_none(&self, time: Duration) -> bool {
        let waited = self.ended.wait_timeout_while(self.running(), time, |running| *running > 0);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }

    fn running(&self) -> MutexGuard<'_, usize> {
        // A number cannot be half changed.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Work {
    /// A further thread works for the same message.
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
