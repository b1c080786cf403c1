//! The network of a game, set up on its own thread while the interpreter plays.
//!
//! [`Game::set_up_in_background`] starts it. The engine and then its lanes arrive when they are ready. The owner of the
//! [`Background`] collects them when convenient, and converts its state by facts.

use super::{Engine, EngineError, EngineKind, EngineLanes, Game};
use crate::game::Reasoner;
use crate::limits::Limits;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A result of setting up.
pub(crate) enum SetupArrival {
    /// The network, ready for use.
    Engine(Engine),
    /// The lanes of the network.
    Lanes(Box<EngineLanes>),
    /// There will be no network.
    Failed(BackgroundError),
}

/// Why no network was set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum BackgroundError {
    /// It cannot be built within the budget, or the thread was interrupted.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The thread panicked, which is a bug in building the network.
    #[error("setting up the propnet panicked")]
    Panicked,
}

/// A network that is being set up. Dropping it sets an interrupt flag, which grounding and the passes poll, and joins
/// the thread.
pub(crate) struct Background {
    arrivals: Receiver<SetupArrival>,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// Whether the thread has sent everything.
    is_done: bool,
}

impl Background {
    /// The next result, waiting for at most `wait`; `None` if there is none yet, or none will follow
    /// ([`Background::is_done`]).
    pub(crate) fn next(&mut self, wait: Duration) -> Option<SetupArrival> {
        match self.arrivals.recv_timeout(wait) {
            Ok(arrival) => Some(arrival),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                None
            }
        }
    }

    /// Whether no more results will follow.
    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // The thread catches its own panics, so the result of `join` says nothing.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Game {
    /// Starts to set up the network of the game on its own thread, within the budget of the game's options, and its
    /// lanes if `with_lanes`. `None` if an engine has been set up already, or the options select the interpreter.
    /// The thread drops `token` at its end.
    pub(crate) fn set_up_in_background(&self, with_lanes: bool, token: impl Send + 'static) -> Option<Background> {
        if self.engine_in_use().is_some() || self.options().kind == EngineKind::Interpreter {
            return None;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let build = self.builder(interrupt.clone());
        let (sender, arrivals) = mpsc::channel();
        let flag = interrupt.clone();
        let thread = thread::spawn(move || {
            if catch_unwind(AssertUnwindSafe(|| set_up(build, with_lanes, flag, &sender))).is_err() {
                // If the receiver is gone, the message is not needed.
                let _ = sender.send(SetupArrival::Failed(BackgroundError::Panicked));
            }
            drop(token);
        });
        Some(Background { arrivals, interrupt, thread: Some(thread), is_done: false })
    }
}

/// Sends the engine, and then its lanes.
fn set_up(
    build: impl FnOnce() -> Result<Engine, EngineError>,
    with_lanes: bool,
    interrupt: Arc<AtomicBool>,
    sender: &Sender<SetupArrival>,
) {
    let engine = match build() {
        Ok(engine) => engine,
        Err(error) => return drop(sender.send(SetupArrival::Failed(error.into()))),
    };
    let fork = engine.fork();
    if sender.send(SetupArrival::Engine(engine)).is_ok()
        && with_lanes
        && let Some(Ok(lanes)) = fork.lanes_within(&Limits::none().with_interrupt(interrupt))
    {
        drop(sender.send(SetupArrival::Lanes(Box::new(lanes))));
    }
}
