//! The answers of commands, as values, which serde turns into JSON. Each submodule has the answers of a command or a
//! few, with their texts, their warnings, and what `expect` compares: `AnswerContent`.

pub(super) mod analysed;
pub(super) mod best;
mod boards;
mod chance;
pub(crate) mod charted;
pub(super) mod compared;
pub(super) mod content;
pub(super) mod counted;
pub(super) mod deliberated;
mod drawn;
mod estimated;
pub(super) mod evaluated;
pub(super) mod explained;
mod files;
mod game;
mod help;
pub(super) mod judged;
pub(super) mod lesson;
pub(super) mod line_of_play;
pub(super) mod network;
mod node_count;
mod players;
mod position;
mod query;
mod runs;
pub(super) mod sampled;
pub(super) mod search;
mod settings;
pub(super) mod simulated;
mod solved;
mod state;
pub(super) mod text;
pub(super) mod tournament;
mod watched;
mod wrapper;

pub use analysed::AnalysisAnswer;
pub(crate) use analysed::{AnalysedMove, AnalysedValue, AnalysisProgress};
pub use best::BestAnswer;
pub(crate) use best::TriedSearch;
pub use boards::Boards;
pub(crate) use chance::{MeanUtility, PlayoutAnswer, PlayoutsAnswer};
pub(crate) use compared::{
    ComparedRun, ComparisonAnswer, GameEnd, GameRecord, PlayedGame, RunRecord, RunResult, SearchRun,
};
pub(crate) use counted::{CountedDepths, CountedMove, CountedTree};
pub(crate) use deliberated::{DeliberationAnswer, Prospect, Prospects};
pub(crate) use drawn::{DrawnTree, Scene, SceneBoards, Stages, TreeFormat, estimate_text};
pub(crate) use estimated::{EstimatedLayers, EstimatedTree};
pub(crate) use evaluated::{EvaluatedRole, ExplainedEvaluation, FeatureGroup, ReplanAnswer, ReplannedStep};
pub(crate) use explained::{Dependencies, ExplanationAnswer, ListedClause, ListedRelation, ListedRules};
pub(crate) use files::{FilmFiles, SavedMatchFile, SavedRulesFile};
pub(crate) use game::{CheckAnswer, GameEntry, GameInfo, LibraryGames, LoadedGame, ResumedMatch};
pub use help::{Example, Help, HelpEntry, HelpGroup, HelpOptions, OptionEntry};
pub(crate) use judged::{CheckedHeuristic, CheckedPlan, ComparedPlans, WrongEstimate};
pub use network::NetworkPart;
pub(crate) use players::{ListedPlayer, ListedPlayers};
pub use position::{History, RoleMove};
pub(crate) use position::{MatchPly, MatchPosition, StateChange, role_moves};
pub(crate) use query::{QuerySolutions, TruthValue};
pub(crate) use runs::{Run, Runs, ShownPlan, ShownStep};
pub use sampled::SampledChoice;
pub(crate) use sampled::SampledMove;
pub(crate) use search::{
    AllStates, Assumption, CostUnit, EventTrace, Found, Narration, NodePosition, RoleWorth, SearchAnswer, Substitute,
};
pub(crate) use settings::{BoardSetting, DialectSetting, EngineSetting, SeedSetting};
pub(crate) use simulated::SimulationAnswer;
pub(crate) use solved::{ExpectedWorths, SolveAnswer, Worths};
pub use state::StateFacts;
pub(crate) use state::{
    FenLine, GoalPart, GoalValue, GoalValues, LegalMoves, LegalMovesOfRoles, Percepts, PerceptsOfRoles, RoleNames,
};
pub use tournament::Tournament;
pub(crate) use tournament::{interval, share};
pub(crate) use watched::WatchAnswer;
pub use wrapper::{JsonAnswer, TimedAnswer, ViewedAnswer, WarnedAnswer};
use wrapper::{MetExpectation, NoContent};

use crate::engine::Game;
use crate::limits::Stop;
use crate::repl::lesson::LessonReply;
use content::AnswerContent;
pub use content::AnswerView;
pub use line_of_play::LineMove;
pub use node_count::NodeCount;
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
    Games(LibraryGames),
    /// A game has been loaded.
    Loaded(LoadedGame),
    /// A match has been restored: its game was loaded again, and its plies were repeated.
    Resumed(ResumedMatch),
    /// A line of play has been drawn.
    Filmed(FilmFiles),
    /// The match has been written to a file.
    Saved(SavedMatchFile),
    /// The rules have been written to a file.
    SavedRules(SavedRulesFile),
    /// A description of the loaded game.
    Info(GameInfo),
    /// The problems of the loaded rule sheet.
    Checked(CheckAnswer),
    /// The roles, in the order of joint moves.
    Roles(RoleNames),
    /// The facts of a state, in canonical order.
    State(StateFacts),
    /// A state drawn as boards.
    Boards(Boards),
    /// The position after a command that moved the match.
    Position(MatchPosition),
    /// The steps that led to the current position.
    History(History),
    /// A random line of play.
    Playout(PlayoutAnswer),
    /// The results of many random games, one at a time.
    Playouts(PlayoutsAnswer),
    /// The results of many random games in lanes.
    Simulated(SimulationAnswer),
    /// The dialect in which the terms of answers are written.
    Format(DialectSetting),
    /// Whether positions are drawn when they change.
    BoardSetting(BoardSetting),
    /// The players of matches.
    Players(ListedPlayers),
    /// A state as a line that `set board` takes.
    Fen(FenLine),
    /// The positions of a line of play, one after another.
    Watched(WatchAnswer),
    /// The seed of random play.
    Seed(SeedSetting),
    /// The percepts of some roles after the last joint move.
    Sees(PerceptsOfRoles),
    /// The legal moves of some roles.
    Legal(LegalMovesOfRoles),
    /// The goal values of some roles in the state.
    Goal(GoalValues),
    /// The truth value of a literal or a query.
    Truth(TruthValue),
    /// All solutions of a query with variables.
    Solutions(QuerySolutions),
    /// The result of a search.
    Search(SearchAnswer),
    /// The results and costs of several algorithms.
    Compared(ComparisonAnswer),
    /// The results of games between searches.
    Tournament(Tournament),
    /// What deliberation costs, step by step.
    Deliberated(DeliberationAnswer),
    /// What a state and each of its moves are worth.
    Prospects(Prospects),
    /// Several runs of a search in random order.
    Runs(Runs),
    /// A plan step by step.
    ShownPlan(ShownPlan),
    /// The result of checking a plan.
    CheckedPlan(CheckedPlan),
    /// The results of checking several plans.
    ComparedPlans(ComparedPlans),
    /// The result of checking a heuristic.
    CheckedHeuristic(CheckedHeuristic),
    /// The size of a tree, estimated from random games.
    EstimatedTree(EstimatedTree),
    /// The number of nodes of a tree with given branching factors.
    EstimatedLayers(EstimatedLayers),
    /// The features of a state.
    ExplainedEvaluation(ExplainedEvaluation),
    /// A player that searches again at every step.
    Replanned(ReplanAnswer),
    /// Why a literal holds or fails.
    Explained(ExplanationAnswer),
    /// Facts and rules of the rule sheet.
    Rules(ListedRules),
    /// What relations depend on, and what depends on them.
    Depends(Dependencies),
    /// A part of the propositional network.
    Network(NetworkPart),
    /// A game that has been solved.
    Solved(SolveAnswer),
    /// The size of the game tree.
    Tree(CountedTree),
    /// The number of nodes of the game tree at each depth.
    Depths(CountedDepths),
    /// The engine that plays and searches.
    Engine(EngineSetting),
    /// An answer with the time that it took.
    Timed(TimedAnswer),
    /// An answer that is shown as a JSON object.
    Json(JsonAnswer),
    /// An analysis of the position.
    Analysed(AnalysisAnswer),
    /// The answer of the search that fits the kind of game.
    Best(BestAnswer),
    /// An expectation that was met.
    #[serde(rename = "met")]
    AsExpected,
    /// An answer with warnings for which it has no place of its own.
    #[serde(untagged)]
    Warned(WarnedAnswer),
    /// An answer whose text shows what options of the command ask for.
    #[serde(untagged)]
    Viewed(ViewedAnswer),
}

impl Answer {
    /// Describes a game that has been loaded.
    pub(crate) fn loaded(game: &Game) -> Self {
        Self::Loaded(LoadedGame::from_game(game))
    }

    /// A truth value without warnings.
    pub(crate) fn truth(holds: bool) -> Self {
        Self::Truth(TruthValue { holds, warnings: Vec::new() })
    }

    /// The same answer with a further warning about the question.
    pub(crate) fn warned(mut self, warning: String) -> Self {
        match &mut self {
            Self::Search(answer) => answer.warnings.push(warning),
            Self::Solved(answer) => answer.warnings.push(warning),
            Self::Analysed(answer) => answer.warnings.push(warning),
            _ => {
                let warnings = self.warnings().iter().cloned().chain([warning]).collect();
                return Self::Warned(WarnedAnswer { answer: Box::new(self), warnings });
            }
        }
        self
    }

    /// The answer as a JSON value. It is made of the text: another serializer would be compiled for every kind of
    /// answer.
    pub(crate) fn value(&self) -> Option<serde_json::Value> {
        serde_json::from_str(&serde_json::to_string(self).ok()?).ok()
    }

    /// The warnings about the question.
    pub fn warnings(&self) -> &[String] {
        self.content().warnings()
    }

    /// Whether the answer is negative: false, a query without solutions, or a failed check.
    pub fn is_no(&self) -> bool {
        self.content().is_no()
    }

    /// The limit that cut the answer off, if one did.
    pub(crate) fn stopped(&self) -> Option<Stop> {
        self.content().stopped()
    }

    /// The content of this kind of answer.
    pub(crate) fn content(&self) -> &dyn AnswerContent {
        match self {
            Self::Nothing | Self::Quit => &NoContent,
            Self::Help(it) => it,
            Self::Lesson(it) => it,
            Self::Games(it) => it,
            Self::Loaded(it) => it,
            Self::Resumed(it) => it,
            Self::Filmed(it) => it,
            Self::Saved(it) => it,
            Self::SavedRules(it) => it,
            Self::Info(it) => it,
            Self::Checked(it) => it,
            Self::Roles(it) => it,
            Self::State(it) => it,
            Self::Boards(it) => it,
            Self::Position(it) => it,
            Self::History(it) => it,
            Self::Playout(it) => it,
            Self::Playouts(it) => it,
            Self::Simulated(it) => it,
            Self::Format(it) => it,
            Self::BoardSetting(it) => it,
            Self::Players(it) => it,
            Self::Fen(it) => it,
            Self::Watched(it) => it,
            Self::Seed(it) => it,
            Self::Sees(it) => it,
            Self::Legal(it) => it,
            Self::Goal(it) => it,
            Self::Truth(it) => it,
            Self::Solutions(it) => it,
            Self::Search(it) => it,
            Self::Compared(it) => it,
            Self::Tournament(it) => it,
            Self::Deliberated(it) => it,
            Self::Prospects(it) => it,
            Self::Runs(it) => it,
            Self::ShownPlan(it) => it,
            Self::CheckedPlan(it) => it,
            Self::ComparedPlans(it) => it,
            Self::CheckedHeuristic(it) => it,
            Self::EstimatedTree(it) => it,
            Self::EstimatedLayers(it) => it,
            Self::ExplainedEvaluation(it) => it,
            Self::Replanned(it) => it,
            Self::Explained(it) => it,
            Self::Rules(it) => it,
            Self::Depends(it) => it,
            Self::Network(it) => it,
            Self::Solved(it) => it,
            Self::Tree(it) => it,
            Self::Depths(it) => it,
            Self::Engine(it) => it,
            Self::Timed(it) => it,
            Self::Json(it) => it,
            Self::Analysed(it) => it,
            Self::Best(it) => it,
            Self::AsExpected => &MetExpectation,
            Self::Warned(it) => it,
            Self::Viewed(it) => it,
        }
    }
}
