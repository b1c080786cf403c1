//! Searches that estimate by random play: flat Monte Carlo and Monte Carlo tree search.

mod guided_tree;
pub(crate) mod held_out;
pub(crate) mod learned_evaluation;
mod lines;
mod monte_carlo;
mod playouts;
pub(crate) mod practice;
pub(crate) mod trial;
mod uct;
mod weights;

pub use guided_tree::GuidedTree;
pub(crate) use held_out::LogLoss;
pub(crate) use learned_evaluation::LearnedEvaluation;
pub use monte_carlo::monte_carlo;
pub(crate) use playouts::FaultyEnds;
pub use playouts::{PlayedMove, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts};
pub(crate) use practice::{Practice, PracticeEnd};
pub(crate) use trial::{PlayingMethod, Trial, TrialSettings};
pub(crate) use uct::ProofCounts;
pub use uct::{Advice, MoveStatistics, Uct, UctOptions};
