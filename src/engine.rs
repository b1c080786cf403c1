//! A loaded game: its text, its rules, its problems, and the engine that answers for it.
//!
//! ```
//! use ggp::engine::{EngineKind, Game};
//! use ggp::game::Reasoner;
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
//! [`load()`] turns a name or a path into a [`Game`] that can be queried and played: [`crate::syntax`] reads the text,
//! [`crate::rules`] normalises and checks it, and engines are made from the rules: the interpreter for queries, and an
//! [`Engine`] of the requested [`EngineKind`] for play and search. The room also holds what needs a whole game:
//! replaying a recorded match ([`replay()`]) and measuring an engine ([`mod@bench`]). Searches do not need this room;
//! they know only [`crate::game`]. What of the network its users meet is exported from here; the rooms below, of which
//! it is made, are hidden in the documentation, because they may change at any time.

mod ask;
mod background;
pub mod bench;
mod cache;
mod choose;
mod dispatch;
mod examine;
mod features;
mod game;
mod goal_values;
pub mod lanes;
mod library;
mod load;
mod origin;
mod playout;
mod possible;
mod problem_line;
mod progress;
mod promise;
mod relaxed;
pub(crate) mod replay;
pub mod simulate;
mod slot;
pub mod trace;
pub mod two_values;
mod winning_lines;

pub use crate::files::InputLimit;
pub use crate::ground::{GroundBudget, GroundError, GroundProgress};
pub use crate::lanes::LeftOutTechnique;
pub use crate::program::FormDifference;
pub use crate::propnet::{EvaluatorKind, Inspected, Inspector, LeftOut, NetworkOptions, PropnetError};
pub use crate::rules::{CheckedSheet, check_text, check_text_within};
pub use ask::{AskError, Explanation};
pub(crate) use background::{Background, SetupArrival};
pub use cache::NetworkCache;
pub use choose::{EngineKind, EngineOptions, UnknownEngine};
pub use dispatch::{Engine, EngineState};
pub use examine::{ExamineError, ExaminedSheet, examine};
pub(crate) use features::check_added;
pub use features::{Feature, FeatureError, FeaturedGame, FeaturedState, Features};
pub use game::Game;
pub use goal_values::{computed_goals, computes_goals};
pub(crate) use lanes::{EngineLanes, Rollouts};
pub use lanes::{NoLanes, PlayoutLanes, PlayoutPolicy};
pub use library::{HEURISTICS, LIBRARY, LibrarySheet};
pub(crate) use load::load_from_library;
pub use load::{LoadError, load, load_text};
pub(crate) use origin::sheet_of_text;
pub use origin::{GameOrigin, GameOriginError};
pub use playout::{Playout, playout};
pub(crate) use possible::{Impossible, impossible};
pub use progress::SetupProgress;
pub(crate) use promise::{instances, promised};
pub use relaxed::{Measure, RelaxedHeuristic};
pub use replay::{Difference, ReplayError, ReplayResult, replay};
pub use simulate::{SimulationError, simulate};
pub use slot::EngineError;
pub use two_values::two_values;
