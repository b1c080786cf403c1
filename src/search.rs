//! Search: every algorithm written once, over any [`crate::game::Reasoner`].
//!
//! Each file is one algorithm with one public entry. It takes a [`Budget`] and gives an [`Outcome`]: the answer, whether it
//! is exact or why the search was stopped, and what it cost. The forms here are the textbook's (Genesereth and Thielscher,
//! *General Game Playing*): depth first, in the canonical order of moves, with no memory of states seen, so that their
//! node counts can be compared with those of a student's own program. What only counts ([`tree()`], [`perft()`]) visits each
//! state once instead. This room knows nothing of rules or terms.

pub mod a_star;
mod best_first;
pub mod best_move;
pub mod best_plan;
mod bounded;
pub mod breadth_first;
pub mod budget;
pub mod cost;
pub mod count;
pub mod depth_first;
pub mod explored_tree;
pub mod greedy;
pub mod heuristic;
pub mod ida_star;
pub mod iterative_deepening;
pub mod max_score;
pub mod minimax;
pub mod outcome;
pub mod perft;
pub mod problem;
pub mod progress;
pub mod record;
mod state_graph;
pub mod trace;
pub mod tree;

pub use a_star::a_star;
pub use best_move::best_move;
pub use best_plan::{Plan, best_plan};
pub use breadth_first::breadth_first;
pub use budget::Budget;
pub use cost::Cost;
pub use count::Count;
pub use depth_first::depth_first;
pub use explored_tree::{ExploredNode, ExploredTree};
pub use greedy::greedy;
pub use heuristic::Heuristic;
pub use ida_star::ida_star;
pub use iterative_deepening::iterative_deepening;
pub use max_score::max_score;
pub use minimax::{Choice, minimax};
pub use outcome::{Outcome, SearchError, Stop};
pub use perft::{DepthCount, Perft, perft};
pub use problem::{Form, MoveOrder, Problem};
pub use progress::Progress;
pub use record::{Recorded, RecordedNode, Recorder};
pub use trace::{Event, NodeId, Observer};
pub use tree::{EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount, tree};
