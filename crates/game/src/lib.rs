//! Games as searches and players see them: roles, moves, utilities, and the trait of all engines.
//!
//! ```
//! use ggp_game::{JointMoves, ReasonError, Reasoner};
//!
//! /// The number of joint moves from the initial state, on any engine.
//! fn width<R: Reasoner>(engine: &mut R) -> Result<usize, ReasonError> {
//!     let start = engine.initial_state()?;
//!     Ok(JointMoves::in_state(engine, &start)?.count())
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut game = ggp_engine::Game::library("rock_paper_scissors")?;
//! assert_eq!(width(&mut game.interpreter)?, 9);
//! assert_eq!(width(game.engine()?)?, 9);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! state ─ legal moves of each role ─ joint move ─ next state ─ … ─ terminal state: the utility of each role
//! ```
//!
//! Engines (`ggp_engine::interpreter`) implement [`Reasoner`], and searches and players use nothing else. So every
//! algorithm is written once, and all engines can be compared with each other.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

pub(crate) mod batch;
mod chance;
pub(crate) mod evaluation;
#[doc(hidden)]
pub mod files;
pub(crate) mod joint;
pub(crate) mod keys;
mod line_counts;
pub(crate) mod moves;
pub(crate) mod reasoner;
#[doc(hidden)]
pub mod stack;
pub mod statistics;
#[doc(hidden)]
pub mod threads;
pub(crate) mod utility;

pub use batch::{BatchReasoner, Expansion, Expansions, Turn};
pub use chance::Chance;
pub use evaluation::{Evaluation, Heuristic, lead_by_roles};
pub use joint::JointMoves;
#[doc(hidden)]
pub use joint::{OngoingGame, play_to_end};
#[doc(hidden)]
pub use keys::Coding;
pub use keys::{KeyExpansion, KeyExpansions, KeyGroup, KeyReasoner, KeyTurn};
pub use line_counts::WinningLineCounts;
pub use moves::{Fluent, Move, Percept, Role, WinningLine};
pub use reasoner::{PerceptReasoner, ReasonError, Reasoner, random_step_by_moves};
pub use utility::{Utility, UtilityRange};
