//! The lanes of the network ([`crate::lanes`]), hundreds of games at once, for the states of an [`Engine`].

use super::{Engine, EngineError, EngineKind, EngineState};
pub(crate) use crate::lanes::Outcomes;
pub use crate::lanes::{Request, RoleOutcomes, Rollouts, Stuck};

use crate::lanes::{LanesError, Width};
use crate::limits::{Limits, Stop};
use crate::program::FormDifference;
use crate::{lanes, program};
use std::time::Duration;

/// The lanes of a game. States must come from the engine that made the lanes, or from its forks.
#[derive(Debug)]
pub struct EngineLanes(lanes::Lanes);

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
    /// Even the plainest lanes differ from the network. This is a bug of this program.
    #[error("{}", .0.report("lanes"))]
    Differ(Box<FormDifference>),
}

impl Engine {
    /// The lanes of the game, if the network plays it. Takes some milliseconds, because the best width is measured.
    pub(crate) fn lanes(&self) -> Option<EngineLanes> {
        self.lanes_within(&Limits::none()).and_then(Result::ok)
    }

    /// As [`Engine::lanes`], within limits; an error if the interrupt or the deadline ends the work, or if the lanes
    /// differ from the network.
    pub(crate) fn lanes_within(&self, limits: &Limits) -> Option<Result<EngineLanes, LanesError>> {
        match self {
            Self::Propnet(propnet) => Some(propnet.lanes(None, limits).map(EngineLanes)),
            Self::Interpreter(_) => None,
        }
    }

    /// Lanes for random play in which a role that can win at once does, and else prevents that another one can
    /// ([`crate::propnet::Propnet::with_decisive_moves`]). `None` if the interpreter plays, or there are none that are
    /// fast enough. Takes up to a few tenths of a second.
    pub(crate) fn decisive_lanes(&self) -> Option<EngineLanes> {
        let Self::Propnet(propnet) = self else { return None };
        let decisive = propnet.with_decisive_moves(&Limits::none()).ok()??;
        decisive.lanes(None, &Limits::none()).ok().map(EngineLanes)
    }
}

impl Engine {
    /// Lanes of 256 games, whatever is fastest here: with them a search collects as many states on every machine, and
    /// its answer is the same. `None` if there are none.
    ///
    /// # Errors
    /// If the interrupt or the deadline ends the work.
    pub(crate) fn lanes_of_fixed_width(&self, limits: &Limits) -> Result<Option<EngineLanes>, Stop> {
        let Self::Propnet(propnet) = self else { return Ok(None) };
        match propnet.lanes(Some(Width::W256), limits) {
            Ok(lanes) => Ok(Some(EngineLanes(lanes))),
            Err(LanesError::Stopped(stopped)) => Err(stopped),
            Err(LanesError::Differ(_)) => Ok(None),
        }
    }
}

impl EngineLanes {
    /// Plays random games from a state ([`lanes::Lanes::playouts`]).
    ///
    /// # Panics
    /// If the state belongs to another kind of engine.
    pub fn playouts(&mut self, from: &EngineState, request: &Request) -> Outcomes {
        self.0.playouts(own(from), request)
    }

    /// Plays random games from a state in parts, and tells what has been played so far
    /// ([`lanes::Lanes::playouts_in_parts`]).
    ///
    /// # Panics
    /// If the state belongs to another kind of engine.
    pub(crate) fn playouts_in_parts(
        &mut self,
        from: &EngineState,
        request: &Request,
        first: Duration,
        tell: impl FnMut(&Outcomes),
    ) -> Outcomes {
        self.0.playouts_in_parts(own(from), request, first, tell)
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

fn own(state: &EngineState) -> &program::NetworkState {
    match state {
        EngineState::Propnet(state) => state,
        EngineState::Interpreter(_) => panic!("the state belongs to another kind of engine"),
    }
}

impl super::Game {
    /// The lanes of the game; they accept the states of its engine.
    ///
    /// # Errors
    /// [`NoLanes`] if the interpreter plays, no engine can be set up, or the lanes differ from the network.
    pub fn lanes(&mut self) -> Result<EngineLanes, NoLanes> {
        let kind = self.options().kind;
        let limits = self.options().limits.clone();
        if let Some(lanes) = self.engine()?.lanes_within(&limits) {
            return lanes.map_err(|error| match error {
                LanesError::Stopped(stopped) => EngineError::Reason(stopped.into()).into(),
                LanesError::Differ(difference) => NoLanes::Differ(difference),
            });
        }
        let why = match self.why_no_propnet() {
            _ if kind == EngineKind::Interpreter => "the interpreter was asked for".to_string(),
            Some(why) => why.to_string(),
            None => "the interpreter plays".to_string(),
        };
        Err(NoLanes::NoPropnet { why })
    }
}
