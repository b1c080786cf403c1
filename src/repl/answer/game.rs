//! Answers about commands, games and rule sheets.

use super::MatchPosition;
use super::content::{AnswerContent, TextStyle};
use super::text::{definitions, joined, line, table};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::render::{count, report, to_json};
use crate::engine::{EngineKind, Game};
use crate::game::Reasoner;
use crate::quantity::{counted, counted_as, grouped};
use crate::rules::GroundTerm;
use crate::search::{Sums, Survey};
use crate::syntax::{Dialect, Source};
use serde::{Serialize, Serializer};

/// The games of the library.
#[derive(Clone, Debug, Serialize)]
pub struct LibraryGames {
    /// The games with their descriptions, by name.
    pub(crate) games: Vec<GameEntry>,
    /// The heuristic sheets, by name.
    pub(crate) heuristics: Vec<GameEntry>,
}

/// A game of the library.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GameEntry {
    /// The name by which it is loaded.
    pub(crate) name: &'static str,
    /// A description in one sentence.
    pub(crate) summary: &'static str,
}

/// A game that has been loaded.
#[derive(Clone, Debug, Serialize)]
pub struct LoadedGame {
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
pub struct ResumedMatch {
    /// The game of the match.
    #[serde(flatten)]
    pub(crate) loaded: LoadedGame,
    /// The position that has been reached again.
    pub(crate) position: MatchPosition,
}

/// The description of a game.
#[derive(Clone, Debug, Serialize)]
pub struct GameInfo {
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
pub struct CheckAnswer {
    /// The text of the rule sheet.
    pub(crate) source: Source,
    /// All problems, in the order of their positions.
    pub diagnostics: Vec<Diagnostic>,
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

impl Serialize for CheckAnswer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Problems<T> {
            diagnostics: Vec<T>,
        }
        let diagnostics = self.diagnostics.iter().map(|diagnostic| to_json(diagnostic, &self.source)).collect();
        Problems { diagnostics }.serialize(serializer)
    }
}

impl AnswerContent for LibraryGames {
    fn kind(&self) -> &'static str {
        "games"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let entries = |entries: &[GameEntry]| {
            let rows = entries.iter().map(|entry| (entry.name.to_string(), entry.summary.to_string()));
            definitions(rows, 0, style.width)
        };
        entries(&self.games) + "\nheuristics, to be added to a game:\n" + &entries(&self.heuristics)
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

impl AnswerContent for CheckAnswer {
    fn kind(&self) -> &'static str {
        "checked"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let summary = format!("{}: {}\n", self.source.name(), count(&self.diagnostics));
        report(&self.diagnostics, &self.source, style.paint) + &summary
    }
}

impl AnswerContent for GameInfo {
    fn kind(&self) -> &'static str {
        "info"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let promised = |count: Option<usize>, word| count.map_or("not given".to_string(), |count| counted(count, word));
        let clauses = self.facts + self.rules;
        let clauses = format!("{clauses}: {}, {}", counted(self.facts, "fact"), counted(self.rules, "rule"));
        let engine = match self.engine_in_use {
            Some(kind) if self.left_out.is_empty() => kind.to_string(),
            Some(kind) => format!("{kind} without {}, which would change the game", joined(&self.left_out, ", ")),
            None => format!("{}, set up when it is needed", self.engine),
        };
        let relations = match &self.relations[..] {
            [] => "none of its own".to_string(),
            relations => joined(relations, ", "),
        };
        let rows = [
            ("game", self.game.clone()),
            ("source", self.source.clone()),
            ("dialect", self.dialect.name().to_string()),
            ("engine", engine),
            ("roles", joined(&self.roles, ", ")),
            ("clauses", clauses),
            ("relations", relations),
            ("base", promised(self.base, "fact")),
            ("input", promised(self.input, "move")),
            ("warnings", grouped(self.warnings as u64)),
            ("kind", kind_text(self)),
        ];
        table(rows.into_iter().map(|(name, value)| (name.to_string(), value)))
    }
}

/// The kind of game, with what visiting states has shown of it.
fn kind_text(info: &GameInfo) -> String {
    let mut words = vec![counted(info.players, "player")];
    let survey = info.survey.as_ref();
    words.extend(survey.filter(|_| info.players + usize::from(info.chance) > 1).and_then(|survey| {
        match (survey.most_choosing, survey.complete) {
            (2.., _) => Some("simultaneous moves".to_string()),
            (_, true) => Some("turns".to_string()),
            (_, false) => None,
        }
    }));
    words.push(if info.chance { "chance" } else { "deterministic" }.to_string());
    words.push(if info.percepts { "imperfect information" } else { "perfect information" }.to_string());
    let Some(survey) = survey else { return joined(words, ", ") };
    let states = counted_as(survey.states, "state", "states");
    match survey.repeats {
        Some(true) => words.extend([format!("{states}, some of which repeat")]),
        Some(false) => words.extend(["finite".to_string(), states]),
        None => words.push(format!("more than {states}")),
    }
    if info.players > 1 {
        words.push(match (survey.sums, survey.complete) {
            (Sums::Different, _) => "the sum of the utilities is not constant".to_string(),
            (Sums::Constant(sum), true) => format!("the utilities sum to {sum}"),
            (Sums::Constant(sum), false) => format!("the utilities sum to {sum} as far as was seen"),
            (Sums::None, _) => "the sum of the utilities is unknown".to_string(),
        });
    }
    joined(words, ", ")
}
