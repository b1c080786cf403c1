//! The sessions of pages, by their names, and the requests that wait for them.
//!
//! A session does one thing at a time. The requests that wait for it are in a queue of its own and hold no thread, so a
//! busy session does not delay the others. A request whose browser has gone away is not begun, or is interrupted if it
//! is being worked on; the others are not disturbed.

use super::ServerSecret;
use crate::repl::Session;
use crate::repl::output::Screen;
use ggp_engine::EngineOptions;
use ggp_learn::NeuralNetwork;
use ggp_search::SearchProgress;
use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use tokio::sync::Semaphore;
use tokio::task::{JoinError, spawn_blocking};

/// Maximum number of requests that wait for one session. A page asks for a few things at a time.
pub(super) const WAITING: usize = 16;

/// A session of a page.
pub(super) struct PageVisit {
    session: Mutex<Session>,
    /// One permit, which requests get in the order of their arrival.
    queue: Arc<Semaphore>,
    /// Stops the command that runs in the session.
    interrupt: Arc<AtomicBool>,
    pub(super) progress: Arc<SearchProgress>,
    pub(super) screen: Arc<Screen>,
    turn: Mutex<VisitTurn>,
}

/// The requests of a session.
struct VisitTurn {
    /// The number of the request at work.
    current: Option<u64>,
    /// The number of the next request.
    next: u64,
    /// The number of requests that are at work or wait.
    open: usize,
    /// Time at which the last request came or ended.
    used: Instant,
    /// True if the session is over, so that no request begins any more.
    is_over: bool,
}

/// A claim of a request on a session. Dropping it stops the work of the request, or keeps it from beginning.
pub(super) struct Ticket {
    visit: Arc<PageVisit>,
    number: u64,
    is_cancelled: Arc<AtomicBool>,
}

/// The permission to work on a session, once it is free and if the [`Ticket`] is still held.
pub(super) struct TicketWork {
    visit: Arc<PageVisit>,
    number: u64,
    is_cancelled: Arc<AtomicBool>,
}

/// Locks a mutex, also after a panic. That leaves a session as it was before the command, or in the middle of a change of
/// its settings, which are plain values.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl PageVisit {
    fn new(engine: EngineOptions, networks: Arc<[NeuralNetwork]>) -> Self {
        let interrupt = Arc::new(AtomicBool::new(false));
        let session = Session::without_files(interrupt.clone()).with_engine(engine).with_networks(networks);
        let progress = session.progress();
        let screen = session.screen();
        screen.set_watched(true);
        let turn = VisitTurn { current: None, next: 0, open: 0, used: Instant::now(), is_over: false };
        let queue = Arc::new(Semaphore::new(1));
        Self { session: Mutex::new(session), queue, interrupt, progress, screen, turn: Mutex::new(turn) }
    }

    /// Time at which the session was last used; `None` if a request is at work or waits.
    pub(super) fn idle_since(&self) -> Option<Instant> {
        let turn = lock(&self.turn);
        (turn.open == 0 && turn.current.is_none()).then_some(turn.used)
    }

    /// Interrupts the request at work, and lets no other begin.
    pub(super) fn end(&self) {
        lock(&self.turn).is_over = true;
        self.interrupt.store(true, Ordering::Relaxed);
    }

    /// A ticket for a request, and its work; `None` if [`WAITING`] requests wait already.
    pub(super) fn ticket(self: &Arc<Self>) -> Option<(Ticket, TicketWork)> {
        let mut turn = lock(&self.turn);
        // One of the open requests is at work.
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
    /// Works on the session when it is free; `None` if the ticket was dropped, or the session ended, before.
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
            // Under the lock: a ticket that is dropped from here on interrupts this work and no other.
            turn.current = Some(self.number);
            self.visit.interrupt.store(false, Ordering::Relaxed);
        }
        let _working = WorkingTurn(&self.visit);
        Some(work(&mut session))
    }
}

/// Ends a turn when it is dropped, also if the work panics.
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

/// The sessions of all pages, by their secret names. A session beyond the limit ends the one that was unused for longest;
/// its page begins another with the same moves.
pub(super) struct PageVisits {
    most: usize,
    engine: EngineOptions,
    networks: Arc<[NeuralNetwork]>,
    visits: Mutex<BTreeMap<String, Arc<PageVisit>>>,
}

impl PageVisits {
    pub(super) fn new(most: usize, engine: EngineOptions, networks: Arc<[NeuralNetwork]>) -> Self {
        Self { most, engine, networks, visits: Mutex::default() }
    }

    /// Begins a session and returns its name; `None` if there are as many as allowed and all are in use.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub(super) fn begin(&self) -> io::Result<Option<String>> {
        let name = ServerSecret::random()?.to_string();
        let mut visits = self.open();
        if visits.len() >= self.most.max(1) {
            let idle = visits.iter().filter_map(|(name, visit)| Some((visit.idle_since()?, name)));
            let Some((_, oldest)) = idle.min() else { return Ok(None) };
            let oldest = oldest.clone();
            // A request may have found it a moment ago; ending it keeps that request from working.
            visits.remove(&oldest).inspect(|visit| visit.end());
        }
        visits.insert(name.clone(), Arc::new(PageVisit::new(self.engine.clone(), self.networks.clone())));
        Ok(Some(name))
    }

    pub(super) fn find(&self, name: &str) -> Option<Arc<PageVisit>> {
        self.open().get(name).cloned()
    }

    /// Ends the session of this name, if there is one.
    pub(super) fn end(&self, name: &str) {
        if let Some(visit) = self.open().remove(name) {
            visit.end();
        }
    }

    /// Ends all sessions.
    pub(super) fn end_all(&self) {
        std::mem::take(&mut *self.open()).values().for_each(|visit| visit.end());
    }

    /// Locks the sessions.
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Arc<PageVisit>>> {
        // No code that holds the lock can panic in the middle of a change.
        lock(&self.visits)
    }
}
