//! The lanes of the network ([`crate::lanes`]), hundreds of games at once, for the states of an [`Engine`].

use super::{Engine, EngineError, EngineKind, EngineState};
pub(crate) use crate::lanes::Outcomes;
pub use crate::lanes::{Request, RoleOutcomes, Rollouts, Stuck};

use crate::lanes::Width;
use crate::limits::{Limits, Stopped};
use crate::propnet::Propnet;
use crate::{lanes, program};

/// The lanes of a game. States must come from the engine that made the lanes, or from its forks.
#[derive(Debug)]
pub struct Lanes(lanes::Lanes);

/// Why there are no lanes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanes {
    /// The interpreter plays, which has no lanes.
    #[error("lanes need a propnet, and there is none because {why}")]
    NoPropnet {
        /// Why the interpreter plays, for the message.
        why: String,
    },
    /// No engine can be set up.
    #[error("lanes need a propnet, and there is none: {0}")]
    NoEngine(#[from] EngineError),
}

impl Engine {
    /// The lanes of the game, if the network plays it. Takes some milliseconds, because the best width is measured.
    pub(crate) fn lanes(&self) -> Option<Lanes> {
        self.lanes_within(&Limits::none()).and_then(Result::ok)
    }

    /// As [`Engine::lanes`], within limits; an error if the interrupt or the deadline ends the work.
    pub(crate) fn lanes_within(&self, limits: &Limits) -> Option<Result<Lanes, Stopped>> {
        match self {
            Self::Propnet(propnet) => Some(lanes::Lanes::within(Propnet::program(propnet), None, limits).map(Lanes)),
            Self::Interpreter(_) => None,
        }
    }
}

impl Engine {
    /// Lanes of 256 games, whatever is fastest here: with them a search collects as many states on every machine, and
    /// its answer is the same.
    pub(crate) fn lanes_of_fixed_width(&self, limits: &Limits) -> Option<Result<Lanes, Stopped>> {
        let Self::Propnet(propnet) = self else { return None };
        Some(lanes::Lanes::within(Propnet::program(propnet), Some(Width::W256), limits).map(Lanes))
    }
}

impl Lanes {
    /// Plays random games from a state ([`lanes::Lanes::playouts`]).
    ///
    /// # Panics
    /// If the state belongs to another kind of engine.
    pub fn playouts(&mut self, from: &EngineState, request: &Request) -> Outcomes {
        self.0.playouts(own(from), request)
    }

    /// Plays one random game from each of these states ([`lanes::Lanes::rollouts`]).
    ///
    /// # Panics
    /// If a state belongs to another kind of engine.
    pub fn rollouts<'a>(
        &mut self,
        from: impl IntoIterator<Item = &'a EngineState>,
        seed: u64,
        longest: u32,
    ) -> Rollouts {
        self.0.rollouts(from.into_iter().map(own), seed, longest)
    }

    /// The number of games that are played at once.
    pub(crate) fn lanes(&self) -> usize {
        self.0.width().lanes()
    }

    /// Lanes of the same game for another thread.
    pub fn fork(&self) -> Self {
        Self(self.0.fork())
    }
}

fn own(state: &EngineState) -> &program::State {
    match state {
        EngineState::Propnet(state) => state,
        EngineState::Interpreter(_) => panic!("the state belongs to another kind of engine"),
    }
}

impl super::Game {
    /// The lanes of the game; they accept the states of its engine.
    ///
    /// # Errors
    /// [`NoLanes`] if the interpreter plays, or no engine can be set up.
    pub fn lanes(&mut self) -> Result<Lanes, NoLanes> {
        let kind = self.options().kind;
        let limits = self.options().limits.clone();
        if let Some(lanes) = self.engine()?.lanes_within(&limits) {
            return lanes.map_err(|stopped| EngineError::Reason(stopped.into()).into());
        }
        let why = match self.why_no_propnet() {
            _ if kind == EngineKind::Interpreter => "the interpreter was asked for".to_string(),
            Some(why) => why.to_string(),
            None => "the interpreter plays".to_string(),
        };
        Err(NoLanes::NoPropnet { why })
    }
}
