//! The threads that work for matches, counted in groups, one a match or preview, so that a new match can wait until
//! those of the one before have ended.
//!
//! A thread that does not end, such as one of a player that never returns, is waited for only until its group is
//! overdue: then the group is abandoned. Its threads still count, but a new match no longer waits for them.
//!
//! Players begin works, and hosts wait for them: those of the protocol, and any other, for which the hidden methods are.

use crate::log;
use gdl::time::Instant;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// All groups of threads.
#[derive(Default)]
pub struct ThreadGroups {
    /// The groups that have a thread.
    running: Mutex<Vec<OpenWorkGroup>>,
    /// Notified when a thread has ended, or a group has been told to end.
    ended: Condvar,
    /// The number of groups so far.
    begun: AtomicU64,
}

struct OpenWorkGroup {
    number: u64,
    threads: usize,
    /// The moment at which it is abandoned, once it has been told to end.
    overdue: Option<Instant>,
    is_abandoned: bool,
}

/// The threads of one match or preview. Clones stand for the same group.
#[derive(Clone, Default)]
pub struct WorkGroup {
    works: Arc<ThreadGroups>,
    number: u64,
}

/// One thread that works. It is given to the thread, which drops it at its end.
pub(crate) struct Work(WorkGroup);

impl ThreadGroups {
    /// No new match begins if this many groups are abandoned: each may hold threads and memory for ever.
    pub const MOST_ABANDONED: usize = 8;

    /// A group without any thread yet.
    #[doc(hidden)]
    pub fn group(self: &Arc<Self>) -> WorkGroup {
        WorkGroup { works: self.clone(), number: self.begun.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// The number of threads that have not ended, those of abandoned groups included.
    #[doc(hidden)]
    pub fn count(&self) -> usize {
        self.running().iter().map(|group| group.threads).sum()
    }

    /// True if a new match need not wait: only abandoned groups have threads, and there are fewer of them than
    /// [`ThreadGroups::MOST_ABANDONED`].
    #[doc(hidden)]
    pub fn are_done(&self) -> bool {
        are_done(&mut self.running())
    }

    /// Waits until a new match can begin ([`ThreadGroups::are_done`]), and no longer than `time`. Returns true if it
    /// can.
    #[doc(hidden)]
    pub fn wait(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut running = self.running();
        loop {
            let now = Instant::now();
            if are_done(&mut running) || now >= end {
                return are_done(&mut running);
            }
            // Wakes up when a group becomes overdue, even if no thread ends.
            let overdue = running.iter().filter(|group| !group.is_abandoned).filter_map(|group| group.overdue);
            let wait = overdue.fold(end, Instant::min).saturating_duration_since(now);
            let waited = self.ended.wait_timeout(running, wait);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn running(&self) -> MutexGuard<'_, Vec<OpenWorkGroup>> {
        // No holder of the lock panics while the numbers are half changed.
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Abandons the groups that are overdue. Returns true if only abandoned groups are left, and few enough.
fn are_done(running: &mut [OpenWorkGroup]) -> bool {
    let now = Instant::now();
    for group in running.iter_mut() {
        if !group.is_abandoned && group.overdue.is_some_and(|overdue| overdue <= now) {
            group.is_abandoned = true;
            log::warn(format_args!(
                "the work of a former match has not ended, and is no longer waited for threads={}",
                group.threads
            ));
        }
    }
    running.iter().all(|group| group.is_abandoned) && running.len() < ThreadGroups::MOST_ABANDONED
}

impl WorkGroup {
    /// Counts a thread that begins to work for the group.
    pub(crate) fn begin(&self) -> Work {
        let mut running = self.works.running();
        match running.iter_mut().find(|group| group.number == self.number) {
            Some(group) => group.threads += 1,
            None => {
                running.push(OpenWorkGroup { number: self.number, threads: 1, overdue: None, is_abandoned: false });
            }
        }
        Work(self.clone())
    }

    /// Abandons the group, which has been told to end, if it has not ended within `grace`.
    #[doc(hidden)]
    pub fn end_within(&self, grace: Duration) {
        let mut running = self.works.running();
        if let Some(group) = running.iter_mut().find(|group| group.number == self.number) {
            group.overdue = Some(Instant::now() + grace);
        }
        self.works.ended.notify_all();
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let WorkGroup { works, number } = &self.0;
        let mut running = works.running();
        if let Some(group) = running.iter_mut().find(|group| group.number == *number) {
            group.threads -= 1;
        }
        running.retain(|group| group.threads > 0);
        works.ended.notify_all();
    }
}
