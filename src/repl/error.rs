//! Errors of commands, and their exit codes.

use super::answer::text::cost_text;
use super::course::TaskError;
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::quantity::counted_as;
use gdl::rules::GroundTerm;
use gdl::settings::SettingMistake;
use gdl::suggestion::{alternatives, did_you_mean_or};
use gdl::syntax::{Source, Span};
use ggp_engine::interpreter::QueryError;
use ggp_engine::{AskError, EngineError, FeatureError, GameOriginError, LoadError, NoLanes, UnknownEngine};
use ggp_game::ReasonError;
use ggp_game::files::is_too_large;
use ggp_play::NetworkReadError;
use ggp_play::ask::{ApproachError, PredictorError};
use ggp_search::solving::SolvingError;
use ggp_search::{Cost, SearchError};
use std::io;
use std::ops::Range;

/// Error of a command, or an expectation that was not met. The session is as it was before the command.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no command of this name.
    #[error("there is no command `{word}`{}", did_you_mean_or(near, "; `help` lists the commands"))]
    UnknownCommand {
        /// The word that is not a command.
        word: String,
        /// Commands with a similar name.
        near: Vec<&'static str>,
    },
    /// Several commands begin with the word.
    #[error("`{word}` could be {}", alternatives(candidates))]
    AmbiguousCommand {
        /// The word with several completions.
        word: String,
        /// The commands that begin with it.
        candidates: Vec<&'static str>,
    },
    /// The arguments do not have the form that the command needs.
    #[error("{problem} (usage: `{usage}`)")]
    Usage {
        /// The mistake.
        problem: String,
        /// The command with its arguments.
        usage: String,
    },
    /// A term or a query cannot be parsed.
    #[error("{}", first_message(diagnostics))]
    Syntax {
        /// The text that was parsed.
        text: Source,
        /// The problems of the text.
        diagnostics: Vec<Diagnostic>,
    },
    /// A part of the typed text is wrong, in a way that the grammar does not tell.
    #[error("{problem}")]
    Mistyped {
        /// The text that was read.
        text: Source,
        /// The wrong part.
        span: Span,
        /// The mistake.
        problem: String,
        /// The right form, if there is one to show.
        help: Option<String>,
    },
    /// Charts are asked of the library in a browser.
    #[error("charts are not drawn in a browser; the program `ggp` draws them")]
    NoCharts,
    /// The command needs a game.
    #[error("no game is loaded; `games` lists those of the library, and `load GAME` loads one")]
    NoGame,
    /// The game cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The files of `ggp solve` cannot be used.
    #[error(transparent)]
    Database(#[from] SolvingError),
    /// The sheet cannot be added to the game.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// The model of the opponents cannot be set up.
    #[error(transparent)]
    Predictor(PredictorError),
    /// There is no network for the game.
    #[error(transparent)]
    Network(#[from] NetworkReadError),
    /// There is no engine of this name.
    #[error(transparent)]
    UnknownEngine(#[from] UnknownEngine),
    /// The engine cannot be set up for the game.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game cannot be played in lanes.
    #[error(transparent)]
    NoLanes(#[from] NoLanes),
    /// The game has no role of this name.
    #[error("the game has no role `{name}`{}", did_you_mean_or(near, "; `roles` lists them"))]
    UnknownRole {
        /// The name that is not a role's.
        name: String,
        /// Roles with a similar name.
        near: Vec<String>,
    },
    /// The move is not legal.
    #[error("`{chosen}` is not legal for {role}{}", did_you_mean_or(near, "; `legal` lists the legal moves"))]
    IllegalMove {
        /// The role for which the move is not legal.
        role: GroundTerm,
        /// The move that is not legal.
        chosen: GroundTerm,
        /// Legal moves with a similar text.
        near: Vec<String>,
    },
    /// The command does not fit the current state of the session: its moves, its match or its rules.
    #[error("{problem}")]
    Refused {
        /// The reason, and what to do instead if there is something.
        problem: String,
    },
    /// The command needs a state that is not terminal.
    #[error("the game is over; `undo` and `restart` go back")]
    Over,
    /// The session reads no files.
    #[error("files of this machine are not read here; games and heuristics of the library are known by name")]
    NoFiles,
    /// A game from standard input cannot be read again.
    #[error("the game came from standard input, which cannot be read again")]
    OnceOnly,
    /// A file cannot be read.
    #[error("cannot read {file}: {error}")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file cannot be written.
    #[error("cannot write {file}: {error}")]
    Unwritable {
        /// The path of the file.
        file: String,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A file that is kept has other contents than a command has found.
    #[error("{file} is kept, and differs from line {line} on; `ggp run --output FOLDER` writes new files")]
    Differs {
        /// The path of the file.
        file: String,
        /// The first line that differs, from 1.
        line: usize,
    },
    /// The file is not a saved session, or it is damaged.
    #[error("{file} is not a saved match, or it is damaged: {problem}")]
    NotASession {
        /// The path of the file.
        file: String,
        /// The mistake in the file.
        problem: String,
    },
    /// The rule sheet has changed since the session was saved.
    #[error("{source_name} has changed since {file} was saved; `load` loads the current version")]
    GameChanged {
        /// The file of the session.
        file: String,
        /// The name of the rule sheet.
        source_name: String,
    },
    /// The rules give no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The query has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A limit stopped a query about rules of which one builds terms without a bound.
    #[error("{error}; {rule}, so there may be no end of answers")]
    Endless {
        /// The limit that was reached.
        error: Box<ReasonError>,
        /// The problem of the rule, with its line.
        rule: String,
    },
    /// The search cannot be carried out.
    #[error("{0}{hint}", hint = search_for_others(.0))]
    Search(SearchError),
    /// A search has met an end of the game for which the rules give a role no usable goal value, or a state in which a
    /// role has no legal move.
    #[error("{error}\n{account}")]
    FaultyEnd {
        /// The goal value or the move that the rules do not give.
        error: Box<ReasonError>,
        /// The moves that lead to the state, its facts, and the rules that fail there.
        account: String,
    },
    /// A limit stopped the search before it had an answer.
    #[error("there is no answer: {stop}{}", cost_in_brackets(cost.as_deref()))]
    Stopped {
        /// The limit that was reached.
        stop: Stop,
        /// The cost so far, if it is known; in a box, so that errors stay small.
        cost: Option<Box<Cost>>,
    },
    /// A limit stopped a search of several players before it had searched a first move to its end.
    #[error("no first move was searched to its end: {stop} ({}){hint}", cost_text(cost))]
    NoMoveFinished {
        /// The limit that was reached.
        stop: Stop,
        /// The cost so far.
        cost: Box<Cost>,
        /// Advice; empty, or a clause after a semicolon.
        hint: &'static str,
    },
    /// A search has visited the whole tree without finding a terminal state.
    #[error("there is no answer: no line of moves ends the game, since states repeat ({})", counted_as(cost.nodes, "node", "nodes"))]
    NoEnd {
        /// The cost of the search.
        cost: Cost,
    },
    /// An answer differs from the expected one.
    #[error("expected {expected}, found {found}")]
    Unmet {
        /// The expected value, as text.
        expected: String,
        /// The value of the answer.
        found: String,
    },
}

impl From<TaskError> for CommandError {
    fn from(TaskError { file, mistake }: TaskError) -> Self {
        let SettingMistake { span, problem, help } = mistake;
        Self::Mistyped { text: file, span, problem, help }
    }
}

impl CommandError {
    /// The error for invalid arguments; `usage` is the command with its arguments.
    pub(crate) fn usage(problem: impl Into<String>, usage: impl Into<String>) -> Self {
        Self::Usage { problem: problem.into(), usage: usage.into() }
    }

    /// The error for a command that does not fit the current state of the session.
    pub(crate) fn refused(problem: impl Into<String>) -> Self {
        Self::Refused { problem: problem.into() }
    }

    /// The error of a search that has found nothing: a limit stopped it, or no line of moves ends the game.
    pub(crate) fn without_answer(stopped: Option<Stop>, cost: Cost) -> Self {
        match stopped {
            Some(stop) => Self::Stopped { stop, cost: Some(Box::new(cost)) },
            None => Self::NoEnd { cost },
        }
    }

    /// The error for a part of a text, given as bytes.
    pub(crate) fn mistyped(text: &str, part: Range<usize>, problem: impl Into<String>, help: Option<String>) -> Self {
        let span = Span::new(part.start, part.end);
        Self::Mistyped { text: Source::new("input", text), span, problem: problem.into(), help }
    }

    /// The same error with positions in the whole line, if it is about a part of the line.
    pub(crate) fn in_line(mut self, line: &str) -> Self {
        let (text, spans): (_, Vec<&mut Span>) = match &mut self {
            Self::Syntax { text, diagnostics } => {
                let spans = diagnostics.iter_mut().flat_map(|diagnostic| {
                    let labels = diagnostic.labels.iter_mut().map(|label| &mut label.span);
                    let edits = diagnostic.fix.iter_mut().flat_map(|fix| &mut fix.edits);
                    labels.chain(edits.map(|edit| &mut edit.span))
                });
                (text, spans.collect())
            }
            Self::Mistyped { text, span, .. } => (text, vec![span]),
            _ => return self,
        };
        // The text of an operand ends the line, unless options follow it.
        if let Some(before) = line.rfind(text.text()) {
            spans.into_iter().for_each(|span| *span = span.after(before));
            *text = Source::new(text.name(), line);
        }
        self
    }

    /// The column of a line at which the error is, if it is about a part of the line, from 1, in characters.
    pub(crate) fn column(&self, line: &str) -> Option<u32> {
        let (text, span) = match self {
            Self::Syntax { text, diagnostics } => (text, diagnostics.first()?.labels.first()?.span),
            Self::Mistyped { text, span, .. } => (text, *span),
            _ => return None,
        };
        (text.text() == line).then(|| text.position(span.start).column)
    }

    /// The problems of the rule sheet or text, if they are the error.
    pub(crate) fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Syntax { diagnostics, .. }
            | Self::Load(
                LoadError::Rejected { diagnostics, .. }
                | LoadError::Origin(GameOriginError::NoTree { diagnostics, .. }),
            )
            | Self::Feature(FeatureError::Rejected { diagnostics, .. }) => diagnostics,
            _ => &[],
        }
    }

    /// The limit that left no answer, if that is the error.
    pub(crate) fn stop(&self) -> Option<Stop> {
        match self {
            Self::Stopped { stop, .. } | Self::NoMoveFinished { stop, .. } => Some(*stop),
            Self::Reason(error) | Self::Query(QueryError::Reason(error)) => error.stop(),
            Self::Endless { error, .. } => error.stop(),
            _ => None,
        }
    }

    /// The exit code of a program that ends with this error: 1 for a failed expectation, 3 for a limit, 130 for an
    /// interrupt, otherwise 2.
    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            // A failed expectation is the result of a test, and no mistake in the command.
            Self::Unmet { .. } | Self::Differs { .. } => 1,
            Self::Unreadable { error, .. } => input_code(error),
            Self::Reason(error) | Self::Search(SearchError::Reason(error)) | Self::Query(QueryError::Reason(error)) => {
                reason_code(error)
            }
            Self::Endless { error, .. } => reason_code(error),
            Self::Engine(error) => engine_code(error),
            Self::Load(error) => load_code(error),
            Self::NoLanes(error) => lanes_code(error),
            Self::Feature(FeatureError::Origin(error)) => origin_code(error),
            Self::Feature(error) => error.reason().map_or(2, reason_code),
            Self::Predictor(PredictorError::Unreadable { error, .. }) => input_code(error),
            Self::Network(NetworkReadError::File { error, .. }) => input_code(error),
            Self::Stopped { stop, .. } | Self::NoMoveFinished { stop, .. } => stop_code(*stop),
            _ => 2,
        }
    }
}

/// A limit that is met before a search begins leaves it without an answer, as one that is met later may.
impl From<ApproachError> for CommandError {
    fn from(error: ApproachError) -> Self {
        match error {
            ApproachError::Move(error) => Self::refused(error.to_string()),
            ApproachError::Reason(error) => error.into(),
        }
    }
}

impl From<SearchError> for CommandError {
    fn from(error: SearchError) -> Self {
        let stop = if let SearchError::Reason(error) = &error { error.stop() } else { None };
        stop.map_or(Self::Search(error), |stop| Self::Stopped { stop, cost: None })
    }
}

impl From<PredictorError> for CommandError {
    fn from(error: PredictorError) -> Self {
        match error {
            PredictorError::Evaluation(error) => Self::Feature(error),
            error => Self::Predictor(error),
        }
    }
}

impl From<AskError> for CommandError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Syntax { text, diagnostics } => Self::Syntax { text, diagnostics },
            AskError::UnknownRole { name, near } => Self::UnknownRole { name, near },
            AskError::IllegalMove { role, chosen, near } => Self::IllegalMove { role, chosen, near },
            AskError::Over => Self::Over,
            AskError::Query(error) => Self::Query(error),
            AskError::Reason(error) => Self::Reason(error),
            error @ (AskError::OneLiteral { .. } | AskError::WrongNumber { .. }) => Self::refused(error.to_string()),
        }
    }
}

/// The search that is for the games that another is not for.
fn search_for_others(error: &SearchError) -> &'static str {
    match error {
        SearchError::NotOneRole { roles: 2 } => {
            "; `minimax` is for two opponents, `expectimax` for one player and `random`"
        }
        SearchError::NotOneRole { .. } => "; `maxn` is for several players",
        _ => "",
    }
}

/// The exit code if an engine cannot be set up: the budget was too small, or the work was interrupted.
pub(crate) fn engine_code(error: &EngineError) -> u8 {
    match error {
        EngineError::Reason(error) => reason_code(error),
        EngineError::Propnet(_) => 3,
    }
}

/// The exit code if a game cannot be played in lanes.
pub(crate) fn lanes_code(error: &NoLanes) -> u8 {
    if let NoLanes::NoEngine(error) = error { engine_code(error) } else { 2 }
}

/// The exit code if a game cannot be loaded.
pub(crate) fn load_code(error: &LoadError) -> u8 {
    match error {
        LoadError::Origin(error) => origin_code(error),
        LoadError::Engine { error, .. } => engine_code(error),
        error => error.reason().map_or(2, |reason| reason_code(&reason)),
    }
}

/// The exit code if a rule sheet cannot be read.
pub(crate) fn origin_code(error: &GameOriginError) -> u8 {
    if let GameOriginError::Unreadable { error, .. } = error { input_code(error) } else { 2 }
}

/// The exit code if a file cannot be read: it may be larger than the limit.
pub(crate) fn input_code(error: &io::Error) -> u8 {
    if is_too_large(error) { 3 } else { 2 }
}

/// The exit code if an engine has no answer.
pub(crate) fn reason_code(error: &ReasonError) -> u8 {
    match error {
        ReasonError::Stopped(stop) => stop_code(*stop),
        _ => 2,
    }
}

/// The exit code for an answer that a limit cut off.
pub(crate) fn stop_code(stop: Stop) -> u8 {
    if stop == Stop::Interrupted { 130 } else { 3 }
}

/// The cost of a search without an answer, in parentheses.
fn cost_in_brackets(cost: Option<&Cost>) -> String {
    cost.map_or(String::new(), |cost| format!(" ({})", cost_text(cost)))
}

fn first_message(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("this cannot be parsed", |diagnostic| diagnostic.message.as_str())
}
