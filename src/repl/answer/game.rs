//! Answers about commands, games and rule sheets.

use super::MatchPosition;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::to_json;
use crate::engine::{EngineKind, Game};
use crate::game::Reasoner;
use crate::rules::GroundTerm;
use crate::search::Survey;
use crate::syntax::{Dialect, Source};
use serde::{Serialize, Serializer};

/// A game of the library.
#[derive(Clone, Debug, Serialize)]
pub struct GameEntry {
    /// The name by which it is loaded.
    pub(crate) name: &'static str,
    /// A description in one sentence.
    pub(crate) summary: &'static str,
}

/// A game that has been loaded.
#[derive(Clone, Debug, Serialize)]
pub struct Loaded {
    /// The name of the game.
    pub(crate) game: String,
    /// The roles, in the order of joint moves.
    pub(crate) roles: Vec<GroundTerm>,
    /// The number of facts and rules.
    pub(crate) clauses: usize,
    /// The number of warnings about the rule sheet.
    pub(crate) warnings: usize,
}

/// A match that has been restored.
#[derive(Clone, Debug, Serialize)]
pub struct Resumed {
    /// The game of the match.
    #[serde(flatten)]
    pub(crate) loaded: Loaded,
    /// The position that has been reached again.
    pub(crate) position: MatchPosition,
}

/// The description of a game.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// The name of the game.
    pub(crate) game: String,
    /// The origin of the text.
    pub(crate) source: String,
    /// The dialect of the rule sheet.
    pub(crate) dialect: Dialect,
    /// The engine that was requested.
    pub(crate) engine: EngineKind,
    /// The engine that plays and searches, if it has been set up.
    pub(crate) engine_in_use: Option<EngineKind>,
    /// The passes that were left out of the network, since they changed the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) left_out: Vec<String>,
    /// The roles, in the order of joint moves.
    pub(crate) roles: Vec<GroundTerm>,
    /// The number of clauses without a body.
    pub(crate) facts: usize,
    /// The number of clauses with a body.
    pub(crate) rules: usize,
    /// The relations that are not keywords, with their arities, by name.
    pub(crate) relations: Vec<String>,
    /// The number of facts of `base`, if the rule sheet defines it.
    pub(crate) base: Option<usize>,
    /// The number of moves of `input` for all roles together, if the rule sheet defines it.
    pub(crate) input: Option<usize>,
    /// The number of warnings about the rule sheet.
    pub(crate) warnings: usize,
    /// The number of roles except chance.
    pub(crate) players: usize,
    /// Whether `random` is a role.
    pub(crate) chance: bool,
    /// Whether the sheet has rules for `sees`, so that roles do not see the whole state.
    pub(crate) percepts: bool,
    /// What visiting states found, unless no states were to be visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) survey: Option<Survey>,
}

/// The problems of a rule sheet.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The text of the rule sheet.
    pub(crate) source: Source,
    /// All problems, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// Describes a game that has been loaded.
    pub(crate) fn from_game(game: &Game) -> Self {
        Self {
            game: game.name.clone(),
            roles: game.interpreter.roles().to_vec(),
            clauses: game.rules.clauses.len(),
            warnings: game.diagnostics.len(),
        }
    }
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Problems<T> {
            diagnostics: Vec<T>,
        }
        let diagnostics = self.diagnostics.iter().map(|diagnostic| to_json(diagnostic, &self.source)).collect();
        Problems { diagnostics }.serialize(serializer)
    }
}
