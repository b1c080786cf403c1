//! Why a command has no answer.

use super::render::{cost_text, counted_as};
use crate::diagnostic::Diagnostic;
use crate::engine::{AskError, EngineError, FeatureError, LoadError, NoLanes, UnknownEngine};
use crate::game::ReasonError;
use crate::interpreter::QueryError;
use crate::rules::GroundTerm;
use crate::search::{Cost, SearchError, Stop};
use crate::suggestion::alternatives;
use crate::syntax::Source;
use std::io;

/// A command that cannot be carried out, or an expectation that is not met. The session goes on as it was before.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// There is no such command.
    #[error("there is no command `{word}`{}", did_you_mean(near, "; `help` lists the commands"))]
    UnknownCommand {
        /// What was written.
        word: String,
        /// Commands with a similar name.
        near: Vec<&'static str>,
    },
    /// More than one command begins so.
    #[error("`{word}` could be {}", alternatives(candidates))]
    AmbiguousCommand {
        /// What was written.
        word: String,
        /// The commands that begin so.
        candidates: Vec<&'static str>,
    },
    /// The arguments are not what the command takes.
    #[error("{problem} (usage: `{usage}`)")]
    Usage {
        /// What is wrong with them.
        problem: String,
        /// What the command takes.
        usage: String,
    },
    /// A term or a query does not parse.
    #[error("{}", first_message(diagnostics))]
    Syntax {
        /// The text that was parsed.
        text: Source,
        /// What is wrong with it.
        diagnostics: Vec<Diagnostic>,
    },
    /// A role, a move or a fact with a variable in it.
    #[error("`{text}` has a variable in it, where a ground term is needed")]
    NotGround {
        /// What was written.
        text: String,
    },
    /// A game is needed.
    #[error("no game is loaded; `games` lists those of the library, and `load GAME` loads one")]
    NoGame,
    /// A game cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// A sheet cannot be added to the game.
    #[error(transparent)]
    Feature(#[from] FeatureError),
    /// There is no such engine.
    #[error(transparent)]
    UnknownEngine(#[from] UnknownEngine),
    /// The game can have no such engine.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The game cannot be played in lanes.
    #[error(transparent)]
    NoLanes(#[from] NoLanes),
    /// The game has no such role.
    #[error("the game has no role `{name}`{}", did_you_mean(near, "; `roles` lists them"))]
    UnknownRole {
        /// What was written.
        name: String,
        /// Roles with a similar name.
        near: Vec<String>,
    },
    /// A move that is not legal.
    #[error("`{chosen}` is not legal for {role}{}", did_you_mean(near, "; `legal` lists the legal moves"))]
    IllegalMove {
        /// Whose move it would be.
        role: GroundTerm,
        /// The move.
        chosen: GroundTerm,
        /// Legal moves like it.
        near: Vec<String>,
    },
    /// Not as many moves as are needed.
    #[error("{problem}")]
    JointMove {
        /// What is needed.
        problem: String,
    },
    /// A move where the game is over.
    #[error("the game is over; `undo` and `restart` go back")]
    Over,
    /// A game that came from standard input cannot be read again.
    #[error("the game came from standard input, which cannot be read again")]
    OnceOnly,
    /// A file that cannot be read.
    #[error("cannot read {file}: {error}")]
    Unreadable {
        /// Its path.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file that cannot be written.
    #[error("cannot write {file}: {error}")]
    Unwritable {
        /// Its path.
        file: String,
        /// What the system says.
        error: io::Error,
    },
    /// A file that would be lost.
    #[error("{file} is there already, and it is not a saved session; choose another name")]
    Occupied {
        /// Its path.
        file: String,
    },
    /// A file that holds no session, or a damaged one.
    #[error("{file} is not a saved session, or it is damaged: {problem}")]
    NotASession {
        /// Its path.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A session that was played by other rules.
    #[error("{source_name} is not what it was when {file} was saved; `load` loads the game as it is now")]
    GameChanged {
        /// The file of the session.
        file: String,
        /// The rule sheet.
        source_name: String,
    },
    /// Nothing was played that somebody could have seen.
    #[error("nothing has been perceived yet: `sees` is about the last joint move, and there is none")]
    NothingSeen,
    /// Nothing has been played.
    #[error("there is no move to take back")]
    NothingToUndo,
    /// The rules give no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The query has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A search cannot be done.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// A search was stopped before there was an answer.
    #[error("there is no answer: {stop}{}", cost_in_brackets(cost.as_ref()))]
    Stopped {
        /// Why it was stopped.
        stop: Stop,
        /// What it had cost by then, where that is known.
        cost: Option<Cost>,
    },
    /// A search has been through everything and found no end of the game.
    #[error("there is no answer: no line of moves ends the game ({})", counted_as(*nodes, "node", "nodes"))]
    NoEnd {
        /// How many nodes there are.
        nodes: u64,
    },
    /// An answer is not the expected one.
    #[error("expected {expected}, found {found}")]
    Unmet {
        /// What was expected.
        expected: String,
        /// What was answered.
        found: String,
    },
}

impl CommandError {
    /// Arguments that do not fit; `usage` is the command with its arguments.
    pub fn usage(problem: impl Into<String>, usage: impl Into<String>) -> Self {
        Self::Usage { problem: problem.into(), usage: usage.into() }
    }

    /// What is wrong with the sheet or the text, where that is the error.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        match self {
            Self::Syntax { diagnostics, .. }
            | Self::Load(LoadError::Rejected { diagnostics, .. })
            | Self::Feature(FeatureError::Rejected { diagnostics, .. }) => diagnostics,
            _ => &[],
        }
    }

    /// The exit code of a program that ends with this error: 1 an expectation failed, 3 a limit was hit, 130 interrupted, 2
    /// everything else.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Unmet { .. } => 1,
            Self::Reason(error) | Self::Search(SearchError::Reason(error)) | Self::Query(QueryError::Reason(error)) => {
                reason_code(error)
            }
            Self::Engine(error) | Self::Load(LoadError::Engine { error, .. }) => engine_code(error),
            Self::Load(error) => error.reason().map_or(2, |reason| reason_code(&reason)),
            Self::NoLanes(NoLanes::NoEngine(error)) => engine_code(error),
            Self::Feature(error) => error.reason().map_or(2, reason_code),
            Self::Stopped { stop, .. } => stop_code(*stop),
            _ => 2,
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
            error @ (AskError::OneLiteral { .. } | AskError::WrongNumber { .. }) => {
                Self::JointMove { problem: error.to_string() }
            }
        }
    }
}

/// The exit code where there is no engine: the budget did not suffice, or somebody interrupted.
pub fn engine_code(error: &EngineError) -> u8 {
    match error {
        EngineError::Reason(error) => reason_code(error),
        EngineError::Propnet(_) => 3,
    }
}

/// The exit code where an engine has no answer.
pub fn reason_code(error: &ReasonError) -> u8 {
    match error {
        ReasonError::Interrupted => 130,
        ReasonError::Limit { .. } => 3,
        _ => 2,
    }
}

/// The exit code for an answer that a limit cut off.
pub fn stop_code(stop: Stop) -> u8 {
    if stop == Stop::Interrupted { 130 } else { 3 }
}

fn did_you_mean<T: std::fmt::Display>(near: &[T], otherwise: &str) -> String {
    if near.is_empty() { otherwise.to_string() } else { format!("; did you mean {}?", alternatives(near)) }
}

/// What was paid for nothing.
fn cost_in_brackets(cost: Option<&Cost>) -> String {
    cost.map_or(String::new(), |cost| format!(" ({})", cost_text(cost)))
}

fn first_message(diagnostics: &[Diagnostic]) -> &str {
    diagnostics.first().map_or("this does not parse", |diagnostic| diagnostic.message.as_str())
}
