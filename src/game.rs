//! Games as searches and players see them: roles, moves, utilities, and the trait of all engines.
//!
//! Engines ([`crate::interpreter`]) implement [`Reasoner`], and searches and players use nothing else. So every
//! algorithm is written once, and all engines can be compared with each other.

pub mod batch;
mod chance;
pub mod evaluation;
pub mod heuristic;
pub mod joint;
pub mod moves;
pub mod reasoner;
pub mod utility;

pub use batch::{BatchReasoner, Expansion, Expansions, Turn};
pub use chance::Chance;
pub use evaluation::Evaluation;
pub use heuristic::Heuristic;
pub use joint::JointMoves;
pub use moves::{Fluent, Move, Role};
pub use reasoner::{ReasonError, Reasoner, random_step_by_moves};
pub use utility::Utility;
