//! Rules added to a game by another rule sheet: heuristics `heuristic(Key,N)` and evaluations `evaluation(Role,Key,N)`.
//!
//! Such a sheet is written in the language of the game and may use everything that the game defines. It must not define
//! anything that the game defines, so it cannot change the game. Both are loaded together into one engine
//! ([`Featured`]), which plays the game and computes the sum of N over all keys that hold in a state.

use super::Game;
use super::origin::{Origin, OriginError};
use crate::diagnostic::{Diagnostic, Label};
use crate::game::{Evaluation, Heuristic, ReasonError, Reasoner, Role};
use crate::ground::GroundError;
use crate::interpreter::{Interpreter, QueryError, Question, State};
use crate::limits::Stopped;
use crate::number::to_u32;
use crate::propnet::PropnetError;
use crate::rules::{self, GroundTerm, RuleSet};
use crate::syntax::ast::Sheet;
use crate::syntax::{self, Source, Span};
use std::path::Path;
use std::sync::Arc;

/// A relation that such a sheet defines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// `heuristic(Key,N)`: the estimated number of moves to a goal.
    Heuristic,
    /// `evaluation(Role,Key,N)`: the value of a state for a role.
    Evaluation,
}

impl Feature {
    /// The name of the relation.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Heuristic => "heuristic",
            Self::Evaluation => "evaluation",
        }
    }

    /// The number of arguments; the last one is the number.
    pub(crate) fn arity(self) -> usize {
        match self {
            Self::Heuristic => 2,
            Self::Evaluation => 3,
        }
    }
}

/// A game with the rules of a sheet added.
pub struct Featured {
    /// The engine of both; it plays the game like every other engine.
    pub reasoner: Interpreter,
    /// The prepared query for the sums.
    pub features: Features,
    /// Warnings about the sheet; positions refer to [`Featured::source`].
    pub warnings: Vec<Diagnostic>,
    /// The text of the sheet.
    pub source: Source,
}

/// The prepared query for a feature; valid only for the engine with which it was made.
#[derive(Clone, Copy, Debug)]
pub struct Features {
    feature: Feature,
    question: Question,
}

/// Why a sheet cannot be added to a game.
#[derive(Debug, thiserror::Error)]
pub enum FeatureError {
    /// The text cannot be read.
    #[error(transparent)]
    Origin(#[from] OriginError),
    /// The text violates the restrictions of GDL.
    #[error("{} cannot be added to the game: {}", source_text.name(), crate::diagnostic::render::count(diagnostics))]
    Rejected {
        /// The text of the sheet.
        source_text: Source,
        /// All problems of the sheet.
        diagnostics: Vec<Diagnostic>,
    },
    /// The sheet would change the game.
    #[error("{sheet}:{line}: `{relation}` belongs to the game, and an added sheet must not define it")]
    Redefines {
        /// The name of the sheet.
        sheet: String,
        /// The line of the clause, from 1.
        line: u32,
        /// The name of the relation.
        relation: String,
    },
    /// A limit of the game was reached ([`EngineOptions::limits`](super::EngineOptions)).
    #[error("the rules of the sheet were not added: {0}")]
    Reason(ReasonError),
    /// The sheet does not define the feature.
    #[error("{sheet} has no rules for `{}` with {} arguments", feature.name(), feature.arity())]
    Lacks {
        /// The name of the sheet.
        sheet: String,
        /// The feature that the sheet does not define.
        feature: Feature,
    },
    /// The heuristic is computed from ground rules, and the game cannot be grounded.
    #[error("this heuristic needs the ground rules: {0}")]
    Ground(#[from] PropnetError),
    /// The interpreter cannot be set up.
    #[error("{sheet} cannot be set up: {error}")]
    Engine {
        /// The name of the sheet.
        sheet: String,
        /// Why the interpreter cannot be set up.
        error: QueryError,
    },
}

impl From<Stopped> for FeatureError {
    fn from(stopped: Stopped) -> Self {
        Self::Reason(stopped.into())
    }
}

impl FeatureError {
    /// The engine's error, if that is the cause.
    pub(crate) fn reason(&self) -> Option<&ReasonError> {
        match self {
            Self::Reason(error)
            | Self::Ground(PropnetError::Ground(GroundError::Reason(error)))
            | Self::Engine { error: QueryError::Reason(error), .. } => Some(error),
            _ => None,
        }
    }
}

impl Featured {
    /// Adds the sheet called `name` to a game: one of the library's heuristic sheets, or a file relative to
    /// `directory`.
    pub fn load(game: &Game, name: &str, directory: &Path, feature: Feature) -> Result<Self, FeatureError> {
        Self::of(game, Origin::find_heuristic(name, directory)?.read()?, feature)
    }

    /// Adds a sheet to a game.
    pub fn of(game: &Game, source: Source, feature: Feature) -> Result<Self, FeatureError> {
        let (rules, warnings) = join(game, &source)?;
        let relation = rules.find_relation(feature.name(), feature.arity());
        let defined = relation.filter(|&relation| rules.clauses.iter().any(|clause| clause.head.relation == relation));
        let Some(relation) = defined else {
            return Err(FeatureError::Lacks { sheet: source.name().to_string(), feature });
        };
        let failed = |error| FeatureError::Engine { sheet: source.name().to_string(), error };
        let mut reasoner = Interpreter::within(Arc::new(rules), game.options().limits.clone()).map_err(failed)?;
        let question = reasoner.prepare(relation, feature.arity()).map_err(failed)?;
        Ok(Self { reasoner, features: Features { feature, question }, warnings, source })
    }
}

impl Featured {
    /// The warnings about the sheet, one line each, with file and line number.
    pub(crate) fn warning_lines(&self) -> Vec<String> {
        let line = |warning: &Diagnostic| match warning.labels.first() {
            Some(label) => {
                let line = self.source.position(label.span.start).line;
                format!("{}:{line}: {}", self.source.name(), warning.message)
            }
            None => format!("{}: {}", self.source.name(), warning.message),
        };
        self.warnings.iter().map(line).collect()
    }
}

impl Features {
    /// The sum of the numbers that hold in a state: all of them, or for an evaluation those of one role.
    ///
    /// # Errors
    /// [`ReasonError::NotInteger`] if one of them is not an integer; limits and interrupts are passed on.
    pub(crate) fn sum(
        self,
        reasoner: &mut Interpreter,
        state: &State,
        role: Option<&GroundTerm>,
    ) -> Result<i64, ReasonError> {
        let mut sum = 0_i64;
        for mut row in reasoner.ask(state, self.question)? {
            if role.is_some_and(|role| row[0] != *role) {
                continue;
            }
            let value = row.pop().expect("a feature has at least two arguments");
            let number = value.arguments.is_empty().then(|| value.name.parse::<i64>().ok()).flatten();
            let number = number.ok_or(ReasonError::NotInteger { relation: self.feature.name(), value })?;
            sum = sum.saturating_add(number);
        }
        Ok(sum)
    }
}

/// The sum of `heuristic(Key,N)`; a negative sum counts as 0.
impl Heuristic<Interpreter> for Features {
    fn estimate(&mut self, reasoner: &mut Interpreter, state: &State) -> Result<Option<u64>, ReasonError> {
        Ok(Some(u64::try_from(self.sum(reasoner, state, None)?).unwrap_or(0)))
    }
}

/// The sum of `evaluation(Role,Key,N)` for the role.
impl Evaluation<Interpreter> for Features {
    fn evaluate(&mut self, reasoner: &mut Interpreter, state: &State, role: Role) -> Result<i64, ReasonError> {
        let role = reasoner.roles()[role.index()].clone();
        self.sum(reasoner, state, Some(&role))
    }
}

/// The rules of a game and of a sheet together, and the warnings about the sheet.
///
/// Spans of the sheet's clauses are shifted by the length of the game's text, so that both can be distinguished.
fn join(game: &Game, source: &Source) -> Result<(RuleSet, Vec<Diagnostic>), FeatureError> {
    let offset = game.source.text().len() + 1;
    let behind = Source::new(source.name(), " ".repeat(offset) + source.text());
    let limits = &game.options().limits;
    let syntax::Parsed { sheet, errors } = syntax::parse_within(&behind, None, limits)?;
    let rejected = |diagnostics: Vec<Diagnostic>| {
        let diagnostics = diagnostics.into_iter().filter_map(|diagnostic| moved(diagnostic, offset)).collect();
        FeatureError::Rejected { source_text: source.clone(), diagnostics }
    };
    if !errors.is_empty() {
        return Err(rejected(errors));
    }
    let clauses = game.sheet.clauses.iter().cloned().chain(sheet.clauses).collect();
    let both = Sheet { dialect: game.sheet.dialect, clauses, comments: Vec::new() };
    let rules = rules::normalise_within(&both, limits)?;
    let added = &rules.clauses[game.rules.clauses.len()..];
    let taken = |name: &str, arity: usize| game.rules.find_relation(name, arity).is_some();
    for head in added.iter().map(|clause| &clause.head) {
        let relation = rules.relation_name(head.relation);
        if taken(relation, head.arguments.len()) {
            let line = source.position(head.span.start - to_u32(offset)).line;
            let (sheet, relation) = (source.name().to_string(), relation.to_string());
            return Err(FeatureError::Redefines { sheet, line, relation });
        }
    }
    let found = rules::check_within(&both, &rules, limits)?;
    if found.iter().any(Diagnostic::is_error) {
        return Err(rejected(found));
    }
    let warnings = found.into_iter().filter_map(|diagnostic| moved(diagnostic, offset)).collect();
    Ok((rules, warnings))
}

/// A problem of the sheet with its spans shifted back; `None` for a problem of the game.
fn moved(diagnostic: Diagnostic, offset: usize) -> Option<Diagnostic> {
    let offset = to_u32(offset);
    let is_own = |span: Span| span.start >= offset;
    if diagnostic.labels.first().is_some_and(|label| !is_own(label.span)) {
        return None;
    }
    let labels = diagnostic.labels.into_iter().filter(|label| is_own(label.span));
    let back = |Label { span, message }| {
        let span = Span { start: span.start - offset, end: span.end - offset };
        Label { span, message }
    };
    Some(Diagnostic { labels: labels.map(back).collect(), ..diagnostic })
}
