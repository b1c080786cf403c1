//! A game that has been loaded, and a match that goes on in it.

use super::MatchPosition;
use super::content::{AnswerContent, TextStyle};
use super::text::{joined, line};
use gdl::rules::GroundTerm;
use ggp_engine::Game;
use ggp_game::Reasoner;
use serde::Serialize;

/// A game that has been loaded.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct LoadedGame {
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
pub(crate) struct ResumedMatch {
    /// The game of the match.
    #[serde(flatten)]
    pub(crate) loaded: LoadedGame,
    /// The position that has been reached again.
    pub(crate) position: MatchPosition,
}

impl LoadedGame {
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

impl AnswerContent for LoadedGame {
    fn kind(&self) -> &'static str {
        "loaded"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { game, roles, clauses, warnings } = self;
        let warnings = match warnings {
            0 => String::new(),
            1 => "; 1 warning (`check` shows it)".to_string(),
            _ => format!("; {warnings} warnings (`check` shows them)"),
        };
        let word = if roles.len() == 1 { "role" } else { "roles" };
        line(format!("{game}: {word} {}; {clauses} clauses{warnings}", joined(roles, ", ")))
    }
}

impl AnswerContent for ResumedMatch {
    fn kind(&self) -> &'static str {
        "resumed"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        self.loaded.text(style) + &self.position.text(style)
    }

    fn warnings(&self) -> &[String] {
        &self.position.warnings
    }
}
