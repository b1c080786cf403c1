//! The random games of Monte Carlo players, one at a time or many at once.

use crate::engine::{Engine, EngineState};
use crate::game::ReasonError;
use crate::search::{Playouts, SinglePlayouts};

/// How random games are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PlayoutKind {
    /// One after the other.
    #[default]
    Single,
}

impl PlayoutKind {
    /// All of them.
    pub const ALL: [Self; 1] = [Self::Single];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
        }
    }

    /// The kind of this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Random games of one player in one match.
pub enum RandomPlay {
    /// One after the other.
    Single(SinglePlayouts),
}

impl RandomPlay {
    /// Random games with an engine.
    pub fn new(kind: PlayoutKind, _engine: &Engine, seed: u64) -> Self {
        match kind {
            PlayoutKind::Single => Self::Single(SinglePlayouts::new(seed)),
        }
    }
}

impl Playouts<Engine> for RandomPlay {
    fn width(&self) -> usize {
        match self {
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
            Self::Single(single) => single.play(reasoner, states, utilities, alarm),
        }
    }
}
