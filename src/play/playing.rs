//! The random games of Monte Carlo players, one at a time or many at once.

use super::Position;
use super::equipment::Requirement;
use super::lane_playouts::LanePlayouts;
use crate::engine::{Engine, EngineLanes, EngineState, PlayoutPolicy};
use crate::game::ReasonError;
use crate::limits::{Limits, Stop};
use crate::search::{PlayoutThreads, Playouts, SinglePlayouts};

/// How random games are played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayoutKind {
    /// Hundreds at once in lanes, if the network plays the game; otherwise one after the other.
    Lanes,
    /// As `Lanes`; but a role that can win at once does, and else it prevents that another one can, where the lanes can
    /// see that at little cost.
    Decisive,
    /// One after the other, with any engine.
    Single,
}

impl PlayoutKind {
    /// All kinds.
    pub(crate) const ALL: [Self; 3] = [Self::Lanes, Self::Decisive, Self::Single];

    /// The name in specifications: `lanes`, `decisive` or `single`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Lanes => "lanes",
            Self::Decisive => "decisive",
            Self::Single => "single",
        }
    }

    /// The kind with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// How roles choose in lanes; `None` if games are played one after the other.
    fn policy(self) -> Option<PlayoutPolicy> {
        match self {
            Self::Lanes => Some(PlayoutPolicy::Uniform),
            Self::Decisive => Some(PlayoutPolicy::Decisive),
            Self::Single => None,
        }
    }

    /// What a player with such random games needs.
    pub(super) fn requirement(self) -> Requirement {
        self.policy().map_or(Requirement::Engine, Requirement::Lanes)
    }
}

/// How a player plays random games.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayoutOptions {
    /// In lanes or one after the other.
    pub kind: PlayoutKind,
    /// The number of games from a state, if they are played in lanes.
    pub repeats: usize,
    /// The number of further threads that play them, if they are played in lanes; with none, the player's thread does.
    pub threads: usize,
}

impl PlayoutOptions {
    /// This many games from a state, on the player's thread.
    pub const fn new(kind: PlayoutKind, repeats: usize) -> Self {
        Self { kind, repeats, threads: 0 }
    }
}

/// Random games of one player in one match.
pub enum RandomPlay {
    /// Many at once, in lanes.
    Lanes(Box<LanePlayouts>),
    /// One after the other, with any engine.
    Single(SinglePlayouts),
}

impl RandomPlay {
    /// Random games with an engine.
    pub fn new(options: PlayoutOptions, engine: &Engine, seed: u64) -> Self {
        let made = |policy| engine.lanes_within(policy, &Limits::none()).ok().flatten();
        let policy = options.kind.policy();
        let lanes = policy.and_then(|policy| made(policy).or_else(|| made(PlayoutPolicy::Uniform)));
        Self::with(lanes, options, engine, seed)
    }

    /// Random games that are the same on every machine: as many at once, whatever is fastest here.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the set-up of the lanes.
    pub fn reproducible(options: PlayoutOptions, engine: &Engine, seed: u64, limits: &Limits) -> Result<Self, Stop> {
        let lanes = options.kind.policy().map(|policy| engine.lanes_of_fixed_width(policy, limits)).transpose()?;
        Ok(Self::with(lanes.flatten(), options, engine, seed))
    }

    /// Random games from a position, with the best lanes that have been set up for it so far; one after the other while
    /// there is no network.
    pub(crate) fn at(options: PlayoutOptions, position: &Position, seed: u64) -> Self {
        match (options.kind, &position.lanes) {
            (PlayoutKind::Single, _) => Self::with(None, options, &position.engine, seed),
            (_, Some(made)) => Self::with(Some(made.fork()), options, &position.engine, seed),
            // Other lanes arrive from the background.
            (_, None) => Self::new(PlayoutOptions { kind: PlayoutKind::Lanes, ..options }, &position.engine, seed),
        }
    }

    /// The number of random games from a state.
    pub(crate) fn repeats(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.repeats(),
            Self::Single(_) => 1,
        }
    }

    fn with(lanes: Option<EngineLanes>, options: PlayoutOptions, engine: &Engine, seed: u64) -> Self {
        let PlayoutOptions { repeats, threads, .. } = options;
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(LanePlayouts::new(lanes, engine, repeats, seed, threads))),
            None => Self::Single(SinglePlayouts::new(seed)),
        }
    }
}

impl Playouts<Engine> for RandomPlay {
    fn width(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.width(),
            Self::Single(single) => Playouts::<Engine>::width(single),
        }
    }

    fn play(
        &mut self,
        reasoner: &mut Engine,
        states: &[EngineState],
        utilities: &mut Vec<f32>,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        match self {
            Self::Lanes(lanes) => lanes.play(reasoner, states, utilities, alarm),
            Self::Single(single) => single.play(reasoner, states, utilities, alarm),
        }
    }

    fn threads(&mut self) -> Option<&mut dyn PlayoutThreads<Engine>> {
        match self {
            Self::Lanes(lanes) => lanes.threads(),
            Self::Single(_) => None,
        }
    }
}
