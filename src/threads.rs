//! Work on several processor cores, with the feature `threads`; without it the same work is done by one thread.

/// Does all jobs, shared by the threads of the pool in which this is called.
pub(crate) fn share<J: FnOnce() + Send>(jobs: impl Iterator<Item = J> + Send) {
    #[cfg(feature = "threads")]
    rayon::scope(|scope| jobs.for_each(|job| scope.spawn(move |_| job())));
    #[cfg(not(feature = "threads"))]
    jobs.for_each(|job| job());
}

/// The number of threads that share work.
pub(crate) fn count() -> usize {
    #[cfg(feature = "threads")]
    return rayon::current_num_threads();
    #[cfg(not(feature = "threads"))]
    1
}

/// Does the work once on each of `threads` new threads, and returns their results. `None` if `threads` is at most one,
/// if the feature `threads` is off, or if the system cannot start the threads: then the caller does the work alone.
pub(crate) fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Option<Vec<T>> {
    #[cfg(feature = "threads")]
    if threads > 1 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        return Some(pool.broadcast(|_| work()));
    }
    _ = (threads, work);
    None
}
