//! What commands answer, as values: one renderer makes text of them, serde makes JSON. A file below for each kind.

mod chance;
mod compared;
mod counted;
mod explained;
mod game;
mod judged;
mod position;
mod search;
mod simulated;
mod solved;
mod trace;

pub use chance::{MeanUtility, PlayoutAnswer, Playouts};
pub use compared::{Compared, ComparedRun, GameRecord, RunResult};
pub use counted::{CountedDepths, CountedMove, CountedTree};
pub use explained::{Dependencies, Explained, Listed, ListedClause};
pub use game::{Checked, GameEntry, HelpEntry, Info, Loaded, OptionEntry, Resumed};
pub use judged::{CheckedHeuristic, CheckedPlan, WrongEstimate};
pub use position::{Boards, GoalValue, LegalMoves, MatchPosition, Percepts, Ply, RoleMove, Solutions, role_moves};
pub use search::{DeepeningRound, Found, MixedStrategy, RoleWorth, SearchAnswer, WeightedMove};
pub use simulated::{Bin, Simulated, SimulatedRole, StuckPlayouts};
pub use solved::{Solved, Worths};
pub use trace::{DrawnTree, Trace, TraceEvent, TraceWindow, TreeFormat, estimate_text, value};

use crate::engine::{EngineKind, Game};
use crate::rules::GroundTerm;
use crate::search::Stop;
use crate::syntax::Dialect;
use serde::Serialize;

/// The answer to a command.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// The line held no command.
    Nothing,
    /// The session shall end.
    Quit,
    /// The commands there are, or one of them.
    Help {
        /// One command with its example, or all.
        commands: Vec<HelpEntry>,
    },
    /// The games of the library.
    Games {
        /// By name.
        games: Vec<GameEntry>,
        /// Heuristic sheets, by name.
        heuristics: Vec<GameEntry>,
    },
    /// A game has been loaded.
    Loaded(Loaded),
    /// A match has been taken up again: its game was loaded anew, and its plies repeated.
    Resumed(Resumed),
    /// The match has been written to a file.
    Saved {
        /// The file.
        file: String,
        /// The name of the game.
        game: String,
        /// How many plies it has.
        plies: usize,
    },
    /// What the loaded game is like.
    Info(Info),
    /// What is wrong with the loaded sheet.
    Checked(Checked),
    /// The roles, in order.
    Roles {
        /// Their names.
        roles: Vec<GroundTerm>,
    },
    /// The facts of a state, in canonical order.
    State {
        /// What holds.
        facts: Vec<GroundTerm>,
    },
    /// A state as it looks.
    Boards(Boards),
    /// Where the match stands after a command that moved it.
    Position(MatchPosition),
    /// How the match came to where it stands.
    History {
        /// One entry a ply.
        plies: Vec<Ply>,
    },
    /// A random line of play.
    Playout(PlayoutAnswer),
    /// What many random games came to.
    Playouts(Playouts),
    /// What many random games in lanes came to.
    Simulated(Simulated),
    /// The dialect in which the terms of answers are written.
    Format {
        /// Its name.
        dialect: Dialect,
    },
    /// The seed of random play.
    Seed {
        /// Its value.
        seed: u64,
    },
    /// What some roles perceive of the last joint move.
    Sees {
        /// One entry a role.
        roles: Vec<Percepts>,
        /// What is odd about the question.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    /// The legal moves of some roles.
    Legal {
        /// One entry a role.
        roles: Vec<LegalMoves>,
    },
    /// What the state is worth to some roles.
    Goal {
        /// One entry a role.
        goals: Vec<GoalValue>,
    },
    /// Yes or no.
    Truth {
        /// Which.
        holds: bool,
        /// What is odd about the question.
        warnings: Vec<String>,
    },
    /// All solutions of a query with variables.
    Solutions(Solutions),
    /// What a search found.
    Search(SearchAnswer),
    /// What several algorithms found and cost.
    Compared(Compared),
    /// What a plan is worth that somebody has made.
    CheckedPlan(CheckedPlan),
    /// How a heuristic compares with the truth.
    CheckedHeuristic(CheckedHeuristic),
    /// Why a literal holds or fails.
    Explained(Explained),
    /// Facts and rules.
    Rules {
        /// By relation.
        relations: Vec<Listed>,
    },
    /// What relations depend on.
    Depends(Dependencies),
    /// A game that has been solved.
    Solved(Solved),
    /// The size of the game tree.
    Tree(CountedTree),
    /// The nodes of the game tree by depth.
    Depths(CountedDepths),
    /// The engine in use.
    Engine {
        /// Its name.
        engine: EngineKind,
    },
    /// An answer and how long it took.
    Timed {
        /// Seconds by the clock.
        seconds: f64,
        /// The answer.
        answer: Box<Answer>,
    },
    /// An answer that is to be shown as an object.
    Json {
        /// The answer.
        answer: Box<Answer>,
    },
    /// An expectation that is met.
    Met,
}

impl Answer {
    /// What to say about a game that has been loaded.
    pub fn loaded(game: &Game) -> Self {
        Self::Loaded(Loaded::of(game))
    }

    /// Yes or no, with nothing odd about the question.
    pub fn truth(holds: bool) -> Self {
        Self::Truth { holds, warnings: Vec::new() }
    }

    /// What is odd about the question that was answered.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Truth { warnings, .. } | Self::Sees { warnings, .. } => warnings,
            Self::Position(position) => &position.warnings,
            Self::Search(search) => &search.warnings,
            Self::CheckedHeuristic(heuristic) => &heuristic.warnings,
            Self::Resumed(resumed) => &resumed.position.warnings,
            Self::Solutions(solutions) => &solutions.warnings,
            Self::Explained(explained) => &explained.warnings,
            Self::Timed { answer, .. } | Self::Json { answer } => answer.warnings(),
            _ => &[],
        }
    }

    /// The answer of a search with something more that is odd about the question.
    pub(super) fn warned(mut self, warnings: Vec<String>) -> Self {
        if let Self::Search(search) = &mut self {
            search.warnings.extend(warnings);
        }
        self
    }

    /// Whether the answer is no: false, or a query without solutions.
    pub fn is_no(&self) -> bool {
        match self {
            Self::Truth { holds, .. } => !holds,
            Self::Solutions(solutions) => solutions.rows.is_empty(),
            Self::Explained(explained) => !explained.is_as_asked(),
            Self::CheckedPlan(plan) => !plan.is_good(),
            Self::CheckedHeuristic(heuristic) => !heuristic.is_admissible,
            Self::Rules { relations } => relations.is_empty(),
            Self::Timed { answer, .. } | Self::Json { answer } => answer.is_no(),
            _ => false,
        }
    }

    /// The limit that cut the answer off, if one did.
    pub fn stopped(&self) -> Option<Stop> {
        match self {
            Self::Search(search) => search.cut_off(),
            Self::Compared(compared) => compared.stopped,
            Self::Playouts(playouts) => playouts.stopped,
            Self::Simulated(simulated) => simulated.stopped,
            Self::CheckedPlan(plan) => plan.stopped,
            Self::Tree(counted) => counted.stopped,
            Self::Depths(counted) => counted.stopped,
            Self::Timed { answer, .. } | Self::Json { answer } => answer.stopped(),
            _ => None,
        }
    }
}
