//! Calls into the library: without the interpreter lock, stopped by Ctrl-C, and without panics that cross into Python.
//!
//! Short questions run on the calling thread ([`Signals::inline`]); the engines poll [`Limits`], whose watch asks
//! Python for signals. Searches poll only their own flag, so they run on a thread of their own while the caller waits
//! for signals ([`Signals::on_thread`]).

use crate::failure::Failure;
use ggp::limits::{Limits, Stop};
use pyo3::prelude::*;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The time between two questions for signals.
const PERIOD: Duration = Duration::from_millis(50);

/// The stack of threads that search: the recursion of a search is as deep as its game is long. Only what is used takes
/// memory.
const STACK: usize = 256 << 20;

/// The signals of Python, as far as they stop the work for one game.
#[derive(Clone, Default)]
pub(crate) struct Signals {
    /// Stops the work of the library.
    flag: Arc<AtomicBool>,
    /// The exception that a handler raised, usually `KeyboardInterrupt`.
    raised: Arc<Mutex<Option<PyErr>>>,
}

thread_local! {
    static LAST: Cell<Option<Instant>> = const { Cell::new(None) };
}

impl Signals {
    /// The flag that stops the work.
    pub(crate) fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Limits under which work asks for signals and heeds the flag.
    pub(crate) fn limits(&self) -> Limits {
        let signals = self.clone();
        Limits::new().with_interrupt(self.flag()).with_watch(Arc::new(move || signals.poll()))
    }

    /// Asks Python for signals, if the last time was long enough ago.
    pub(crate) fn poll(&self) {
        let now = Instant::now();
        let is_due = LAST.get().is_none_or(|last| now.duration_since(last) >= PERIOD);
        if is_due {
            LAST.set(Some(now));
            self.ask();
        }
    }

    /// Stops the work that is running, from another thread.
    pub(crate) fn interrupt(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// True if a signal has stopped the work.
    pub(crate) fn are_raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Calls the handlers of signals that have arrived. Does nothing outside the main thread.
    fn ask(&self) {
        if let Err(error) = Python::attach(|py| py.check_signals()) {
            *lock(&self.raised) = Some(error);
            self.flag.store(true, Ordering::Relaxed);
        }
    }

    /// Runs a short question on this thread, without the interpreter lock.
    ///
    /// # Errors
    /// Those of the question; what a handler of signals raised; a panic as an internal error.
    pub(crate) fn inline<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| catch_unwind(AssertUnwindSafe(question)));
        let was_interrupted = matches!(&answer, Ok(Err(failure)) if failure.is_interrupt());
        self.finish(answer, was_interrupted)
    }

    /// Runs a question of some microseconds on this thread, under the interpreter lock.
    ///
    /// # Errors
    /// As [`Signals::inline`].
    pub(crate) fn attached<T>(&self, question: impl FnOnce() -> Result<T, Failure>) -> PyResult<T> {
        match catch_unwind(AssertUnwindSafe(question)) {
            Ok(Ok(answer)) if !self.are_raised() => Ok(answer),
            answer => {
                let was_interrupted = matches!(&answer, Ok(Err(failure)) if failure.is_interrupt());
                self.finish(answer, was_interrupted)
            }
        }
    }

    /// Runs work that may take long on a thread of its own, while this one waits for it and for signals.
    ///
    /// # Errors
    /// As [`Signals::inline`].
    pub(crate) fn on_thread<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce() -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let answer = py.detach(|| {
            let (done, ended) = channel::<()>();
            thread::scope(|scope| {
                let work = move || {
                    let answer = catch_unwind(AssertUnwindSafe(work));
                    drop(done);
                    answer
                };
                let worker = thread::Builder::new().name("ggp".to_string()).stack_size(STACK).spawn_scoped(scope, work);
                let worker = match worker {
                    Ok(worker) => worker,
                    Err(error) => return Ok(Err(Failure::other(format!("no thread can be started: {error}")))),
                };
                while ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                    self.ask();
                }
                worker.join().unwrap_or_else(Err)
            })
        });
        // Some work ends with what it has when it is interrupted.
        self.finish(answer, self.flag.load(Ordering::Relaxed))
    }

    /// The answer of a call, or what interrupted it; the next call begins without an interrupt.
    fn finish<T>(&self, answer: Result<Result<T, Failure>, Box<dyn Any + Send>>, was_interrupted: bool) -> PyResult<T> {
        if let Some(error) = lock(&self.raised).take() {
            self.flag.store(false, Ordering::Relaxed);
            return Err(error);
        }
        if was_interrupted {
            self.flag.store(false, Ordering::Relaxed);
            return Err(Failure::from(ggp::ReasonError::Stopped(Stop::Interrupted)).into());
        }
        match answer {
            Ok(answer) => Ok(answer?),
            Err(panic) => Err(Failure::panicked(&*panic).into()),
        }
    }
}

/// Locks; what a panic of another call has left behind is caches of engines, which are computed anew.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
