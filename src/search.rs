//! Search: every algorithm written once, over any [`crate::game::Reasoner`].
//!
//! Each file is one algorithm with one public entry. It takes a [`Budget`] and gives an [`Outcome`]: the answer, whether it
//! is exact or why the search was stopped, and what it cost. The forms here are the textbook's (Genesereth and Thielscher,
//! *General Game Playing*): depth first, in the canonical order of moves, with no memory of states seen, so that their
//! node counts can be compared with those of a student's own program. What only counts ([`tree()`], [`perft()`]) visits each
//! state once instead. This room knows nothing of rules or terms.

pub mod best_move;
pub mod best_plan;
pub mod budget;
pub mod cost;
pub mod count;
pub mod max_score;
pub mod minimax;
pub mod outcome;
pub mod perft;
mod state_graph;
pub mod tree;

pub use best_move::best_move;
pub use best_plan::{Plan, best_plan};
pub use budget::Budget;
pub use cost::Cost;
pub use count::Count;
pub use max_score::max_score;
pub use minimax::{Choice, minimax};
pub use outcome::{Outcome, SearchError, Stop};
pub use perft::{DepthCount, Perft, perft};
pub use tree::{EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount, tree};
