//! The lanes of the network ([`crate::lanes`]) for the states of an [`Engine`]: random games, hundreds at once.

use super::{Engine, EngineError, EngineKind, EngineState, Game};
use crate::lanes::{LanesError, Outcomes, Request, Rollouts, Width};
use crate::program::FormDifference;
use crate::{lanes, program};
use gdl::limits::{Limits, Stop};
use ggp_game::{Move, Role};
use std::time::Duration;

/// The lanes of a game. States must come from the engine that made the lanes, or from its forks.
#[derive(Debug)]
pub struct EngineLanes(lanes::Lanes);

/// The reason for which a game has no lanes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLanes {
    /// The interpreter plays, which has no lanes.
    #[error("lanes need a propnet, and there is none because {why}")]
    NoPropnet {
        /// The reason for which the interpreter plays, as a clause of the message.
        why: String,
    },
    /// No engine can be set up.
    #[error("lanes need a propnet, and there is none: {0}")]
    NoEngine(#[from] EngineError),
    /// Even lanes without optimisation differ from the network. This is a bug of this program.
    #[error("{}", .0.report("lanes"))]
    Differ(Box<FormDifference>),
}

/// The policy by which roles choose moves in random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutPolicy {
    /// Each move with the same probability.
    Uniform,
    /// A role that can win at once does so, and otherwise it prevents an immediate win of another role
    /// ([`crate::propnet::Propnet::decisive_program`]). There are no such lanes if they would be slow, or if the
    /// network does not show which moves win.
    Decisive,
}

/// The kind of lanes in which random games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutLanes {
    /// The policy of the roles.
    pub policy: PlayoutPolicy,
    /// True if rollouts record the moves that were made ([`crate::lanes::Lanes::keeping_moves`]). In games with very
    /// many moves that would be slow, so there it is ignored.
    pub keeps_moves: bool,
}

impl PlayoutLanes {
    /// Lanes for uniform games without a record of moves, which are made at once.
    pub(crate) const PLAIN: Self = Self { policy: PlayoutPolicy::Uniform, keeps_moves: false };
}

impl Engine {
    /// Lanes for random games with a policy; `None` if the interpreter plays, or there are no lanes with the policy.
    /// Takes some milliseconds to measure the best width, and up to a few tenths of a second for the first decisive
    /// lanes of a game.
    ///
    /// # Errors
    /// If the interrupt or the deadline ends the work, or if the lanes differ from the network.
    fn lanes_within(&self, policy: PlayoutPolicy, limits: &Limits) -> Result<Option<EngineLanes>, LanesError> {
        self.lanes_of_width(policy, None, limits)
    }

    /// The lanes that are wanted. If there are none with the policy, uniform ones that keep moves; `None` if those
    /// cannot keep moves, or if the interpreter plays.
    ///
    /// # Errors
    /// As [`Engine::lanes_within`].
    pub(crate) fn lanes_for(&self, wanted: PlayoutLanes, limits: &Limits) -> Result<Option<EngineLanes>, LanesError> {
        if let Some(lanes) = self.lanes_within(wanted.policy, limits)? {
            return Ok(Some(lanes.in_form(wanted)));
        }
        let uniform = if wanted.keeps_moves { self.lanes_within(PlayoutPolicy::Uniform, limits)? } else { None };
        Ok(uniform.map(|lanes| lanes.in_form(wanted)).filter(EngineLanes::keeps_moves))
    }

    /// Lanes of 256 games, whatever width is fastest on this machine. With them a search collects the same number of
    /// states on every machine, so its answer is the same. Uniform lanes if there are none with the policy; `None` if
    /// there are no lanes at all.
    ///
    /// # Errors
    /// If the interrupt or the deadline ends the work.
    pub fn lanes_of_fixed_width(&self, wanted: PlayoutLanes, limits: &Limits) -> Result<Option<EngineLanes>, Stop> {
        for policy in [wanted.policy, PlayoutPolicy::Uniform] {
            match self.lanes_of_width(policy, Some(Width::W256), limits) {
                Ok(Some(lanes)) => return Ok(Some(lanes.in_form(wanted))),
                Ok(None) | Err(LanesError::Differ(_)) => {}
                Err(LanesError::Stopped(stopped)) => return Err(stopped),
            }
        }
        Ok(None)
    }

    fn lanes_of_width(
        &self,
        policy: PlayoutPolicy,
        width: Option<Width>,
        limits: &Limits,
    ) -> Result<Option<EngineLanes>, LanesError> {
        let Self::Propnet(propnet) = self else { return Ok(None) };
        let lanes = match policy {
            PlayoutPolicy::Uniform => Some(propnet.lanes(width, limits)?),
            PlayoutPolicy::Decisive => propnet.decisive_lanes(width, limits)?,
        };
        Ok(lanes.map(EngineLanes))
    }

    /// Every move of the network with its role, by its index in rollouts; empty if the interpreter plays.
    pub fn moves_of_lanes(&self) -> Vec<(Role, Move)> {
        match self {
            Self::Propnet(propnet) => propnet.moves_of_lanes().collect(),
            Self::Interpreter(_) => Vec::new(),
        }
    }
}

impl EngineLanes {
    /// The number of moves of a game above which rollouts do not record moves: each move takes a word of memory in each
    /// ply. In speedChess, with 3,000 moves, random play would be half as fast.
    const MOST_KEPT: usize = 1_000;

    /// Plays random games from a state ([`lanes::Lanes::playouts`]).
    ///
    /// # Panics
    /// If the state belongs to another kind of engine.
    pub fn playouts(&mut self, from: &EngineState, request: &Request) -> Outcomes {
        self.0.playouts(own(from), request)
    }

    /// Plays random games from a state in parts, and passes the outcomes so far to `tell` after each part
    /// ([`lanes::Lanes::playouts_in_parts`]).
    ///
    /// # Panics
    /// If the state belongs to another kind of engine.
    pub fn playouts_in_parts(
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

    /// The same lanes; their rollouts record moves if that is wanted and would not be slow.
    fn in_form(self, wanted: PlayoutLanes) -> Self {
        let would_be_slow = self.0.has_usual_states() || self.0.moves() > Self::MOST_KEPT;
        if wanted.keeps_moves && !would_be_slow { Self(self.0.keeping_moves(true)) } else { self }
    }

    /// The same lanes; their rollouts do not record moves.
    pub fn without_moves(self) -> Self {
        Self(self.0.keeping_moves(false))
    }

    /// True if rollouts record the moves that were made.
    pub fn keeps_moves(&self) -> bool {
        self.0.keeps_moves()
    }

    /// The number of games that are played at once.
    pub fn lanes(&self) -> usize {
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

impl Game {
    /// The lanes of the game; they accept the states of its engine.
    ///
    /// # Errors
    /// [`NoLanes`] if the interpreter plays, no engine can be set up, or the lanes differ from the network.
    pub fn lanes(&mut self) -> Result<EngineLanes, NoLanes> {
        let kind = self.options().kind;
        let limits = self.options().limits.clone();
        let lanes = self.engine()?.lanes_within(PlayoutPolicy::Uniform, &limits).map_err(|error| match error {
            LanesError::Stopped(stopped) => EngineError::Reason(stopped.into()).into(),
            LanesError::Differ(difference) => NoLanes::Differ(difference),
        })?;
        if let Some(lanes) = lanes {
            return Ok(lanes);
        }
        let why = match self.why_no_propnet() {
            _ if kind == EngineKind::Interpreter => "the interpreter was asked for".to_string(),
            Some(why) => why.to_string(),
            None => "the interpreter plays".to_string(),
        };
        Err(NoLanes::NoPropnet { why })
    }
}
