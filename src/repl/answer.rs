//! The answers of commands, as values, which serde turns into JSON and [`super::render`] into text. Each submodule has one
//! kind, most with the functions that write its text.

pub(super) mod analysed;
pub(super) mod best;
mod boards;
mod chance;
pub(crate) mod charted;
pub(super) mod compared;
pub(super) mod counted;
pub(super) mod deliberated;
mod drawn;
mod estimated;
pub(super) mod evaluated;
pub(super) mod explained;
mod game;
mod help;
pub(super) mod judged;
pub(super) mod network;
mod position;
mod runs;
pub(super) mod sampled;
mod search;
pub(super) mod simulated;
mod solved;
pub(super) mod text;
pub(super) mod tournament;
mod trace;
mod view;
mod watched;

pub use analysed::Analysed;
pub(crate) use analysed::{AnalysedMove, AnalysedValue, AnalysisProgress};
pub use best::Best;
pub(crate) use best::Tried;
pub use boards::Boards;
pub(crate) use chance::{MeanUtility, PlayoutAnswer, Playouts};
pub(crate) use compared::{Compared, ComparedRun, GameEnd, GameRecord, PlayedGame, RunRecord, RunResult, SearchRun};
pub(crate) use counted::{CountedDepths, CountedMove, CountedTree};
pub(crate) use deliberated::{Deliberated, Prospect, Prospects};
pub(crate) use drawn::{DrawnTree, Scene, SceneBoards, Stages, TreeFormat, estimate_text};
pub(crate) use estimated::{EstimatedLayers, EstimatedTree};
pub(crate) use evaluated::{EvaluatedRole, ExplainedEvaluation, FeatureGroup, Replanned, ReplannedStep};
pub(crate) use explained::{Dependencies, Explained, Listed, ListedClause};
pub(crate) use game::{Checked, GameEntry, Info, Loaded, Resumed};
pub use help::{Example, Help, HelpEntry, HelpGroup, HelpOptions, OptionEntry};
pub(crate) use judged::{CheckedHeuristic, CheckedPlan, WrongEstimate};
pub use network::NetworkPart;
pub(crate) use position::{
    GoalPart, GoalValue, LegalMoves, MatchPosition, Percepts, Ply, Solutions, StateChange, role_moves,
};
pub use position::{LineMove, RoleMove};
pub(crate) use runs::{Run, Runs, ShownPlan, ShownStep};
pub use sampled::SampledChoice;
pub(crate) use sampled::SampledMove;
pub(crate) use search::{
    AllStates, Assumption, CostUnit, Found, Narration, NodeCount, RoleWorth, SearchAnswer, Substitute,
};
pub(crate) use simulated::Simulated;
pub(crate) use solved::{ExpectedWorths, Solved, Worths};
pub use tournament::Tournament;
pub(crate) use tournament::{interval, share};
pub(crate) use trace::{NodePosition, Trace};
pub use view::{AnswerView, Viewed};
pub(crate) use watched::Watched;

use crate::engine::{EngineKind, Game};
use crate::limits::Stop;
use crate::repl::lesson::LessonReply;
use crate::rules::GroundTerm;
use crate::syntax::Dialect;
use serde::Serialize;

/// The answer to a command.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Answer {
    /// The line contained no command.
    Nothing,
    /// The session ends after this command.
    Quit,
    /// A page of help.
    Help(Help),
    /// The lessons, or a step of one.
    Lesson(LessonReply),
    /// The games of the library.
    Games {
        /// The games with their descriptions, by name.
        games: Vec<GameEntry>,
        /// The heuristic sheets, by name.
        heuristics: Vec<GameEntry>,
    },
    /// A game has been loaded.
    Loaded(Loaded),
    /// A match has been restored: its game was loaded again, and its plies were repeated.
    Resumed(Resumed),
    /// A line of play has been drawn.
    Filmed {
        /// The names of the files.
        files: Vec<String>,
        /// The number of frames.
        frames: usize,
    },
    /// The match has been written to a file.
    Saved {
        /// The name of the file.
        file: String,
        /// The name of the game.
        game: String,
        /// The number of plies of the match.
        plies: usize,
    },
    /// The rules have been written to a file.
    SavedRules {
        /// The name of the file.
        file: String,
        /// The name of the game.
        game: String,
        /// The number of facts and rules.
        clauses: usize,
    },
    /// A description of the loaded game.
    Info(Info),
    /// The problems of the loaded rule sheet.
    Checked(Checked),
    /// The roles, in the order of joint moves.
    Roles {
        /// The names of the roles.
        roles: Vec<GroundTerm>,
    },
    /// The facts of a state, in canonical order.
    State {
        /// The facts that hold, in canonical order.
        facts: Vec<GroundTerm>,
        /// The state as it is drawn, if the session draws boards.
        #[serde(skip_serializing_if = "Option::is_none")]
        drawn: Option<Boards>,
    },
    /// A state drawn as boards.
    Boards(Boards),
    /// The position after a command that moved the match.
    Position(MatchPosition),
    /// The steps that led to the current position.
    History {
        /// One entry for each ply.
        plies: Vec<Ply>,
    },
    /// A random line of play.
    Playout(PlayoutAnswer),
    /// The results of many random games, one at a time.
    Playouts(Playouts),
    /// The results of many random games in lanes.
    Simulated(Simulated),
    /// The dialect in which the terms of answers are written.
    Format {
        /// The dialect in which answers write terms.
        dialect: Dialect,
    },
    /// Whether positions are drawn when they change.
    BoardSetting {
        /// Whether they are.
        on: bool,
    },
    /// A state as a line that `set board` takes.
    Fen {
        /// The boards row by row, and the other facts in brackets.
        position: String,
    },
    /// The positions of a line of play, one after another.
    Watched(Watched),
    /// The seed of random play.
    Seed {
        /// The seed, 0 unless it was set.
        seed: u64,
    },
    /// The percepts of some roles after the last joint move.
    Sees {
        /// One entry for each role.
        roles: Vec<Percepts>,
        /// Warnings about the question, such as unknown relations.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        warnings: Vec<String>,
    },
    /// The legal moves of some roles.
    Legal {
        /// One entry for each role.
        roles: Vec<LegalMoves>,
    },
    /// The goal values of some roles in the state.
    Goal {
        /// One entry for each role.
        goals: Vec<GoalValue>,
    },
    /// The truth value of a literal or a query.
    Truth {
        /// Whether the literal or query holds.
        holds: bool,
        /// Warnings about the question, such as unknown relations.
        warnings: Vec<String>,
    },
    /// All solutions of a query with variables.
    Solutions(Solutions),
    /// The result of a search.
    Search(SearchAnswer),
    /// The results and costs of several algorithms.
    Compared(Compared),
    /// The results of games between searches.
    Tournament(Tournament),
    /// What deliberation costs, step by step.
    Deliberated(Deliberated),
    /// What a state and each of its moves are worth.
    Prospects(Prospects),
    /// Several runs of a search in random order.
    Runs(Runs),
    /// A plan step by step.
    ShownPlan(ShownPlan),
    /// The result of checking a plan.
    CheckedPlan(CheckedPlan),
    /// The results of checking several plans.
    ComparedPlans {
        /// The plans in the order in which they were given.
        plans: Vec<CheckedPlan>,
    },
    /// The result of checking a heuristic.
    CheckedHeuristic(CheckedHeuristic),
    /// The size of a tree, estimated from random games.
    EstimatedTree(EstimatedTree),
    /// The number of nodes of a tree with given branching factors.
    EstimatedLayers(EstimatedLayers),
    /// The features of a state.
    ExplainedEvaluation(ExplainedEvaluation),
    /// A player that searches again at every step.
    Replanned(Replanned),
    /// Why a literal holds or fails.
    Explained(Explained),
    /// Facts and rules of the rule sheet.
    Rules {
        /// The clauses, by relation, in the order of the rule sheet.
        relations: Vec<Listed>,
    },
    /// What relations depend on, and what depends on them.
    Depends(Dependencies),
    /// A part of the propositional network.
    Network(NetworkPart),
    /// A game that has been solved.
    Solved(Solved),
    /// The size of the game tree.
    Tree(CountedTree),
    /// The number of nodes of the game tree at each depth.
    Depths(CountedDepths),
    /// The engine that plays and searches.
    Engine {
        /// The engine in use or requested.
        engine: EngineKind,
    },
    /// An answer with the time that it took.
    Timed {
        /// The elapsed time by the clock, in seconds.
        seconds: f64,
        /// The answer of the command that was timed.
        answer: Box<Answer>,
    },
    /// An answer that is shown as a JSON object.
    Json {
        /// The answer to show as an object.
        answer: Box<Answer>,
    },
    /// An analysis of the position.
    Analysed(Analysed),
    /// The answer of the search that fits the kind of game.
    Best(Best),
    /// An expectation that was met.
    #[serde(rename = "met")]
    AsExpected,
    /// An answer whose text shows what options of the command ask for.
    #[serde(untagged)]
    Viewed(Viewed),
}

impl Answer {
    /// Describes a game that has been loaded.
    pub(crate) fn loaded(game: &Game) -> Self {
        Self::Loaded(Loaded::from_game(game))
    }

    /// A truth value without warnings.
    pub(crate) fn truth(holds: bool) -> Self {
        Self::Truth { holds, warnings: Vec::new() }
    }

    /// The answer as a JSON value. It is made of the text: another serializer would be compiled for every kind of answer.
    pub(crate) fn value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&serde_json::to_string(self).ok()?).ok()
    }

    /// The warnings about the question.
    pub fn warnings(&self) -> &[String] {
        match self {
            Self::Truth { warnings, .. } | Self::Sees { warnings, .. } => warnings,
            Self::Position(position) => &position.warnings,
            Self::Search(search) => &search.warnings,
            Self::Solved(solved) => &solved.warnings,
            Self::Deliberated(deliberated) => &deliberated.warnings,
            Self::CheckedHeuristic(heuristic) => &heuristic.warnings,
            Self::ExplainedEvaluation(evaluation) => &evaluation.warnings,
            Self::Replanned(replanned) => &replanned.warnings,
            Self::Analysed(analysed) => &analysed.warnings,
            Self::Resumed(resumed) => &resumed.position.warnings,
            Self::Solutions(solutions) => &solutions.warnings,
            Self::Explained(explained) => &explained.warnings,
            Self::Timed { answer, .. }
            | Self::Json { answer }
            | Self::Viewed(Viewed { answer, .. })
            | Self::Best(Best { answer, .. }) => answer.warnings(),
            _ => &[],
        }
    }

    /// Whether the answer is negative: false, a query without solutions, or a failed check.
    pub fn is_no(&self) -> bool {
        match self {
            Self::Truth { holds, .. } => !holds,
            Self::Solutions(solutions) => solutions.rows.is_empty(),
            Self::Explained(explained) => !explained.is_as_asked(),
            Self::CheckedPlan(plan) => !plan.is_good(),
            Self::CheckedHeuristic(heuristic) => !heuristic.is_admissible,
            Self::Rules { relations } => relations.is_empty(),
            Self::Timed { answer, .. } | Self::Json { answer } | Self::Viewed(Viewed { answer, .. }) => answer.is_no(),
            _ => false,
        }
    }

    /// The limit that cut the answer off, if one did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        match self {
            Self::Search(search) => search.cut_off(),
            Self::Analysed(analysed) => analysed.cut_off(),
            // A limit ends it, as it ends an analysis.
            Self::Best(best) => best.stopped,
            Self::Deliberated(deliberated) => deliberated.stopped,
            Self::Runs(runs) => runs.stopped,
            Self::Compared(compared) => compared.stopped,
            Self::Tournament(tournament) => tournament.stopped,
            Self::Playouts(playouts) => playouts.stopped,
            Self::Simulated(simulated) => simulated.stopped,
            Self::CheckedPlan(plan) => plan.stopped,
            Self::Replanned(replanned) => replanned.stopped,
            Self::Prospects(prospects) => prospects.stopped(),
            Self::EstimatedTree(estimated) => estimated.stopped,
            Self::ComparedPlans { plans } => plans.iter().find_map(|plan| plan.stopped),
            Self::Tree(counted) => counted.stopped,
            Self::Depths(counted) => counted.stopped,
            Self::Timed { answer, .. } | Self::Json { answer } | Self::Viewed(Viewed { answer, .. }) => {
                answer.stopped()
            }
            _ => None,
        }
    }
}
