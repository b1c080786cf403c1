//! Play: players, matches between them, and records of matches.
//!
//! ```
//! use ggp::Game;
//! use ggp::play::{Arena, Clocks, PlayerSpec, Seat};
//! use std::{sync::Arc, time::Duration};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let clocks = Clocks { start: Duration::from_secs(10), play: Duration::from_secs(10) };
//! let arena = Arena::new(Arc::new(Game::library("nim")?), clocks, 1);
//! let random: PlayerSpec = "random".parse()?;
//! let record = arena.play(&mut [Seat::new(random.make(1)), Seat::new(random.make(2))])?;
//! assert!(record.is_completed);
//! # Ok(())
//! # }
//! ```
//!
//! A [`Player`] takes part in a match: it is told when the match starts, asked for a move at each turn, and told when
//! the match is over, each time with a [`Deadline`]. Moves are passed as terms, so a player can live in this process or
//! on another machine. The players of this room are a [`Participant`] (which keeps the position, the clock and a legal
//! move in reserve) around a [`Strategy`] (which chooses); [`PlayerSpec`] makes them by name: `legal`, `random:seed=1`.
//! How players are named with their options is [`crate::ask::spec`].
//! [`Game::ask`](crate::engine::Game::ask) says what to play in a state.
//! This room uses [`crate::engine`] and [`crate::search`] and implements no search of its own.

mod advice;
mod arena;
mod clock;
mod equipment;
mod exercise;
mod finding;
mod judge;
mod kind;
mod options;
mod participant;
mod planning;
pub(crate) mod player;
mod player_spec;
mod position;
mod ratings;
mod record;
mod schedule;
mod seat;
mod series;
mod tally;
mod verify;
mod works;

pub use crate::ask::{PlayoutKind, PlayoutOptions, RandomPlay};
pub use crate::limits::Deadline;
pub use advice::AdviceError;
pub(crate) use arena::ReachedPosition;
pub use arena::{Arena, MatchError};
pub use clock::{Clocks, Margin};
pub use equipment::{Equipment, Requirement};
pub use exercise::{Exercise, ExerciseError, ExerciseFault, ExerciseRow};
pub(crate) use kind::PLAYERS;
pub use kind::PlayerKind;
pub use participant::{Participant, Strategy};
pub use player::{Player, PlayerError, Start};
pub use player_spec::PlayerSpec;
pub use position::Position;
pub(crate) use ratings::{PairResult, elo_ratings};
pub(crate) use record::read_term;
pub use record::{Fallback, FallbackSource, MatchRecord, RecordError};
pub(crate) use schedule::SeatSchedule;
pub use seat::{Fault, Seat};
pub use series::Series;
pub use tally::{Standing, Tally};
pub use verify::{RecordSummary, VerifyError, verify};
pub(crate) use works::Work;
pub use works::{ThreadGroups, WorkGroup};
