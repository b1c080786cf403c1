//! Search: every algorithm written once, over any [`ggp_game::Reasoner`].
//!
//! ```
//! use ggp_search::{Budget, Problem, breadth_first};
//! use ggp_engine::Game;
//! use ggp_game::Reasoner;
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
//! ```text
//! engine, state, Budget ── algorithm ── Outcome: answer, why it was stopped, Cost
//!                             └─ events ── Observer
//! ```
//!
//! An algorithm accepts a [`Budget`] and returns an [`Outcome`]: the answer, whether it is exact or why the search was
//! stopped, and its cost. Searches of one player accept a [`Problem`], those of several a [`Contest`]. As tree searches
//! they have the textbook's form (canonical order of moves, no memory of states seen), so that their node counts can be
//! compared with those of a student's program; as graph searches they expand no state more often than they must. An
//! [`Observer`] is told what happens inside. Searches that only count ([`tree()`], [`perft()`]) visit each state once.
//! Of rules this crate knows nothing but ground terms, as the names of roles, moves and facts; heuristics reach it
//! through the trait [`ggp_game::Heuristic`].
//!
//! The cost is that of the textbook's form: b is the number of joint moves of a state, d the depth of the answer, m the
//! greatest depth, s the number of states.
//!
//! | algorithm | file | source | time | memory |
//! |---|---|---|---|---|
//! | [`breadth_first()`] | `one_player/breadth_first.rs` | Russell and Norvig | b^d | b^d |
//! | [`depth_first()`] | `one_player/depth_first.rs` | Russell and Norvig | b^m | m |
//! | [`iterative_deepening()`] | `one_player/iterative_deepening.rs` | Korf 1985 | b^d | d |
//! | [`greedy()`] | `one_player/greedy.rs` | Russell and Norvig | b^m | b^m |
//! | [`a_star()`] | `one_player/a_star.rs` | Hart, Nilsson and Raphael 1968 | b^d | b^d |
//! | [`ida_star()`] | `one_player/ida_star.rs` | Korf 1985 | b^d | d |
//! | [`max_score()`], [`best_move()`], [`best_plan()`] | `one_player/best_plan.rs` | Genesereth and Thielscher | b^m | m |
//! | [`all_plans()`], [`optimal_plans()`] | `one_player/all_plans.rs`, `one_player/optimal_plans.rs` | shortest paths by layers | b s | s |
//! | [`dive()`] | `one_player/dive.rs` | Warnsdorff 1823 | b m for each line | m |
//! | [`nested()`] | `one_player/nested.rs` | Cazenave 2009 | (b m)^n lines at level n | m |
//! | [`minimax()`] | `adversarial/minimax.rs` | Genesereth and Thielscher | b^m | m |
//! | [`negamax()`] | `adversarial/minimax.rs` | Knuth and Moore 1975 | b^m | m |
//! | [`alpha_beta()`] | `adversarial/alpha_beta.rs` | Knuth and Moore 1975 | b^(m/2) to b^m | m |
//! | [`iterative_alpha_beta()`] | `adversarial/iterative_alpha_beta.rs` | Slate and Atkin 1977 | as alpha-beta | m |
//! | [`paranoid()`] | `adversarial/alpha_beta.rs` | Sturtevant and Korf 2000 | as alpha-beta | m |
//! | [`max_n()`] | `adversarial/max_n.rs` | Luckhardt and Irani 1986 | b^m | m |
//! | [`expectimax()`], [`expectiminimax()`] | `adversarial/expectimax.rs` | Michie 1966 | b^m | m |
//! | [`nash()`] | `adversarial/nash.rs` | Shapley 1953, Lemke and Howson 1964 | b^m matrices | m |
//! | [`cfr()`] | `hidden/cfr.rs` | Zinkevich and others 2007, Tammelin 2014 | leaves for each iteration | b^m |
//! | [`mccfr()`] | `hidden/mccfr.rs` | Lanctot and others 2009 | m for each iteration and role, or more | b^m |
//! | [`equilibrium()`] | `hidden/equilibrium.rs` | Koller, Megiddo and von Stengel 1996 | pivots on the square of the sets | the same |
//! | [`ismcts()`] | `hidden/ismcts.rs` | Cowling, Powley and Whitehouse 2012 | m for each visit | a node for each visit |
//! | [`monte_carlo()`] | `sampling/monte_carlo.rs` | Brügmann 1993 | m for each playout | 1 |
//! | [`Uct`] | `sampling/uct.rs` | Kocsis and Szepesvári 2006 | m for each visit | a node for each visit |
//! | [`GuidedTree`] | `sampling/guided_tree.rs` | Silver and others 2018 | m for each visit | a node for each visit |
//! | [`solve()`] | `exact/solve.rs` | Ströhlein 1970, Thompson 1986 | b s | b s |
//! | [`tree()`] | `explore/tree.rs` | sums over a graph of states | b s | b s |
//! | [`perft()`] | `explore/perft.rs` | perft of chess programs | b s d | b s |
//! | [`survey()`] | `explore/survey.rs` | Kahn 1962 | b s | b s |
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

mod adversarial;
mod budget;
mod choice;
mod cost;
#[doc(hidden)]
pub mod events;
#[doc(hidden)]
pub mod exact;
#[doc(hidden)]
pub mod explore;
mod faulty_end;
mod hidden;
mod memory;
mod one_player;
mod outcome;
mod record;
mod same;
#[doc(hidden)]
pub mod sampling;
pub mod solving;
mod symmetric;
mod teaching;
mod value;

pub use adversarial::{
    Contest, DeepenedChoice, Enhancements, EqualMoves, Equilibrium, EquilibriumSelection, Expectation, FirstValues,
    MixedStrategy, OpponentModel, Opponents, Ordering, Pruning, PureEquilibrium, PureMove, RoleMean, Round, Shares,
    WeightedMove, alpha_beta, best_moves, expectimax, expectiminimax, first_values, iterative_alpha_beta,
    iterative_with, max_n, minimax, nash, negamax, paranoid, shared_among_best,
};
#[doc(hidden)]
pub use adversarial::{TableMemory, iterative_from};
pub use budget::Budget;
#[doc(hidden)]
pub use choice::end_of_line;
pub use choice::{Choice, FinishedMoves, Guarantee, LineEnd, RatedMove};
pub use cost::{Cost, SearchProgress};
pub use events::{Bound, CutReason, Event, GeneratedNode, NodeId, Observer, RoundCost, Window};
pub use exact::{
    ExpectedValue, FEW_STATES, FromAllStates, Precision, Solution, SolvedState, SolvedStates, SolvedVisitor,
    repeating_choice, repeating_expectation, repeating_shares, solve, solve_each,
};
pub(crate) use exact::{GameKind, Rule};
pub use explore::{
    Count, DepthCount, EndCount, GameTree, Perft, RoleUtilities, Sums, Survey, TreeSize, UtilityCount, perft, survey,
    tree,
};
pub(crate) use explore::{KeyParts, Potential, WordOrder};
pub use faulty_end::{faulty_end, stuck_state};
pub use gdl::number::{Rational, RationalError, Real};
pub use hidden::{
    ExtensiveForm, InformationSet, LearnedProfile, LearningEnd, LineSampling, Observation, PossibleState,
    PossibleStates, ProfileValues, RegretUpdate, StrategyProfile, ViewStep, cfr, equilibrium, evaluate, extensive_form,
    gambit, ismcts, mccfr, possible_states, possible_states_after,
};
pub use one_player::{
    AllPlans, Exploration, FirstPlan, FirstPlans, Form, GoalTest, HeuristicCheck, Inconsistency, MoveOrder,
    OptimalPlans, Overestimate, Plan, PlanCheck, PlanEnd, Problem, Siblings, a_star, a_star_all, all_plans, best_move,
    best_plan, breadth_first, depth_first, dive, first_plans, greedy, heuristic_check, ida_star, iterative_deepening,
    max_score, nested, optimal_plans, plan_check,
};
pub use outcome::{Outcome, SearchError};
pub use record::{EndedRound, ExploredNode, ExploredTree, Recorder, RoundRecorder};
#[doc(hidden)]
pub use record::{NodeSample, ValueInterval};
pub use same::{DifferenceKind, GameDifference, GamePair, Sameness, compare_games, compare_graphs};
pub use sampling::{
    Advice, GuidedTree, MoveStatistics, PlayedMove, PlayoutResults, PlayoutThreads, Playouts, SinglePlayouts,
    TreeGrowth, TreeGuide, Uct, UctOptions, monte_carlo,
};
#[doc(hidden)]
pub use sampling::{
    FaultyEnds, GameStop, LearnedEvaluation, LogLoss, PlayingMethod, Practice, PracticeEnd, ProofCounts, Trial,
    TrialSettings, random_opening,
};
pub use symmetric::{MOST_SYMMETRIES, SymmetricReasoner};
pub use teaching::{
    CallVerdict, CodeReader, Deliberation, DeliberationStep, NarratedEvent, NarratedStep, Narrator, Procedure,
    Pseudocode, ScoredPlan, Ties, deliberation,
};
pub use value::{Value, Worth};
