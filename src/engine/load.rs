//! From a name or a text to a game that can be played.

use super::{EngineKind, Origin, OriginError};
use crate::diagnostic::Diagnostic;
use crate::interpreter::{Interpreter, QueryError};
use crate::rules::{self, RuleSet};
use crate::syntax::ast::Sheet;
use crate::syntax::{self, Dialect, Source};
use std::path::Path;
use std::sync::Arc;

/// A game, ready to be asked and played.
pub struct Game {
    /// What it is called: the name in the library, or that of the file.
    pub name: String,
    /// Its text; the spans of everything else point into it.
    pub source: Source,
    /// What was parsed.
    pub sheet: Sheet,
    /// What the engine works from.
    pub rules: Arc<RuleSet>,
    /// What is wrong with the sheet: warnings only.
    pub diagnostics: Vec<Diagnostic>,
    /// Which engine it is.
    pub engine: EngineKind,
    /// The engine.
    pub reasoner: Interpreter,
}

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
    /// The engine cannot be set up.
    #[error("{name} cannot be set up: {error}")]
    Engine {
        /// The game.
        name: String,
        /// Why.
        error: QueryError,
    },
}

/// Loads the game that `name` means ([`Origin::find`]; relative paths start at `directory`), whatever dialect it is in.
pub fn load(name: &str, directory: &Path, engine: EngineKind) -> Result<Game, LoadError> {
    let origin = Origin::find(name, directory)?;
    load_text(origin.game_name(), origin.read()?, None, engine)
}

/// Loads a game from its text, in the dialect that is forced or else recognised from it.
pub fn load_text(
    name: String,
    source: Source,
    dialect: Option<Dialect>,
    engine: EngineKind,
) -> Result<Game, LoadError> {
    let checked = check_text(&source, dialect);
    if checked.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(LoadError::Rejected { source_text: source, diagnostics: checked.diagnostics });
    }
    let rules = Arc::new(checked.rules);
    let reasoner = match engine {
        EngineKind::Interpreter => Interpreter::new(rules.clone()),
    };
    let reasoner = reasoner.map_err(|error| LoadError::Engine { name: name.clone(), error })?;
    Ok(Game { name, source, sheet: checked.sheet, rules, diagnostics: checked.diagnostics, engine, reasoner })
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
    let syntax::Parsed { sheet, errors } = syntax::parse(source, dialect);
    let rules = rules::normalise(&sheet);
    let mut diagnostics = errors;
    if diagnostics.is_empty() {
        diagnostics = rules::check(&sheet, &rules);
    }
    Checked { sheet, rules, diagnostics }
}
