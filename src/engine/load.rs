//! From a name or a text to a game that can be played.

use super::{EngineError, EngineKind, EngineOptions, Game, Origin, OriginError};
use crate::diagnostic::Diagnostic;
use crate::game::ReasonError;
use crate::interpreter::QueryError;
use crate::limits::{Limits, Stopped};
use crate::propnet::{CompiledGame, Program};
use crate::rules::{self, RuleSet};
use crate::syntax::ast::Sheet;
use crate::syntax::{self, Dialect, Source};
use std::path::Path;

/// Why there is no game.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no text.
    #[error(transparent)]
    Origin(#[from] OriginError),
    /// The text breaks the restrictions of GDL.
    #[error("{} is not a valid rule sheet: {}", source_text.name(), crate::diagnostic::render::count(diagnostics))]
    Rejected {
        /// The text.
        source_text: Source,
        /// All that is wrong with it, warnings included.
        diagnostics: Vec<Diagnostic>,
    },
    /// A limit of [`EngineOptions::limits`] was met.
    #[error("{name} is not loaded: {stopped}")]
    Stopped {
        /// The game.
        name: String,
        /// Which limit.
        stopped: Stopped,
    },
    /// The rules cannot be interpreted.
    #[error("{name} cannot be set up: {error}")]
    Interpreter {
        /// The game.
        name: String,
        /// Why.
        error: QueryError,
    },
    /// A compiled network that does not belong to the rule sheet beside it.
    #[error("the compiled network of {name} does not belong to its rule sheet: {what} differ; compile the game again")]
    OtherGame {
        /// The game.
        name: String,
        /// What differs, in the plural.
        what: &'static str,
    },
    /// There is no engine of the kind that was asked for.
    #[error("{name}: {error}")]
    Engine {
        /// The game.
        name: String,
        /// Why.
        error: EngineError,
    },
}

impl LoadError {
    /// The interrupt or the limit that is the reason, if one is.
    pub fn reason(&self) -> Option<ReasonError> {
        match self {
            Self::Stopped { stopped, .. } => Some((*stopped).into()),
            Self::Interpreter { error: QueryError::Reason(error), .. }
            | Self::Engine { error: EngineError::Reason(error), .. } => Some(error.clone()),
            _ => None,
        }
    }
}

/// Loads the game that `name` means ([`Origin::find`]; relative paths start at `directory`), whatever dialect it is in.
///
/// An engine that was asked for by name is set up now; where any will do, when it is first needed ([`Game::engine`]).
pub fn load(name: &str, directory: &Path, engine: impl Into<EngineOptions>) -> Result<Game, LoadError> {
    let origin = Origin::find(name, directory)?;
    match origin.open()? {
        (source, None) => load_text(origin.game_name(), source, None, engine),
        (source, Some(CompiledGame { name, program, .. })) => {
            assemble(name, source, None, engine.into(), Some(program))
        }
    }
}

/// Loads a game from its text, in the dialect that is forced or else recognised from it.
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

/// A sheet that has been parsed and checked, whatever was found.
pub struct Checked {
    /// What could be parsed.
    pub sheet: Sheet,
    /// Its rules.
    pub rules: RuleSet,
    /// All problems, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses and checks a text. Where it does not parse, its rules are not checked: what is missing would only confuse.
pub fn check_text(source: &Source, dialect: Option<Dialect>) -> Checked {
    check_text_within(source, dialect, &Limits::none()).expect("nothing stops it")
}

/// As [`check_text`], within limits.
///
/// # Errors
/// Where the interrupt or the deadline of the limits ends the work.
pub fn check_text_within(source: &Source, dialect: Option<Dialect>, limits: &Limits) -> Result<Checked, Stopped> {
    let syntax::Parsed { sheet, errors } = syntax::parse_within(source, dialect, limits)?;
    let rules = rules::normalise_within(&sheet, limits)?;
    let mut diagnostics = errors;
    if diagnostics.is_empty() {
        diagnostics = rules::check_within(&sheet, &rules, limits)?;
    }
    Ok(Checked { sheet, rules, diagnostics })
}
