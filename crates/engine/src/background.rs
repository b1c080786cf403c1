//! Setting up the network of a game and its lanes on a thread of their own. Meanwhile the interpreter plays, or random
//! games run in lanes that are ready sooner.
//!
//! [`Game::set_up_in_background`] starts the thread and returns a [`Background`]. Its owner polls it for the engine and
//! the lanes, and converts its state to that of the new engine by facts.

use super::{Engine, EngineError, EngineKind, EngineLanes, Game, PlayoutLanes};
use gdl::limits::Limits;
use ggp_game::threads::NoThread;
use ggp_game::{Reasoner, threads};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::Duration;

/// A result that the thread sends.
pub enum SetupArrival {
    /// The network, ready for use.
    Engine(Engine),
    /// Lanes of the network. They replace lanes that arrived before.
    Lanes(Box<EngineLanes>),
    /// The thread failed: no network will arrive.
    Failed(BackgroundError),
}

/// The reason for which no network was set up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackgroundError {
    /// The network cannot be built within the budget, or the thread was interrupted.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The thread panicked, which is a bug in building the network.
    #[error("setting up the propnet panicked")]
    Panicked,
    /// The operating system has no thread for it.
    #[error(transparent)]
    NoThread(#[from] NoThread),
}

/// A network that is being set up. Dropping it sets an interrupt flag, which grounding and the passes poll, and joins
/// the thread.
pub struct Background {
    /// In a mutex that is never locked, so that a game can be shared between threads.
    arrivals: Mutex<Receiver<SetupArrival>>,
    interrupt: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
    /// True if the thread sends an engine, and not only lanes.
    brings_engine: bool,
    /// True once the thread has ended and all its results have been taken.
    is_done: bool,
}

impl Background {
    /// The next result, waiting for at most `wait`; `None` if there is none yet, or none will follow
    /// ([`Background::is_done`]).
    pub fn next(&mut self, wait: Duration) -> Option<SetupArrival> {
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

    /// True if the game had no engine, so that the thread sets one up.
    pub fn brings_engine(&self) -> bool {
        self.brings_engine
    }

    /// True once no more results will follow. [`Background::next`] finds this out.
    pub fn is_done(&self) -> bool {
        self.is_done
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.interrupt.store(true, Ordering::Relaxed);
        // The thread catches its own panics, so the result of `join` has no information.
        drop(self.thread.take().map(JoinHandle::join));
    }
}

impl Game {
    /// Starts a thread that sets up what the game does not have yet: the network, within the budget of the game's
    /// options, its fastest evaluator, for which engines of the game should wait ([`Engine::await_evaluator`]), and
    /// these lanes. Returns `None` if there is nothing to set up. The thread drops `token` when it ends.
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
        let limits = Limits::none().with_interrupt(interrupt.clone());
        let mut background = Background::start(interrupt, move |sender| {
            match build {
                Some(build) => set_up(build, lanes, &limits, sender),
                None => engine.iter_mut().for_each(|engine| send_lanes(engine, lanes, &limits, sender)),
            }
            drop(token);
        });
        background.brings_engine = brings_engine;
        Some(background)
    }
}

impl Background {
    /// Starts a thread that builds an engine; it stops soon after the flag is set.
    pub(super) fn building(
        build: impl FnOnce() -> Result<Engine, EngineError> + Send + 'static,
        interrupt: Arc<AtomicBool>,
    ) -> Self {
        let limits = Limits::none().with_interrupt(interrupt.clone());
        Self::start(interrupt, move |sender| set_up(build, None, &limits, sender))
    }

    /// Starts a thread that works until the flag is set, and sends what arrives.
    fn start(interrupt: Arc<AtomicBool>, work: impl FnOnce(&Sender<SetupArrival>) + Send + 'static) -> Self {
        let (sender, arrivals) = mpsc::channel();
        let failed = sender.clone();
        let thread = threads::start(move || {
            if catch_unwind(AssertUnwindSafe(|| work(&sender))).is_err() {
                // Sending fails only if the `Background` was dropped, so the message has no reader.
                let _ = sender.send(SetupArrival::Failed(BackgroundError::Panicked));
            }
        });
        if let Err(error) = thread {
            // Sending cannot fail, since the receiver is still in this function.
            let _ = failed.send(SetupArrival::Failed(error.into()));
        }
        Self { arrivals: Mutex::new(arrivals), interrupt, thread: thread.ok(), brings_engine: true, is_done: false }
    }
}

/// Builds the engine, sends it, and then its lanes.
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

/// Sends uniform lanes, which are made at once, then finds the fastest evaluator, and then sends the wanted lanes if
/// these are others.
fn send_lanes(engine: &mut Engine, wanted: Option<PlayoutLanes>, limits: &Limits, sender: &Sender<SetupArrival>) {
    let send = |engine: &Engine, lanes| {
        if let Ok(Some(lanes)) = engine.lanes_for(lanes, limits) {
            drop(sender.send(SetupArrival::Lanes(Box::new(lanes))));
        }
    };
    if wanted.is_some() {
        send(engine, PlayoutLanes::PLAIN);
    }
    // Better lanes take longer to make, so the evaluator comes first.
    if engine.choose_evaluator(limits).is_ok()
        && let Some(better) = wanted.filter(|&wanted| wanted != PlayoutLanes::PLAIN)
    {
        send(engine, better);
    }
}
