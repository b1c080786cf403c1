//! Searches that estimate by random play: flat Monte Carlo and Monte Carlo tree search.

mod guided_tree;
#[doc(hidden)]
pub mod learned_evaluation;
mod monte_carlo;
mod playouts;
#[doc(hidden)]
pub mod practice;
#[doc(hidden)]
pub mod trial;
mod uct;

pub use guided_tree::GuidedTree;
#[doc(hidden)]
pub use learned_evaluation::LearnedEvaluation;
pub use monte_carlo::monte_carlo;
#[doc(hidden)]
pub use playouts::FaultyEnds;
pub use playouts::{PlayedMove, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts};
#[doc(hidden)]
pub use practice::{LogLoss, Practice, PracticeEnd};
#[doc(hidden)]
pub use trial::{GameStop, PlayingMethod, Trial, TrialSettings, random_opening};
#[doc(hidden)]
pub use uct::ProofCounts;
pub use uct::{Advice, MoveStatistics, TreeGrowth, TreeGuide, Uct, UctOptions};
