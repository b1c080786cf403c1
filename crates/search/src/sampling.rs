//! Searches that estimate by random play: flat Monte Carlo and Monte Carlo tree search.

mod guided_tree;
pub(crate) mod held_out;
#[doc(hidden)]
pub mod learned_evaluation;
mod lines;
mod monte_carlo;
mod playouts;
#[doc(hidden)]
pub mod practice;
#[doc(hidden)]
pub mod trial;
mod uct;
mod weights;

pub use guided_tree::GuidedTree;
#[doc(hidden)]
pub use held_out::LogLoss;
#[doc(hidden)]
pub use learned_evaluation::LearnedEvaluation;
pub use monte_carlo::monte_carlo;
#[doc(hidden)]
pub use playouts::FaultyEnds;
pub use playouts::{PlayedMove, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts};
#[doc(hidden)]
pub use practice::{Practice, PracticeEnd};
#[doc(hidden)]
pub use trial::{PlayingMethod, Trial, TrialSettings};
#[doc(hidden)]
pub use uct::ProofCounts;
pub use uct::{Advice, MoveStatistics, Uct, UctOptions};
