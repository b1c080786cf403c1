//! Threads. The system may refuse to start one (`ulimit -u`, `ulimit -v`): then fewer threads do the work, or the
//! caller gets an error. Without the feature `threads` one thread does the work that is shared.

#[cfg(feature = "threads")]
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::iter;
#[cfg(feature = "threads")]
use std::sync::OnceLock;
use std::sync::mpsc::{self, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Builder, JoinHandle, Scope, ScopedJoinHandle};
use std::time::Duration;

/// The time after which threads that have ended no longer count.
const SETTLING: Duration = Duration::from_millis(5);

/// The system has refused to start a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system starts no more threads (`ulimit -u`, `ulimit -v`)")]
pub struct NoThread;

/// Starts a thread.
pub fn start<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<JoinHandle<T>, NoThread> {
    Builder::new().spawn(work).map_err(|_| NoThread)
}

/// Starts a thread that takes over a value; without a thread the value comes back.
pub fn start_with<V: Send + 'static>(value: V, work: impl FnOnce(V) + Send + 'static) -> Result<JoinHandle<()>, V> {
    let (sender, receiver) = sync_channel(1);
    match start(move || receiver.recv().map_or((), work)) {
        Err(NoThread) => Err(value),
        Ok(thread) => {
            // The thread waits for it.
            _ = sender.send(value);
            Ok(thread)
        }
    }
}

/// Starts a thread that ends within a scope.
pub fn start_in<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Result<ScopedJoinHandle<'s, T>, NoThread> {
    Builder::new().spawn_scoped(scope, work).map_err(|_| NoThread)
}

/// Does pieces of work on up to `jobs` threads, each of which calls `next` until that returns `None`. `take` has their
/// results, as they are done; if it leaves some, each thread ends after its present piece. If the system starts no thread,
/// the work is done here.
pub fn work_off<T: Send, R>(
    jobs: usize,
    next: impl Fn() -> Option<T> + Sync,
    take: impl FnOnce(&mut dyn Iterator<Item = T>) -> R,
) -> R {
    let (done, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut started = 0;
        for _ in 0..jobs.max(1) {
            let done = done.clone();
            let next = &next;
            let job = move || {
                while let Some(result) = next() {
                    if done.send(result).is_err() {
                        break;
                    }
                }
            };
            started += usize::from(start_in(scope, job).is_ok());
        }
        drop(done);
        let here = iter::from_fn(|| if started == 0 { next() } else { None });
        take(&mut results.into_iter().chain(here))
    })
}

/// The message of a panic.
pub fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("without a message")
}

/// The number of threads, at most `wanted`, that the system starts at the same time: for libraries that panic if they
/// get none.
pub fn available(wanted: usize) -> usize {
    let gate = Mutex::new(());
    let wait = || drop(gate.lock().unwrap_or_else(PoisonError::into_inner));
    let started = thread::scope(|scope| {
        // All threads wait at the gate until the last one has been started, so they exist at the same time.
        let closed = gate.lock();
        let threads: Vec<_> = (0..wanted).map_while(|_| start_in(scope, wait).ok()).collect();
        drop(closed);
        threads.into_iter().map(ScopedJoinHandle::join).filter(Result::is_ok).count()
    });
    if started < wanted {
        // The system counts a thread for a moment longer than it can be joined.
        thread::sleep(SETTLING);
    }
    started
}

/// Does all jobs, shared by the threads of the pool in which this is called, or of one that all callers share.
pub fn share<J: FnOnce() + Send>(jobs: impl Iterator<Item = J> + Send) {
    #[cfg(feature = "threads")]
    {
        if rayon::current_thread_index().is_some() {
            return rayon::scope(|scope| jobs.for_each(|job| scope.spawn(move |_| job())));
        }
        if let Some(pool) = common_pool() {
            return pool.scope(|scope| jobs.for_each(|job| scope.spawn(move |_| job())));
        }
    }
    jobs.for_each(|job| job());
}

/// The number of threads that share work.
pub fn count() -> usize {
    #[cfg(feature = "threads")]
    {
        if rayon::current_thread_index().is_some() {
            return rayon::current_num_threads();
        }
        if let Some(pool) = common_pool() {
            return pool.current_num_threads();
        }
    }
    1
}

/// Does the work once on each of `threads` new threads, and returns their results. `None` if `threads` is at most one,
/// if the feature `threads` is off, or if the system cannot start the threads: then the caller does the work alone.
pub fn on_each<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Option<Vec<T>> {
    #[cfg(feature = "threads")]
    if threads > 1 {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().ok()?;
        return Some(pool.broadcast(|_| work()));
    }
    _ = (threads, work);
    None
}

/// The pool for all threads that belong to none; `None` if the system starts no threads. It is not rayon's global one,
/// which panics if a thread cannot be started.
#[cfg(feature = "threads")]
fn common_pool() -> Option<&'static ThreadPool> {
    static COMMON: OnceLock<Option<ThreadPool>> = OnceLock::new();
    COMMON.get_or_init(build_pool).as_ref()
}

/// A pool with a thread for each processor core or, if that is too many, with half of them, a quarter and so on.
#[cfg(feature = "threads")]
fn build_pool() -> Option<ThreadPool> {
    let all = ThreadPoolBuilder::new().build().ok();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let fewer =
        || std::iter::successors(Some(cores / 2), |threads| Some(threads / 2)).take_while(|&threads| threads > 1);
    all.or_else(|| fewer().find_map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().ok()))
}
