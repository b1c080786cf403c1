//! Visits to all states of a game, each once: what `solve`, `tree`, `perft`, `bfs` and `info` begin with.
//!
//! States are keys of a few words if the engine has them, else numbers whose form is learned (`packing.rs`), else
//! states in a table.

mod batch_size;
mod count;
pub(super) mod explorer;
#[doc(hidden)]
pub mod key_part;
mod key_parts;
pub(super) mod key_set;
pub(super) mod keyed;
pub(super) mod lookahead;
mod packed_states;
mod packing;
mod perft;
mod potential;
mod shared_layers;
mod space_visitor;
pub(super) mod state_graph;
pub(super) mod state_space;
pub(super) mod state_store;
mod survey;
mod tree;

pub(crate) use batch_size::BatchSize;
pub use count::Count;
pub(crate) use key_parts::{KeyParts, WordOrder};
pub use perft::{DepthCount, Perft, perft};
pub(crate) use potential::{MANY_MOVES, Potential, potential_weights};
pub use survey::{Sums, Survey, survey};
pub use tree::{EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount, tree};
