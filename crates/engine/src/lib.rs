//! A loaded game: its text, its rules, its problems, and the engine that answers for it.
//!
//! ```
//! use ggp_engine::{EngineKind, Game};
//! use ggp_game::Reasoner;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut game = Game::from_text("role(robot) legal(robot,wait) next(done) terminal :- true(done) goal(robot,100)")?;
//! let engine = game.engine()?;
//! assert_eq!(engine.kind(), EngineKind::Propnet);
//! let start = engine.initial_state()?;
//! assert!(!engine.is_terminal(&start)?);
//! # Ok(())
//! # }
//! ```
//!
//! ```text
//! rules ─┬─ interpreter: any query, straight from the rules
//!        └─ ground ─ propnet ─ program ─┬─ an evaluator: one state at a time
//!           (every instance of a rule,  └─ lanes: hundreds of games at once,
//!            then a network of gates)      one in each bit of a machine word
//! ```
//!
//! [`load()`] turns a name or a path into a [`Game`] that can be queried and played. [`gdl::syntax`] reads the text,
//! [`gdl::rules`] normalises and checks it, and engines are made from the rules: the interpreter for queries, and an
//! [`Engine`] of the requested [`EngineKind`] for play and search. The crate also has the work that needs a whole game:
//! replaying a recorded match ([`replay()`]) and measuring an engine ([`mod@bench`]). Searches do not need this crate;
//! they know only [`ggp_game`]. The types of the network that users need are exported here; its modules are hidden in
//! the documentation, because they may change at any time.
#![warn(clippy::cast_possible_truncation)]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::iter_over_hash_type)]

mod background;
mod background_builds;
pub mod bench;
mod cache;
mod coverage;
mod declarations;
mod dispatch;
mod examine;
mod features;
mod game;
mod goal_values;
#[doc(hidden)]
pub mod ground;
mod idle_roles;
pub mod interpreter;
mod known_moves;
mod lane_play;
#[doc(hidden)]
pub mod lanes;
mod load;
mod lost_values;
mod percept_network;
mod play_check;
mod play_report;
mod possible;
#[doc(hidden)]
pub mod program;
#[doc(hidden)]
pub mod propnet;
mod relaxed;
#[doc(hidden)]
pub mod replay;
mod rule_answers;
mod set_up_thread;
pub mod simulate;
mod slot;
pub mod trace;
mod two_values;
mod valued_function;
mod views;

pub use crate::ground::{GroundBudget, GroundError, GroundProgress};
pub use crate::lanes::{LeftOutTechnique, Outcomes, Request, RoleOutcomes, Rollouts, Stuck};
pub use crate::program::FormDifference;
pub use crate::propnet::{EvaluatorKind, Inspected, Inspector, LeftOut, NetworkOptions, PropnetError};
#[doc(hidden)]
pub use background::{Background, SetupArrival};
pub use background_builds::BackgroundBuilds;
pub use cache::NetworkCache;
pub use coverage::{Coverage, UnusedGoal, coverage};
pub use declarations::{DeclarationError, Imprecision, MissingDeclarations, RangeError, missing_declarations};
pub use dispatch::{Engine, EngineKind, EngineState, UnknownEngine};
pub use examine::{ExamineError, ExaminedSheet, PlayAmount, examine, examine_checked, play_problems};
#[doc(hidden)]
pub use features::check_added;
pub use features::{Feature, FeatureError, FeaturedGame, FeaturedState, Features};
pub use game::{AskError, Explanation, Game, Playout, playout};
pub use gdl::rules::{CheckedSheet, check_text, check_text_within};
pub use ggp_game::files::InputLimit;
pub use ggp_sheets::{COURSE, HEURISTICS, LIBRARY, LibrarySheet};
pub use goal_values::{computed_goals, computes_goals};
pub use lane_play::{EngineLanes, NoLanes, PlayoutLanes, PlayoutPolicy};
pub use load::{GameOrigin, GameOriginError, LoadError, load, load_text};
#[doc(hidden)]
pub use load::{load_from_library, sheet_of_text};
pub use percept_network::PerceptNetwork;
pub use play_check::play_check;
#[doc(hidden)]
pub use play_report::{joint_move_text, line_of_play};
#[doc(hidden)]
pub use possible::{Impossible, impossible, instances, promised};
pub use relaxed::{Measure, RelaxedHeuristic};
pub use replay::{Difference, ReplayError, ReplayResult, replay};
pub use simulate::{SimulationError, simulate};
pub use slot::{EngineError, EngineOptions, SetupProgress};
pub use views::ViewedSheet;
