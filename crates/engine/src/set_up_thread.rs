//! A thread that sets something up while its owner goes on, and sends what is ready.

use ggp_game::threads::{self, NoThread};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// The reason for which a thread sends nothing more.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ThreadFailure {
    /// The thread panicked, which is a bug in building the network.
    #[error("setting up the propnet panicked")]
    Panicked,
    /// The operating system has no thread for it.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// A thread at work. Dropping it sets the interrupt flag, which the work polls, and joins the thread.
pub(super) struct SetUpThread<T> {
    /// In a mutex that is never locked, so that its owner can be shared between threads.
    arrivals: Mutex<Receiver<Result<T, ThreadFailure>>>,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// True once the thread has ended and all its results have been taken.
    is_done: bool,
}

impl<T: Send + 'static> SetUpThread<T> {
    /// Starts a thread, which stops soon after the flag is set. `work` sends by its argument, which returns false if the
    /// owner is gone.
    pub(super) fn start(
        interrupt: Arc<AtomicBool>,
        work: impl FnOnce(&mut dyn FnMut(T) -> bool) + Send + 'static,
    ) -> Self {
        let (sender, arrivals) = mpsc::channel();
        let failed = sender.clone();
        let thread = threads::start(move || {
            let mut send = |ready| sender.send(Ok(ready)).is_ok();
            if catch_unwind(AssertUnwindSafe(|| work(&mut send))).is_err() {
                // Sending fails only if the owner is gone, so the message has no reader.
                let _ = sender.send(Err(ThreadFailure::Panicked));
            }
        });
        if let Err(error) = thread {
            // Sending cannot fail, since the receiver is still in this function.
            let _ = failed.send(Err(error.into()));
        }
        Self { arrivals: Mutex::new(arrivals), interrupt, thread: thread.ok(), is_done: false }
    }

    /// The next result, waiting for at most `wait`; `None` if there is none yet, or none will follow
    /// ([`SetUpThread::is_done`]).
    pub(super) fn next(&mut self, wait: Duration) -> Option<Result<T, ThreadFailure>> {
        let arrivals = self.arrivals.get_mut().unwrap_or_else(PoisonError::into_inner);
        match arrivals.recv_timeout(wait) {
            Ok(arrival) => Some(arrival),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                None
            }
        }
    }

    /// True once no more results will follow. [`SetUpThread::next`] finds this out.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }
}

impl<T> Drop for SetUpThread<T> {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // The thread catches its own panics, so the result of `join` has no information.
        drop(self.thread.take().map(JoinHandle::join));
    }
}
