//! Parallel work on many items.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Does the work for all items; returns the sum of the successes, and the failures, sorted.
pub(crate) fn in_parallel<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<u64, String> + Sync) -> (u64, Vec<String>) {
    let (taken, sum, failures) = (AtomicU64::new(0), AtomicU64::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) = items.get(taken.fetch_add(1, Ordering::Relaxed) as usize) {
                    match work(item) {
                        Ok(count) => {
                            sum.fetch_add(count, Ordering::Relaxed);
                        }
                        Err(failure) => failures.lock().expect("no thread panics with the lock").push(failure),
                    }
                }
            });
        }
    });
    let mut failures = failures.into_inner().expect("no thread panics with the lock");
    failures.sort();
    (sum.into_inner(), failures)
}
