//! Setting up the network of a game and its lanes on a thread of their own. Meanwhile the interpreter plays, or random
//! games run in lanes that are ready sooner.
//!
//! [`Game::set_up_in_background`] starts the thread and returns a [`Background`]. Its owner polls it for the engine and
//! the lanes, and converts its state to that of the new engine by facts.

use super::{Engine, EngineError, EngineKind, EngineLanes, Game, PlayoutLanes};
use crate::set_up_thread::{SetUpThread, ThreadFailure};
use gdl::limits::Limits;
use ggp_game::Reasoner;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
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
    /// There was no thread, or it panicked.
    #[error(transparent)]
    Thread(#[from] ThreadFailure),
}

/// A network that is being set up. Dropping it sets an interrupt flag, which grounding and the passes poll, and joins
/// the thread.
pub struct Background {
    thread: SetUpThread<SetupArrival>,
    /// True if the thread sends an engine, and not only lanes.
    brings_engine: bool,
}

impl Background {
    /// The next result, waiting for at most `wait`; `None` if there is none yet, or none will follow
    /// ([`Background::is_done`]).
    pub fn next(&mut self, wait: Duration) -> Option<SetupArrival> {
        let arrival = self.thread.next(wait)?;
        Some(arrival.unwrap_or_else(|failure| SetupArrival::Failed(failure.into())))
    }

    /// True if the game had no engine, so that the thread sets one up.
    pub fn brings_engine(&self) -> bool {
        self.brings_engine
    }

    /// True once no more results will follow. [`Background::next`] finds this out.
    pub fn is_done(&self) -> bool {
        self.thread.is_done()
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
        let thread = SetUpThread::start(interrupt, move |send| {
            match build {
                Some(build) => set_up(build, lanes, &limits, send),
                None => engine.iter_mut().for_each(|engine| send_lanes(engine, lanes, &limits, send)),
            }
            drop(token);
        });
        Some(Background { thread, brings_engine })
    }
}

/// Builds the engine, sends it, and then its lanes.
fn set_up(
    build: impl FnOnce() -> Result<Engine, EngineError>,
    lanes: Option<PlayoutLanes>,
    limits: &Limits,
    send: &mut dyn FnMut(SetupArrival) -> bool,
) {
    let engine = match build() {
        Ok(engine) => engine,
        Err(error) => {
            send(SetupArrival::Failed(error.into()));
            return;
        }
    };
    let mut fork = engine.fork();
    if send(SetupArrival::Engine(engine)) {
        send_lanes(&mut fork, lanes, limits, send);
    }
}

/// Sends uniform lanes, which are made at once, then finds the fastest evaluator, and then sends the wanted lanes if
/// these are others.
fn send_lanes(
    engine: &mut Engine,
    wanted: Option<PlayoutLanes>,
    limits: &Limits,
    send: &mut dyn FnMut(SetupArrival) -> bool,
) {
    let mut send = |engine: &Engine, lanes| {
        if let Ok(Some(lanes)) = engine.lanes_for(lanes, limits) {
            send(SetupArrival::Lanes(Box::new(lanes)));
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
