//! Neural networks that learn to play any game from its rules, by games against themselves.
//!
//! ```
//! use ggp_engine::Game;
//! use ggp_game::{Reasoner, Role};
//! use ggp_learn::{NeuralNetwork, Training, TrainingOptions};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut game = Game::library("tic_tac_toe")?;
//! let engine = game.engine()?;
//! let start = engine.initial_state()?;
//! let mut network = NeuralNetwork::new(engine, &engine.winning_lines(), "", 1);
//! let options = TrainingOptions { games: Some(3), ..TrainingOptions::default() };
//! let progress = Training::new(&mut network, &options).run(engine, &start, &options, &mut |_, _| true)?;
//! assert_eq!(progress.games, 3);
//! let share = network.guide().share(engine, &start, Role::new(0));
//! assert!((0.0..=1.0).contains(&share));
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! rules ── games of the network against itself ── examples ── steps of the trainer ── network
//!             └────────────── guided by the network, in small integers ─────────────────┘
//! ```
//!
//! A network has the facts of a state as inputs, a utility for each role and a prior for each legal move as outputs. It
//! guides Monte Carlo tree search ([`ggp_search::Uct::guide_by`]), or evaluates states at the horizon of alpha-beta.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

mod encoding;
mod guide;
mod lines;
mod network;
mod novelty;
mod parameters;
mod quantised;
mod self_play;
mod symmetry;
mod trainer;
mod training;

pub use guide::NeuralGuide;
pub use network::{NetworkFileError, NeuralNetwork};
pub use symmetry::TermPermutation;
pub use trainer::Losses;
pub use training::{Training, TrainingOptions, TrainingProgress};
