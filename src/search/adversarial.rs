//! Searches of a game of several players along lines: each asks a [`Contest`] what a role can reach.
//!
//! The walk over states, the ends of lines and the reports are in `contest.rs`; a turn of one role against all others
//! in `turn.rs`. The searches of the whole tree say in a `Backup` how values come back, and go node by node or in
//! batches of states (`subtrees.rs`).

mod alpha_beta;
mod arrival;
mod backup;
mod best_moves;
mod best_so_far;
mod bimatrix;
pub(super) mod contest;
mod continued_line;
mod equilibrium;
mod expectimax;
mod first_values;
mod full_tree;
mod horizon;
mod iterative_alpha_beta;
mod line_end;
mod matrix_game;
mod max_n;
mod minimax;
mod nash;
mod negamax;
mod normal_form;
mod opponent;
mod ordering;
mod paranoid;
mod remembered_values;
mod role_by_role;
mod signature;
mod subtrees;
mod successors;
mod tableau;
mod transposition;
mod turn;
mod turn_moves;
mod two_sided;
mod value;
mod valued_line;

pub use alpha_beta::{EqualMoves, Pruning, alpha_beta};
pub use best_moves::best_moves;
pub use best_so_far::{FinishedMoves, Guarantee};
pub use contest::{Choice, Contest, RatedMove};
pub use equilibrium::{
    Equilibrium, EquilibriumSelection, MixedStrategy, PureEquilibrium, PureMove, RoleMean, WeightedMove,
};
pub use expectimax::{Expectation, Opponents, expectimax, expectiminimax};
pub use first_values::{FirstValues, first_values};
pub use iterative_alpha_beta::{DeepenedChoice, Round, iterative_alpha_beta, iterative_with};
pub(crate) use iterative_alpha_beta::{TableMemory, iterative_from};
pub use line_end::LineEnd;
pub(crate) use line_end::end_of_line;
pub(super) use matrix_game::{Matrix, MixedPlay};
pub use max_n::{Shares, max_n};
pub use minimax::minimax;
pub use nash::nash;
pub use negamax::negamax;
pub use opponent::{OpponentModel, shared_among_best};
pub use ordering::{Enhancements, Ordering};
pub use paranoid::paranoid;
pub use value::{Value, Worth};
