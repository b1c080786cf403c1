//! Answers about commands, games and sheets.

use super::MatchPosition;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::to_json;
use crate::engine::{EngineKind, Game};
use crate::game::Reasoner;
use crate::repl::command::{Command, OptionGroup};
use crate::rules::GroundTerm;
use crate::syntax::{Dialect, Source};
use serde::{Serialize, Serializer};

/// A command as `help` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct HelpEntry {
    /// Its name and arguments.
    pub usage: String,
    /// What it does.
    pub summary: &'static str,
    /// Where only one command is asked for, a line that could be typed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<&'static str>,
    /// Where only one command is asked for, its options.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionEntry>,
}

/// An option as `help` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct OptionEntry {
    /// Its name, with the name of its value: `--depth MOVES`.
    pub form: String,
    /// What it says.
    pub help: &'static str,
    /// What holds without it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub default: &'static str,
    /// The word that stands for its group in the usage; empty for an option of this command alone.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub group: &'static str,
}

impl HelpEntry {
    /// A command in a line.
    pub fn of(command: &Command) -> Self {
        Self { usage: command.usage(), summary: command.summary, example: None, options: Vec::new() }
    }

    /// The same with an example and all options.
    pub fn explained(self, command: &Command) -> Self {
        let entries = |group: &'static OptionGroup| {
            group.options.iter().map(|option| OptionEntry {
                form: option.form(),
                help: option.help,
                default: option.default,
                group: group.name,
            })
        };
        Self { example: Some(command.example), options: command.options.iter().flat_map(entries).collect(), ..self }
    }
}

/// A game of the library.
#[derive(Clone, Debug, Serialize)]
pub struct GameEntry {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
}

/// A game that has been loaded.
#[derive(Clone, Debug, Serialize)]
pub struct Loaded {
    /// Its name.
    pub game: String,
    /// Its roles, in order.
    pub roles: Vec<GroundTerm>,
    /// How many facts and rules it has.
    pub clauses: usize,
    /// How many warnings there are.
    pub warnings: usize,
}

/// A match that has been taken up again.
#[derive(Clone, Debug, Serialize)]
pub struct Resumed {
    /// Its game.
    #[serde(flatten)]
    pub loaded: Loaded,
    /// Where it stands.
    pub position: MatchPosition,
}

/// A game, described.
#[derive(Clone, Debug, Serialize)]
pub struct Info {
    /// Its name.
    pub game: String,
    /// Where its text comes from.
    pub source: String,
    /// How it is written.
    pub dialect: Dialect,
    /// The engine that was asked for.
    pub engine: EngineKind,
    /// The engine that plays and searches, once it is set up.
    pub engine_in_use: Option<EngineKind>,
    /// Its roles, in order.
    pub roles: Vec<GroundTerm>,
    /// How many clauses are facts.
    pub facts: usize,
    /// How many clauses have a body.
    pub rules: usize,
    /// The relations of its own that it defines, with their arities, by name.
    pub relations: Vec<String>,
    /// How many facts `base` has, where the sheet defines it.
    pub base: Option<usize>,
    /// How many moves `input` has for all roles together, where the sheet defines it.
    pub input: Option<usize>,
    /// How many warnings there are.
    pub warnings: usize,
}

/// The problems of a sheet.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The text.
    pub source: Source,
    /// All problems.
    pub diagnostics: Vec<Diagnostic>,
}

impl Loaded {
    /// What to say about a game that has been loaded.
    pub fn of(game: &Game) -> Self {
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
