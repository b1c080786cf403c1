//! The network of a game and its lanes, set up on a thread of their own. Meanwhile the interpreter plays, or random games
//! run in other lanes.
//!
//! [`Game::set_up_in_background`] starts it. The engine and then its lanes arrive when they are ready. The owner of the
//! [`Background`] collects them when convenient, and converts its state by facts.

use super::{Engine, EngineError, EngineKind, EngineLanes, Game, PlayoutLanes};
use gdl::limits::Limits;
use ggp_game::threads::NoThread;
use ggp_game::{Reasoner, threads};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// A result of setting up.
pub enum SetupArrival {
    /// The network, ready for use.
    Engine(Engine),
    /// Lanes of the network, better ones than those that arrived before.
    Lanes(Box<EngineLanes>),
    /// There will be no network.
    Failed(BackgroundError),
}

/// Why no network was set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundError {
    /// It cannot be built within the budget, or the thread was interrupted.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The thread panicked, which is a bug in building the network.
    #[error("setting up the propnet panicked")]
    Panicked,
    /// It needs a thread.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// A network that is being set up. Dropping it sets an interrupt flag, which grounding and the passes poll, and joins
/// the thread.
pub struct Background {
    arrivals: Receiver<SetupArrival>,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// Whether an engine will arrive, or has arrived.
    brings_engine: bool,
    /// Whether the thread has sent everything.
    is_done: bool,
}

impl Background {
    /// The next result, waiting for at most `wait`; `None` if there is none yet, or none will follow
    /// ([`Background::is_done`]).
    pub fn next(&mut self, wait: Duration) -> Option<SetupArrival> {
        match self.arrivals.recv_timeout(wait) {
            Ok(arrival) => Some(arrival),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => {
                self.is_done = true;
                None
            }
        }
    }

    /// Whether the game has no engine yet, so that one is set up.
    pub fn brings_engine(&self) -> bool {
        self.brings_engine
    }

    /// Whether no more results will follow.
    pub fn is_done(&self) -> bool {
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
    /// Starts to set up on its own thread what the game does not have yet: the network, within the budget of the game's
    /// options, its fastest evaluator, for which engines of the game should wait ([`Engine::await_evaluator`]), and these
    /// lanes. `None` if there is nothing to set up. The thread drops `token` at its end.
    pub fn set_up_in_background(&self, lanes: Option<PlayoutLanes>, token: impl Send + 'static) -> Option<Background> {
        let in_use = self.engine_in_use();
        let is_ready = in_use.is_some_and(|engine| lanes.is_none() && !engine.is_evaluator_open());
        if is_ready || self.options().kind == EngineKind::Interpreter {
            return None;
        }
        let interrupt = Arc::new(AtomicBool::new(false));
        let mut engine = in_use.map(Engine::fork);
        let build = in_use.is_none().then(|| self.builder(interrupt.clone()));
        let brings_engine = build.is_some();
        let (sender, arrivals) = mpsc::channel();
        let limits = Limits::none().with_interrupt(interrupt.clone());
        let failed = sender.clone();
        let thread = threads::start(move || {
            let set_up = || match build {
                Some(build) => set_up(build, lanes, &limits, &sender),
                None => engine.iter_mut().for_each(|engine| send_lanes(engine, lanes, &limits, &sender)),
            };
            if catch_unwind(AssertUnwindSafe(set_up)).is_err() {
                // If the receiver is gone, the message is not needed.
                let _ = sender.send(SetupArrival::Failed(BackgroundError::Panicked));
            }
            drop(token);
        });
        if let Err(error) = thread {
            // The receiver is here.
            let _ = failed.send(SetupArrival::Failed(error.into()));
        }
        Some(Background { arrivals, interrupt, thread: thread.ok(), brings_engine, is_done: false })
    }
}

/// Sends the engine, and then its lanes.
fn set_up(
    build: impl FnOnce() -> Result<Engine, EngineError>,
    lanes: Option<PlayoutLanes>,
    limits: &Limits,
    sender: &Sender<SetupArrival>,
) {
    let engine = match build() {
        Ok(engine) => engine,
        Err(error) => return drop(sender.send(SetupArrival::Failed(error.into()))),
    };
    let mut fork = engine.fork();
    if sender.send(SetupArrival::Engine(engine)).is_ok() {
        send_lanes(&mut fork, lanes, limits, sender);
    }
}

/// Sends uniform lanes, which are made at once, finds the fastest evaluator, and sends the lanes that are wanted, if they
/// are others.
fn send_lanes(engine: &mut Engine, wanted: Option<PlayoutLanes>, limits: &Limits, sender: &Sender<SetupArrival>) {
    let send = |engine: &Engine, lanes| {
        if let Ok(Some(lanes)) = engine.lanes_for(lanes, limits) {
            drop(sender.send(SetupArrival::Lanes(Box::new(lanes))));
        }
    };
    if wanted.is_some() {
        send(engine, PlayoutLanes::PLAIN);
    }
    if engine.choose_evaluator(limits).is_ok()
        && let Some(better) = wanted.filter(|&wanted| wanted != PlayoutLanes::PLAIN)
    {
        send(engine, better);
    }
}
