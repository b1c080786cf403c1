//! Search: every algorithm written once, over any [`crate::game::Reasoner`].
//!
//! ```
//! use ggp::search::{Budget, Problem, breadth_first};
//! use ggp::{Game, Reasoner};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut game = Game::library("three_puzzle")?;
//! let engine = game.engine()?;
//! let start = engine.initial_state()?;
//! let outcome = breadth_first(engine, &Problem::new(&start), &Budget::new().with_nodes(1_000), ())?;
//! assert!(outcome.is_exact());
//! assert_eq!(outcome.answer.map(|plan| plan.moves.len()), Some(6));
//! # Ok(())
//! # }
//! ```
//!
//! Each file is one algorithm with one public entry, which accepts a [`Budget`] and returns an [`Outcome`]: the answer,
//! whether it is exact or why the search was stopped, and its cost. Searches of one player accept a [`Problem`]. As
//! tree searches they have the textbook's form (canonical order of moves, no memory of states seen), so that their node
//! counts can be compared with those of a student's program; as graph searches they expand no state more often than
//! they must. An [`Observer`] is told what happens inside. Searches that only count ([`tree()`], [`perft()`]) visit
//! each state once. Of rules this room knows nothing but ground terms, as the names of roles, moves and facts; heuristics
//! reach it through the trait [`crate::game::Heuristic`].

mod a_star;
mod all_plans;
mod alpha_beta;
mod arrival;
mod best_first;
mod best_move;
mod best_moves;
mod best_plan;
mod bounded;
mod breadth_first;
mod budget;
mod contest;
mod continued;
mod cost;
mod count;
mod cutoffs;
mod deliberation;
mod depth_first;
mod dive;
mod expected_values;
mod expectimax;
mod exploration;
mod explored_tree;
mod first_plans;
mod first_values;
mod found;
mod full_tree;
mod greedy;
mod guided;
mod heuristic_check;
mod ida_star;
pub(crate) mod intervals;
mod iterative_alpha_beta;
mod iterative_deepening;
mod key_graph;
mod key_part;
mod key_search;
mod key_set;
mod key_space;
mod keyed;
mod layer_rank;
mod layered;
mod lookahead;
mod matrix_game;
mod max_n;
mod max_score;
mod memory;
mod minimax;
mod monte_carlo;
mod move_order;
mod narration;
mod nash;
mod negamax;
mod opponent;
mod optimal_plans;
mod ordering;
mod outcome;
mod packed_states;
mod packing;
mod paranoid;
mod perft;
mod plan_check;
mod playouts;
mod precision;
mod problem;
mod progress;
mod queue;
mod record;
mod remembered;
mod repeating;
mod retrograde;
mod rule;
mod shared_layers;
mod signature;
mod so_far;
mod solve;
mod stacked;
mod state_graph;
mod state_space;
mod subtrees;
mod successors;
mod survey;
mod symmetric;
pub(crate) mod trace;
mod transposition;
mod tree;
mod turn;
mod turn_moves;
mod uct;
mod value;
mod value_iteration;

pub use crate::number::{Rational, RationalError, Real};
pub use a_star::{a_star, a_star_all};
pub use all_plans::{AllPlans, all_plans};
pub use alpha_beta::{EqualMoves, Pruning, alpha_beta};
pub use best_move::best_move;
pub use best_moves::best_moves;
pub use best_plan::best_plan;
pub use breadth_first::breadth_first;
pub use budget::Budget;
pub use contest::{Choice, Contest, RatedMove};
pub use cost::Cost;
pub use count::Count;
pub use cutoffs::Extras;
pub use deliberation::{Deliberation, Step, Ties, deliberation};
pub use depth_first::depth_first;
pub use dive::dive;
pub use expectimax::{Expectation, Opponents, expectimax, expectiminimax};
pub use exploration::Exploration;
pub(crate) use explored_tree::Sampled;
pub use explored_tree::{ExploredNode, ExploredTree};
pub use first_plans::{FirstPlan, FirstPlans, first_plans};
pub use first_values::{FirstValues, first_values};
pub use greedy::greedy;
pub use guided::Guided;
pub use heuristic_check::{HeuristicCheck, Inconsistency, Overestimate, heuristic_check};
pub use ida_star::ida_star;
pub use iterative_alpha_beta::{Deepened, Round, iterative_alpha_beta, iterative_with};
pub use iterative_deepening::iterative_deepening;
pub use max_n::{Shares, max_n};
pub use max_score::max_score;
pub use minimax::minimax;
pub use monte_carlo::monte_carlo;
pub use move_order::MoveOrder;
pub use narration::{Narrated, NarratedStep, Narrator, Procedure, Scored, Verdict};
pub use nash::{Equilibrium, MixedStrategy, nash};
pub use negamax::negamax;
pub use opponent::{OpponentModel, shared_among_best};
pub use optimal_plans::{OptimalPlans, optimal_plans};
pub use ordering::Ordering;
pub use outcome::{Outcome, SearchError};
pub use paranoid::paranoid;
pub use perft::{DepthCount, Perft, perft};
pub use plan_check::{PlanCheck, PlanEnd, plan_check};
pub use playouts::{Playouts, SinglePlayouts};
pub use precision::Precision;
pub use problem::{Form, GoalTest, Plan, Problem, Siblings};
pub use progress::SearchProgress;
pub use record::{EndedRound, Recorder, RoundRecorder};
pub use repeating::{FEW_STATES, FromAllStates, repeating_choice, repeating_expectation, repeating_shares};
pub(crate) use rule::{Kind, Rule};
pub use so_far::{Finished, Guarantee};
pub use solve::{Expected, Solution, SolvedState, SolvedStates, SolvedVisitor, solve, solve_each};
pub use survey::{Sums, Survey, survey};
pub use symmetric::{MOST_SYMMETRIES, Symmetric};
pub use trace::{Bound, CutReason, Event, Generated, NodeId, Observer, RoundCost, Window};
pub use tree::{EndCount, GameTree, RoleUtilities, TreeSize, UtilityCount, tree};
pub use uct::{Advice, Rated, Uct, UctOptions};
pub use value::{Value, Worth};
