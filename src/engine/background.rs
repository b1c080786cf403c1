//! The network of a game, set up on a thread of its own while the interpreter plays.
//!
//! [`Game::set_up_in_background`] begins it. What is ready comes one after the other: the engine, then its lanes. Whoever holds the
//! [`Background`] takes them when it suits, and converts its state by facts.

use super::{Engine, EngineError, EngineKind, Game, Lanes};
use crate::game::Reasoner;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Something that has been set up.
pub enum Arrival {
    /// The network, ready to be asked.
    Engine(Engine),
    /// Its lanes.
    Lanes(Box<Lanes>),
    /// There will be no network.
    Failed(BackgroundError),
}

/// Why no network was set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundError {
    /// It cannot be built within the budget, or the thread was asked to stop.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The thread panicked.
    #[error("setting up the propnet panicked")]
    Panicked,
}

/// A network that is being set up. When this is dropped, the thread is asked to stop by an interrupt flag, which grounding and the
/// passes poll, and waited for.
pub struct Background {
    arrivals: Receiver<Arrival>,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread has sent all that it had.
    is_done: bool,
}

impl Background {
    /// What has been set up since this was last asked, waiting for it no longer than `wait`; `None` where nothing has, or nothing more
    /// will come ([`Background::is_done`]).
    pub fn next(&mut self, wait: Duration) -> Option<Arrival> {
        match self.arrivals.recv_timeout(wait) {
            Ok(arrival) => Some(arrival),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                None
            }
        }
    }

    /// Whether nothing more will come.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // It catches its own panics.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Game {
    /// Begins to set up the network of the game on a thread of its own, within the budget of the game's options, and its lanes where
    /// they are wanted. `None` where an engine has been set up already, or the interpreter was asked for.
    pub fn set_up_in_background(&self, with_lanes: bool) -> Option<Background> {
        if self.engine_in_use().is_some() || self.options().kind == EngineKind::Interpreter {
            return None;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let build = self.builder(interrupt.clone());
        let (sender, arrivals) = mpsc::channel();
        let flag = interrupt.clone();
        let thread = thread::spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| set_up(build, with_lanes, &flag, &sender))).is_err() {
                // If the receiver is gone, nothing is left to be told.
                let _ = sender.send(Arrival::Failed(BackgroundError::Panicked));
            }
        });
        Some(Background { arrivals, interrupt, thread: Some(thread), is_done: false })
    }
}

/// Sends the engine, and then its lanes.
fn set_up(
    build: impl FnOnce() -> Result<Engine, EngineError>,
    with_lanes: bool,
    interrupt: &AtomicBool,
    sender: &Sender<Arrival>,
) {
    let engine = match build() {
        Ok(engine) => engine,
        Err(error) => return drop(sender.send(Arrival::Failed(error.into()))),
    };
    let fork = engine.fork();
    if sender.send(Arrival::Engine(engine)).is_ok()
        && with_lanes
        && !interrupt.load(Ordering::Relaxed)
        && let Some(lanes) = fork.lanes()
    {
        drop(sender.send(Arrival::Lanes(Box::new(lanes))));
    }
}
