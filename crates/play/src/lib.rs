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
//! [`ask::spec`] names players with their options. [`ask::Ask`] finds what to play in a state. This crate uses
//! [`ggp_engine`] and [`ggp_search`] and implements no search of its own.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

mod arena;
pub mod ask;
mod exercise;
#[doc(hidden)]
pub mod gamemaster;
#[doc(hidden)]
pub mod log;
mod paired;
mod participant;
#[doc(hidden)]
pub mod player;
mod player_spec;
#[cfg(feature = "protocol")]
pub mod protocol;
mod record;
mod same;
mod seat;
mod series;
mod training;
mod view;
mod works;

pub use crate::ask::network::{NetworkReadError, read_network};
pub use crate::ask::{PlayoutKind, PlayoutOptions, RandomPlay};
#[doc(hidden)]
pub use arena::ReachedPosition;
pub use arena::{Arena, MatchError};
pub use exercise::{Exercise, ExerciseError, ExerciseFault, ExerciseRow};
pub use gdl::limits::Deadline;
#[doc(hidden)]
pub use paired::PairedGames;
pub use participant::{Equipment, Margin, Participant, Position, Requirement, Strategy};
#[doc(hidden)]
pub use player::Thought;
pub use player::{Clocks, LastTurn, Player, PlayerError, Start};
#[doc(hidden)]
pub use player_spec::PLAYERS;
pub use player_spec::{PlayerKind, PlayerSpec};
#[doc(hidden)]
pub use record::read_term;
pub use record::{Fallback, FallbackSource, MatchRecord, RecordError, RecordSummary, VerifyError, verify};
pub use same::{SameError, SameOptions, SameVerdict, same};
pub use seat::{Fault, Seat};
#[doc(hidden)]
pub use series::{PairResult, SeatSchedule, elo_ratings, rotations};
pub use series::{Series, Standing, Tally};
#[doc(hidden)]
pub use training::{train_network, training_symmetries};
pub(crate) use works::Work;
pub use works::{ThreadGroups, WorkGroup};
