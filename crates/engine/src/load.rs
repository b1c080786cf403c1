//! Loading a game from a name or a text.

use super::{EngineError, EngineKind, EngineOptions, Game, GameOrigin, GameOriginError};
use crate::interpreter::QueryError;
use crate::program::Program;
use crate::propnet::CompiledGame;
use gdl::diagnostic::Diagnostic;
use gdl::limits::Stop;
use gdl::rules::check_text_within;
use gdl::syntax::{Dialect, Source};
use ggp_game::ReasonError;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The text cannot be read.
    #[error(transparent)]
    Origin(#[from] GameOriginError),
    /// The text violates the restrictions of GDL.
    #[error("{} is not a valid rule sheet: {}", source_text.name(), gdl::diagnostic::render::count(diagnostics))]
    Rejected {
        /// The text of the rule sheet.
        source_text: Source,
        /// All problems of the rule sheet, warnings included.
        diagnostics: Vec<Diagnostic>,
    },
    /// A limit of [`EngineOptions::limits`] was reached.
    #[error("{name} was not loaded: {stopped}")]
    Stopped {
        /// The name of the game.
        name: String,
        /// The limit that was reached.
        stopped: Stop,
    },
    /// The rules cannot be interpreted.
    #[error("{name} cannot be set up: {error}")]
    Interpreter {
        /// The name of the game.
        name: String,
        /// Why the interpreter cannot be set up.
        error: QueryError,
    },
    /// The compiled network does not belong to the rule sheet in the same file.
    #[error("the compiled network of {name} does not belong to its rule sheet: {what} differ; compile the game again")]
    OtherGame {
        /// The name of the game.
        name: String,
        /// What differs, in the plural.
        what: &'static str,
    },
    /// The selected engine cannot be set up.
    #[error("{name}: {error}")]
    Engine {
        /// The name of the game.
        name: String,
        /// Why the engine cannot be set up.
        error: EngineError,
    },
}

impl LoadError {
    /// The text and its problems, if it is a rule sheet or a tree that is not valid.
    pub fn problems(&self) -> Option<(&Source, &[Diagnostic])> {
        match self {
            Self::Rejected { source_text, diagnostics }
            | Self::Origin(GameOriginError::NoTree { source_text, diagnostics, .. }) => {
                Some((source_text, diagnostics))
            }
            _ => None,
        }
    }

    /// The interrupt or limit, if that is the cause.
    pub fn reason(&self) -> Option<ReasonError> {
        match self {
            Self::Stopped { stopped, .. } => Some((*stopped).into()),
            Self::Interpreter { error: QueryError::Reason(error), .. }
            | Self::Engine { error: EngineError::Reason(error), .. } => Some(error.clone()),
            _ => None,
        }
    }
}

impl Game {
    /// Loads a game of the library ([`super::LIBRARY`]) by its name: `tic_tac_toe`. The engine is chosen, and set up,
    /// when it is first needed.
    ///
    /// # Errors
    /// If the library has no such game; the error names games like it.
    pub fn library(name: &str) -> Result<Self, LoadError> {
        load_origin(&GameOrigin::find_game(name)?, EngineOptions::default())
    }

    /// Loads the rule sheet, in either dialect, or the compiled game in a file.
    ///
    /// # Errors
    /// If the file cannot be read, or violates the restrictions of GDL ([`LoadError::Rejected`] has all problems, with
    /// positions).
    pub fn open(path: impl Into<PathBuf>) -> Result<Self, LoadError> {
        load_origin(&GameOrigin::File(path.into()), EngineOptions::default())
    }

    /// Loads a game from the text of its rules, in either dialect. It is called `game`.
    ///
    /// # Errors
    /// If the text violates the restrictions of GDL ([`LoadError::Rejected`] has all problems, with positions).
    pub fn from_text(text: impl Into<String>) -> Result<Self, LoadError> {
        load_text("game".to_string(), Source::new("game", text), None, EngineOptions::default())
    }
}

/// Loads the game called `name` ([`GameOrigin::find`]; relative paths start at `directory`), in either dialect.
///
/// An engine selected by name is set up now; with [`EngineKind::Auto`] when it is first needed ([`Game::engine`]).
pub fn load(name: impl AsRef<OsStr>, directory: &Path, engine: impl Into<EngineOptions>) -> Result<Game, LoadError> {
    load_origin(&GameOrigin::find(name, directory)?, engine.into())
}

/// Loads a game of the library, or a tree typed as brackets.
pub fn load_from_library(name: &str, engine: EngineOptions) -> Result<Game, LoadError> {
    load_origin(&GameOrigin::find_game(name)?, engine)
}

fn load_origin(origin: &GameOrigin, options: EngineOptions) -> Result<Game, LoadError> {
    match origin.open(options.input)? {
        (source, None) => load_text(origin.game_name(), source, None, options),
        (source, Some(CompiledGame { name, program, .. })) => assemble(name, source, None, options, Some(program)),
    }
}

/// Loads a game from its text, in the given dialect or, without one, in the dialect that is recognised.
pub fn load_text(
    name: String,
    source: Source,
    dialect: Option<Dialect>,
    engine: impl Into<EngineOptions>,
) -> Result<Game, LoadError> {
    assemble(name, source, dialect, engine.into(), None)
}

fn assemble(
    name: String,
    source: Source,
    dialect: Option<Dialect>,
    options: EngineOptions,
    compiled: Option<Program>,
) -> Result<Game, LoadError> {
    let stopped = |stopped| LoadError::Stopped { name: name.clone(), stopped };
    let checked = check_text_within(&source, dialect, &options.limits).map_err(stopped)?;
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Rejected { source_text: source, diagnostics: checked.diagnostics });
    }
    let mut game = Game::new(name.clone(), source, checked, options, compiled)
        .map_err(|error| LoadError::Interpreter { name: name.clone(), error })?;
    match game.foreign_network() {
        Ok(None) => {}
        Ok(Some(what)) => return Err(LoadError::OtherGame { name, what }),
        Err(error) => return Err(LoadError::Engine { name, error: error.into() }),
    }
    if game.options().kind != EngineKind::Auto {
        game.engine().map_err(|error| LoadError::Engine { name, error })?;
    }
    Ok(game)
}
