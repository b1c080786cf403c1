//! Play: players, matches between them, and records of matches.
//!
//! ```
//! use ggp_engine::Game;
//! use ggp_play::{Arena, Clocks, PlayerSpec, Seat};
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
//! ```text
//! a specification: `alphabeta:depth=3` ── ask: a question ── search ── what was found
//! question, clock, seed ── player;  players in their seats ── match ── record
//! ```
//!
//! A [`Player`] takes part in a match: it is told when the match starts, asked for a move at each turn, and told when
//! the match is over, each time with a [`Deadline`]. Moves are passed as terms, so a player can live in this process or
//! on another machine. The players of this crate are a [`Participant`] (which keeps the position, the clock and a legal
//! move in reserve) around a [`Strategy`] (which chooses); [`PlayerSpec`] makes them by name: `legal`, `random:seed=1`.
//! How players are named with their options is [`ask::spec`]. [`ask::Ask`] finds what to play in a state. This crate uses
//! [`ggp_engine`] and [`ggp_search`] and implements no search of its own.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]
// Some things are there for a feature alone.
#![cfg_attr(not(feature = "protocol"), allow(dead_code, unused_imports))]

mod arena;
pub mod ask;
mod clock;
mod equipment;
mod exercise;
mod finding;
mod judge;
mod kind;
#[doc(hidden)]
pub mod log;
mod options;
mod participant;
mod planning;
#[doc(hidden)]
pub mod player;
mod player_spec;
mod position;
#[cfg(feature = "protocol")]
pub mod protocol;
mod ratings;
mod record;
mod same;
mod schedule;
mod seat;
mod series;
mod tally;
mod verify;
mod works;

pub use crate::ask::{PlayoutKind, PlayoutOptions, RandomPlay};
#[doc(hidden)]
pub use arena::ReachedPosition;
pub use arena::{Arena, MatchError};
pub use clock::{Clocks, Margin};
pub use equipment::{Equipment, Requirement};
pub use exercise::{Exercise, ExerciseError, ExerciseFault, ExerciseRow};
pub use gdl::limits::Deadline;
#[doc(hidden)]
pub use kind::PLAYERS;
pub use kind::PlayerKind;
pub use participant::{Participant, Strategy};
pub use player::{Player, PlayerError, Start};
pub use player_spec::PlayerSpec;
pub use position::Position;
#[doc(hidden)]
pub use ratings::{PairResult, elo_ratings};
#[doc(hidden)]
pub use record::read_term;
pub use record::{Fallback, FallbackSource, MatchRecord, RecordError};
pub use same::{SameError, SameOptions, SameVerdict, same};
#[doc(hidden)]
pub use schedule::SeatSchedule;
pub use seat::{Fault, Seat};
pub use series::Series;
pub use tally::{Standing, Tally};
pub use verify::{RecordSummary, VerifyError, verify};
pub(crate) use works::Work;
pub use works::{ThreadGroups, WorkGroup};
