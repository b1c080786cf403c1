//! Searches of a game of one player: each seeks a line of moves that solves a [`Problem`].
//!
//! Three cores differ in what waits: one queue of all open nodes (`best_first.rs`), one line that is extended and taken
//! back (`bounded.rs`), or a stack of the siblings of one line (`stacked.rs`). The algorithms are these cores with an
//! order or a bound.

mod a_star;
mod all_plans;
mod best_first;
mod best_plan;
mod bounded;
mod breadth_first;
mod depth_first;
mod dive;
mod exploration;
mod first_plans;
mod greedy;
mod heuristic_check;
mod ida_star;
mod iterative_deepening;
mod nested;
mod optimal_plans;
mod plan_check;
mod problem;
mod stacked;

pub use a_star::{a_star, a_star_all};
pub use all_plans::{AllPlans, all_plans};
pub use best_plan::{best_move, best_plan, max_score};
pub use breadth_first::breadth_first;
pub use depth_first::depth_first;
pub use dive::dive;
pub use exploration::Exploration;
pub use first_plans::{FirstPlan, FirstPlans, first_plans};
pub use greedy::greedy;
pub use heuristic_check::{HeuristicCheck, Inconsistency, Overestimate, heuristic_check};
pub use ida_star::ida_star;
pub use iterative_deepening::iterative_deepening;
pub use nested::nested;
pub use optimal_plans::{OptimalPlans, optimal_plans};
pub use plan_check::{PlanCheck, PlanEnd, plan_check};
pub(super) use problem::ordered_moves;
pub use problem::{Form, GoalTest, MoveOrder, Plan, Problem, Siblings};
