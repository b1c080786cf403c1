//! The random games of Monte Carlo searches, one at a time or many at once.

use super::lane_playouts::LanePlayouts;
use super::playout_options::PlayoutOptions;
use gdl::limits::{Limits, Stop};
use ggp_engine::{Engine, EngineLanes, EngineState};
use ggp_game::ReasonError;
use ggp_search::{FaultyEnds, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts};

/// Random games of one search.
pub enum RandomPlay {
    /// Many at once, in lanes.
    Lanes(Box<LanePlayouts>),
    /// One after the other, with any engine.
    Single(SinglePlayouts),
}

impl RandomPlay {
    /// Random games that are the same on every machine: as many at once, whatever is fastest here. An end without a usable
    /// goal value is an error.
    ///
    /// # Errors
    /// If the interrupt or the deadline of the limits ends the set-up of the lanes.
    pub fn reproducible(options: PlayoutOptions, engine: &Engine, seed: u64, limits: &Limits) -> Result<Self, Stop> {
        let lanes = options.lanes().map(|wanted| engine.lanes_of_fixed_width(wanted, limits)).transpose()?;
        Ok(Self::with(lanes.flatten(), options, engine, seed, FaultyEnds::Refused))
    }

    /// Random games in these lanes; one after the other, with any engine, if there are none. An end without a usable goal
    /// value counts as the least utility.
    pub(crate) fn tolerant(lanes: Option<&EngineLanes>, options: PlayoutOptions, engine: &Engine, seed: u64) -> Self {
        let made = lanes.map(EngineLanes::fork);
        let lanes = made.map(|lanes| if options.keeps_moves { lanes } else { lanes.without_moves() });
        Self::with(lanes, options, engine, seed, FaultyEnds::Tolerated)
    }

    /// The number of random games from a state.
    pub fn repeats(&self) -> usize {
        match self {
            Self::Lanes(lanes) => lanes.repeats(),
            Self::Single(_) => 1,
        }
    }

    fn with(
        lanes: Option<EngineLanes>,
        options: PlayoutOptions,
        engine: &Engine,
        seed: u64,
        faulty_ends: FaultyEnds,
    ) -> Self {
        match lanes {
            Some(lanes) => Self::Lanes(Box::new(LanePlayouts::new(lanes, engine, options, seed, faulty_ends))),
            None => Self::Single(SinglePlayouts::new(seed).with_faulty_ends(faulty_ends)),
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
        results: &mut PlayoutResults,
        alarm: &mut dyn FnMut() -> bool,
    ) -> Result<bool, ReasonError> {
        match self {
            Self::Lanes(lanes) => lanes.play(reasoner, states, results, alarm),
            Self::Single(single) => single.play(reasoner, states, results, alarm),
        }
    }

    fn threads(&mut self) -> Option<&mut dyn PlayoutThreads<Engine>> {
        match self {
            Self::Lanes(lanes) => lanes.threads(),
            Self::Single(_) => None,
        }
    }
}
