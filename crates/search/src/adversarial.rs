//! Searches of a game of several players along lines: each asks a [`Contest`] what a role can reach.
//!
//! The question, the walk over states and the reports are in `contest.rs`, a turn and its decisions in `turn.rs`, lines
//! in `line.rs`; alpha-beta has the order of its moves in `ordering.rs` and its table in `transposition.rs`. The
//! searches of the whole tree say in a `Backup` how values come back (`full_tree.rs`), and go node by node or in
//! batches of states (`full_tree/subtrees.rs`).

mod alpha_beta;
mod contest;
mod expectimax;
mod full_tree;
mod iterative_alpha_beta;
mod line;
mod matrix_game;
mod max_n;
mod minimax;
mod nash;
mod ordering;
mod transposition;
mod turn;

pub use alpha_beta::{EqualMoves, Pruning, alpha_beta, paranoid};
pub use contest::Contest;
pub use expectimax::{
    Expectation, OpponentModel, Opponents, best_moves, expectimax, expectiminimax, shared_among_best,
};
pub use iterative_alpha_beta::{
    DeepenedChoice, FirstValues, Round, first_values, iterative_alpha_beta, iterative_with,
};
#[doc(hidden)]
pub use iterative_alpha_beta::{TableMemory, iterative_from};
pub(super) use matrix_game::{Matrix, MixedPlay};
pub use max_n::{Shares, max_n};
pub use minimax::{minimax, negamax};
pub use nash::{
    Equilibrium, EquilibriumSelection, MixedStrategy, PureEquilibrium, PureMove, RoleMean, WeightedMove, nash,
};
pub use ordering::{Enhancements, Ordering};
