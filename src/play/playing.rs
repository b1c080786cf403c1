//! The random games of Monte Carlo players, one at a time or many at once.

use super::Position;
use super::equipment::Requirement;
use crate::engine::{Engine, EngineLanes, EngineState, PlayoutPolicy};
use crate::game::{ReasonError, Utility};
use crate::limits::{Limits, Stop};
use crate::number::to_u32;
use crate::search::{Playouts, SinglePlayouts};

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

/// Random games of one player in one match.
pub enum RandomPlay {
    /// Many at once, in lanes.
    Lanes(Box<LanePlayouts>),
    /// One after the other, with any engine.
    Single(SinglePlayouts),
}

impl RandomPlay {
    /// Random games with an engine; `repeats` from each state if they are played in lanes.
    pub fn new(kind: PlayoutKind, engine: &Engine, repeats: usize, seed: u64) -> Self {
        let lanes = kind.policy().and_then(|policy| engine.lanes_within(policy, &Limits::none()).ok().flatten());
        Self::with(lanes, repeats, seed)
    }

    /// Random games that are the same on every machine: as many at once, whatever is fastest here.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the set-up of the lanes.
    pub(crate) fn reproducible(
        kind: PlayoutKind,
        engine: &Engine,
        repeats: usize,
        seed: u64,
        limits: &Limits,
    ) -> Result<Self, Stop> {
        let lanes = kind.policy().map(|policy| engine.lanes_of_fixed_width(policy, limits)).transpose()?;
        Ok(Self::with(lanes.flatten(), repeats, seed))
    }

    /// The number of random games from a state.
    pub(crate) fn repeats(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.repeats,
            Self::Single(_) => 1,
        }
    }

    /// Random games from a position, with the best lanes that have been set up for it so far; one after the other while
    /// there is no network.
    pub(crate) fn at(kind: PlayoutKind, position: &Position, repeats: usize, seed: u64) -> Self {
        match (kind.policy(), &position.lanes) {
            (None, _) => Self::with(None, repeats, seed),
            (Some(_), Some(made)) => Self::with(Some(made.fork()), repeats, seed),
            // Other lanes arrive from the background.
            (Some(_), None) => Self::new(PlayoutKind::Lanes, &position.engine, repeats, seed),
        }
    }

    fn with(lanes: Option<EngineLanes>, repeats: usize, seed: u64) -> Self {
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(LanePlayouts { lanes, repeats, seed })),
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
}

/// Random games in lanes: `repeats` from each state, whose mean is the value of the state.
pub struct LanePlayouts {
    lanes: EngineLanes,
    repeats: usize,
    seed: u64,
}

impl Playouts<Engine> for LanePlayouts {
    fn width(&self) -> usize {
        (self.lanes.lanes() / self.repeats).max(1)
    }

    /// A batch takes milliseconds and is not interrupted.
    fn play(
        &mut self,
        reasoner: &mut Engine,
        states: &[EngineState],
        utilities: &mut Vec<f32>,
        _: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        use crate::game::Reasoner;
        let (roles, range) = (reasoner.roles().len(), reasoner.utility_range());
        let from = states.iter().flat_map(|state| std::iter::repeat_n(state, self.repeats));
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let rollouts = self.lanes.rollouts(from, self.seed, to_u32(SinglePlayouts::LONGEST));
        utilities.clear();
        for first in (0..states.len() * self.repeats).step_by(self.repeats) {
            for role in 0..roles {
                let worth = |game: usize| {
                    let is_over = (rollouts.plies(game) as usize) < SinglePlayouts::LONGEST;
                    let unknown = if is_over { range.least.to_f32() } else { range.draw() };
                    rollouts.utilities(game)[role].map_or(unknown, Utility::to_f32)
                };
                let sum: f32 = (first..first + self.repeats).map(worth).sum();
                utilities.push(sum / self.repeats as f32);
            }
        }
        Ok(true)
    }
}
