//! Visits to all states of a game, each once: what `solve`, `tree`, `perft`, `bfs` and `info` begin with.
//!
//! States are keys of a few words if the engine has them, else numbers whose form is learned (`packed_states.rs`), else
//! states in a table. One loop (`layers.rs`) visits them, for a graph of states (`state_graph.rs`), for the compact
//! space of states that solving needs (`state_space.rs`), or for another visitor.

#[doc(hidden)]
pub mod key_set;
pub(super) mod layers;
mod packed_states;
mod perft;
pub(crate) mod potential;
mod space_visitor;
pub(super) mod state_graph;
pub(super) mod state_space;
mod survey;
mod tree;

pub use perft::{DepthCount, Perft, perft};
pub(crate) use potential::{KeyParts, Potential, WordOrder};
pub use survey::{Sums, Survey, survey};
pub use tree::{Count, EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount, tree};
