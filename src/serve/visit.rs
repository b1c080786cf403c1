//! A session of a page, with the requests that wait for it.
//!
//! A session does one thing at a time. The requests that wait for it are in a queue of its own and hold no thread, so a
//! busy session does not delay the others. A request whose browser has gone away is not begun, or is interrupted if it
//! is being worked on; the others are not disturbed.

use crate::repl::Session;
use crate::repl::output::Screen;
use ggp_engine::EngineOptions;
use ggp_search::SearchProgress;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

/// The greatest number of requests that wait for one session. A page asks for a few things at a time.
pub(super) const WAITING: usize = 16;

/// A session of a page.
pub(super) struct PageVisit {
    session: Mutex<Session>,
    /// One permit, which requests get in the order in which they came.
    queue: Arc<Semaphore>,
    interrupt: Arc<AtomicBool>,
    pub(super) progress: Arc<SearchProgress>,
    pub(super) screen: Arc<Screen>,
    turn: Mutex<VisitTurn>,
}

/// Whose turn it is.
struct VisitTurn {
    /// The request that is worked on.
    current: Option<u64>,
    /// The number of the next request.
    next: u64,
    /// The number of requests that are worked on or wait.
    open: usize,
    /// When the last one came or ended.
    used: Instant,
    /// The session is over: nothing is begun any more.
    is_over: bool,
}

/// A request to a session. If it is dropped, its work stops, or is not begun.
pub(super) struct Ticket {
    visit: Arc<PageVisit>,
    number: u64,
    is_cancelled: Arc<AtomicBool>,
}

/// The work that a ticket stands for.
pub(super) struct TicketWork {
    visit: Arc<PageVisit>,
    number: u64,
    is_cancelled: Arc<AtomicBool>,
}

/// A panic in a session leaves it as it was before the command, or in the middle of a change of its settings, which are
/// plain values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PageVisit {
    pub(super) fn new(engine: EngineOptions) -> Self {
        let interrupt = Arc::new(AtomicBool::new(false));
        let session = Session::without_files(interrupt.clone()).with_engine(engine);
        let progress = session.progress();
        let screen = session.screen();
        screen.set_watched(true);
        let turn = VisitTurn { current: None, next: 0, open: 0, used: Instant::now(), is_over: false };
        let queue = Arc::new(Semaphore::new(1));
        Self { session: Mutex::new(session), queue, interrupt, progress, screen, turn: Mutex::new(turn) }
    }

    /// When the session was last used; `None` if a request is worked on or waits.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let turn = lock(&self.turn);
        (turn.open == 0 && turn.current.is_none()).then_some(turn.used)
    }

    /// Interrupts what is worked on, and begins nothing any more.
    pub(super) fn end(&self) {
        lock(&self.turn).is_over = true;
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// A ticket for a request, and its work; `None` if [`WAITING`] requests wait already.
    pub(super) fn ticket(self: &Arc<Self>) -> Option<(Ticket, TicketWork)> {
        let mut turn = lock(&self.turn);
        if turn.open > WAITING {
            return None;
        }
        let number = turn.next;
        let is_cancelled = Arc::new(AtomicBool::new(false));
        turn.next += 1;
        turn.open += 1;
        turn.used = Instant::now();
        let task = TicketWork { visit: self.clone(), number, is_cancelled: is_cancelled.clone() };
        Some((Ticket { visit: self.clone(), number, is_cancelled }, task))
    }
}

impl TicketWork {
    /// Works on the session when it is free; `None` if the request was given up before.
    ///
    /// # Errors
    /// If the work panics.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce(&mut Session) -> T + Send + 'static,
    ) -> Result<Option<T>, JoinError> {
        let Ok(permit) = self.visit.queue.clone().acquire_owned().await else { return Ok(None) };
        let task = move || {
            let _permit = permit;
            self.run_now(work)
        };
        spawn_blocking(task).await
    }

    fn run_now<T>(self, work: impl FnOnce(&mut Session) -> T) -> Option<T> {
        let mut session = lock(&self.visit.session);
        {
            let mut turn = lock(&self.visit.turn);
            if self.is_cancelled.load(Ordering::Relaxed) || turn.is_over {
                return None;
            }
            turn.current = Some(self.number);
            self.visit.interrupt.store(false, Ordering::Relaxed);
        }
        let _working = WorkingTurn(&self.visit);
        Some(work(&mut session))
    }
}

/// Ends a turn, also where the work panics.
struct WorkingTurn<'a>(&'a PageVisit);

impl Drop for WorkingTurn<'_> {
    fn drop(&mut self) {
        lock(&self.0.turn).current = None;
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut turn = lock(&self.visit.turn);
        turn.open -= 1;
        turn.used = Instant::now();
        self.is_cancelled.store(true, Ordering::Relaxed);
        if turn.current == Some(self.number) {
            self.visit.interrupt.store(true, Ordering::Relaxed);
        }
    }
}
