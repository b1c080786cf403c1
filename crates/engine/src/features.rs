//! Rules that another rule sheet adds to a game: heuristics `heuristic(Key,N)` and evaluations
//! `evaluation(Role,Key,N)`.
//!
//! Such a sheet is written in the language of the game and may use all relations of the game. It must not define a
//! relation of the game, so it cannot change the game. Both are loaded into one engine ([`FeaturedGame`]), which plays
//! the game and computes the sum of N over all keys that hold in a state. In a network each ground atom of the feature
//! is an output, and the sum goes over the outputs that are true ([`weights`]).

mod weights;

use super::slot::{EngineError, EngineSlot};
use super::{Engine, EngineState, Game};
use crate::ground::GroundError;
use crate::interpreter::{Interpreter, QueryError, RelationQuestion, State};
use crate::load::{GameOrigin, GameOriginError};
use crate::propnet::PropnetError;
use gdl::diagnostic::{Diagnostic, Label};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use gdl::rules::lenient::{lenient_rules, soften};
use gdl::rules::{GroundTerm, RuleSet};
use gdl::syntax::ast::Sheet;
use gdl::syntax::{Dialect, Source, Span};
use gdl::{rules, syntax};
use ggp_game::{Evaluation, Heuristic, ReasonError, Reasoner, Role, lead_by_roles};
use std::path::Path;
use std::sync::Arc;
use weights::Weights;

/// The relation that an added sheet defines.
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
///
/// Both are played by one engine, chosen by the options of the game: the network is built from the rules of both, so
/// that features are gates of it, and the interpreter takes its place where it cannot be built.
pub struct FeaturedGame {
    interpreter: Interpreter,
    slot: EngineSlot,
    features: Features,
    /// Warnings about the sheet; positions refer to [`FeaturedGame::source`].
    pub warnings: Vec<Diagnostic>,
    /// The text of the sheet.
    pub source: Source,
}

/// A state of a [`FeaturedGame`] game.
pub struct FeaturedState<'a> {
    /// The engine that plays the game.
    pub engine: &'a mut Engine,
    /// The state in this engine.
    pub state: EngineState,
    /// The sums of the sheet, for this engine.
    pub features: &'a mut Features,
    /// Warnings about the sheet, a line each, and notes about the engine.
    pub warnings: Vec<String>,
}

/// The computation of the sums of a feature; valid only for the engine with which it was made.
#[derive(Clone, Debug)]
pub struct Features {
    feature: Feature,
    /// The question to the interpreter.
    question: RelationQuestion,
    /// The numbers of the outputs of the network.
    weights: Weights,
}

/// The reason for which a sheet cannot be added to a game.
#[derive(Debug, thiserror::Error)]
pub enum FeatureError {
    /// The text cannot be read.
    #[error(transparent)]
    Origin(#[from] GameOriginError),
    /// The text violates the restrictions of GDL.
    #[error("{} cannot be added to the game: {}", source_text.name(), gdl::diagnostic::render::count(diagnostics))]
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
    /// The sheet defines no feature at all.
    #[error("{sheet} has no rules for `heuristic` with 2 arguments, and none for `evaluation` with 3")]
    LacksAll {
        /// The name of the sheet.
        sheet: String,
    },
    /// The heuristic is computed from ground rules, and the game cannot be grounded.
    #[error("this heuristic needs the ground rules: {0}")]
    Ground(#[from] PropnetError),
    /// The interpreter cannot be set up.
    #[error("{sheet} cannot be set up: {error}")]
    Engine {
        /// The name of the sheet.
        sheet: String,
        /// The reason.
        error: QueryError,
    },
}

impl FeatureError {
    /// The text of the sheet and its problems, if they are why it is not added.
    pub fn problems(&self) -> Option<(&Source, &[Diagnostic])> {
        match self {
            Self::Rejected { source_text, diagnostics } => Some((source_text, diagnostics)),
            _ => None,
        }
    }
}

impl From<Stop> for FeatureError {
    fn from(stopped: Stop) -> Self {
        Self::Reason(stopped.into())
    }
}

impl FeatureError {
    /// The limit or the interrupt, if that is the cause.
    pub fn reason(&self) -> Option<&ReasonError> {
        match self {
            Self::Reason(error)
            | Self::Ground(PropnetError::Ground(GroundError::Reason(error)))
            | Self::Engine { error: QueryError::Reason(error), .. } => Some(error),
            _ => None,
        }
    }
}

/// Checks a sheet as an addition to a game, with the feature that it defines. Returns the warnings about it.
///
/// # Errors
/// Those of [`FeaturedGame::new`]; [`FeatureError::Rejected`] has all problems of the sheet.
pub fn check_added(game: &Game, source: &Source) -> Result<Vec<Diagnostic>, FeatureError> {
    for feature in [Feature::Heuristic, Feature::Evaluation] {
        match FeaturedGame::new(game, source.clone(), feature) {
            Err(FeatureError::Lacks { .. }) => {}
            added => return Ok(added?.warnings),
        }
    }
    Err(FeatureError::LacksAll { sheet: source.name().to_string() })
}

impl FeaturedGame {
    /// Adds the sheet called `name` to a game: one of the library's heuristic sheets, or a file relative to
    /// `directory`.
    pub fn load(game: &Game, name: &str, directory: &Path, feature: Feature) -> Result<Self, FeatureError> {
        Self::new(game, GameOrigin::find_heuristic(name, Some(directory))?.read(game.options().input)?, feature)
    }

    /// Adds a sheet to a game.
    pub fn new(game: &Game, source: Source, feature: Feature) -> Result<Self, FeatureError> {
        let (rules, warnings) = join(game, &source, feature)?;
        let Some(relation) = rules.features else {
            return Err(FeatureError::Lacks { sheet: source.name().to_string(), feature });
        };
        let failed = |error| FeatureError::Engine { sheet: source.name().to_string(), error };
        let options = game.options().clone();
        let text = [game.source.text(), source.text()].join("\n");
        let mut interpreter = Interpreter::within(Arc::new(rules), options.limits.clone()).map_err(failed)?;
        let question = interpreter.prepare(relation, feature.arity()).map_err(failed)?;
        let features = Features { feature, question, weights: Weights::default() };
        Ok(Self { interpreter, slot: EngineSlot::new(options, &text, None), features, warnings, source })
    }

    /// The initial state, in the engine of both. The engine is set up when it is first needed.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn initially(&mut self) -> Result<FeaturedState<'_>, EngineError> {
        let state = self.interpreter.initial_state()?;
        self.at_state(&state, true)
    }

    /// The state in which exactly these facts hold, in the engine of both; `is_reached` says whether legal play leads
    /// to it. The engine is set up when it is first needed.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn at(&mut self, facts: &[GroundTerm], is_reached: bool) -> Result<FeaturedState<'_>, EngineError> {
        let state = self.interpreter.state_from_facts(facts)?;
        self.at_state(&state, is_reached)
    }

    fn at_state(&mut self, state: &State, is_reached: bool) -> Result<FeaturedState<'_>, EngineError> {
        let state = self.slot.state_for(&mut self.interpreter, state, is_reached)?;
        let warnings = self.warning_lines();
        let engine = self.slot.engine(&mut self.interpreter)?;
        // A player asks for one state after the other; the weights change only with the network.
        if let Engine::Propnet(propnet) = &*engine
            && !self.features.weights.are_of(propnet.shared_program())
        {
            self.features.weights = Weights::from_program(propnet.shared_program(), self.features.feature);
        }
        Ok(FeaturedState { engine, state, features: &mut self.features, warnings })
    }

    /// Sets up the engine within limits, and then restores the previous limits. If a limit is met, the interpreter is
    /// the engine.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn set_up_within(&mut self, limits: Limits) -> Result<(), EngineError> {
        let before = self.slot.options.limits.clone();
        self.slot.set_limits(limits);
        let end = self.initially().map(|_| ());
        self.slot.set_limits(before);
        end
    }

    /// True if the sheet was added for this feature and has this name.
    pub fn is(&self, feature: Feature, name: &str) -> bool {
        self.features.feature == feature && self.source.name() == name
    }

    /// Replaces the limits of setting up the engine and of its questions.
    pub fn set_limits(&mut self, limits: Limits) {
        self.interpreter.set_limits(limits.clone());
        self.slot.set_limits(limits);
    }

    /// The warnings about the sheet, one line each, with file and line number, and new notes about the engine.
    fn warning_lines(&mut self) -> Vec<String> {
        let name = self.source.name();
        let line = |warning: &Diagnostic| match warning.labels.first() {
            Some(label) => {
                let line = self.source.position(label.span.start).line;
                format!("{name}:{line}: {}", warning.message)
            }
            None => format!("{name}: {}", warning.message),
        };
        let notes = self.slot.take_notes(format!("computes {name}"));
        self.warnings.iter().map(line).chain(notes).collect()
    }
}

impl Features {
    /// The sum of the numbers that hold in a state: all of them, or for an evaluation those of one role.
    ///
    /// # Errors
    /// [`ReasonError::NotInteger`] if one of them is not an integer; limits and interrupts are passed on.
    pub(crate) fn sum(&mut self, engine: &mut Engine, state: &EngineState, role: Role) -> Result<i64, ReasonError> {
        let relation = self.feature.name();
        let not_integer = |value| ReasonError::NotInteger { relation, value };
        match (engine, state) {
            (Engine::Propnet(propnet), EngineState::Propnet(state)) => {
                self.weights.sum(propnet, state, role.index()).map_err(not_integer)
            }
            (Engine::Interpreter(interpreter), EngineState::Interpreter(state)) => {
                let role = (self.feature == Feature::Evaluation).then(|| interpreter.roles()[role.index()].clone());
                let mut sum = 0_i64;
                for row in interpreter.ask(state, self.question)? {
                    if role.as_ref().is_none_or(|role| row[0] == *role) {
                        sum = sum.saturating_add(number(row.last()).map_err(not_integer)?);
                    }
                }
                Ok(sum)
            }
            _ => panic!("the state belongs to another kind of engine"),
        }
    }

    /// All features that hold in a state, in canonical order: the role, if it is an evaluation, the key and the number.
    ///
    /// # Errors
    /// Those of `Features::sum`.
    pub fn holding(
        &self,
        engine: &mut Engine,
        state: &EngineState,
    ) -> Result<Vec<(Option<GroundTerm>, GroundTerm, i64)>, ReasonError> {
        let mut found: Vec<Vec<GroundTerm>> = match (engine, state) {
            (Engine::Propnet(propnet), EngineState::Propnet(state)) => {
                let features = propnet.program().features.clone();
                let all: Vec<u32> = (0..to_u32(features.len())).collect();
                let mut found = Vec::new();
                propnet.each_feature(state, &all, |feature| found.push(features[feature as usize].arguments.to_vec()));
                found
            }
            (Engine::Interpreter(interpreter), EngineState::Interpreter(state)) => {
                interpreter.ask(state, self.question)?.into_iter().collect()
            }
            _ => panic!("the state belongs to another kind of engine"),
        };
        found.sort();
        let read = |mut arguments: Vec<GroundTerm>| {
            let wrong = |value| ReasonError::NotInteger { relation: self.feature.name(), value };
            let worth = number(arguments.pop().as_ref()).map_err(wrong)?;
            let key = arguments.pop().expect("a feature has a key");
            Ok((arguments.pop(), key, worth))
        };
        found.into_iter().map(read).collect()
    }
}

/// The number that a feature adds: its last argument. The error is that argument if it is not an integer.
fn number(argument: Option<&GroundTerm>) -> Result<i64, GroundTerm> {
    let argument = argument.expect("a feature has at least two arguments");
    let number = argument.arguments.is_empty().then(|| argument.name.parse().ok()).flatten();
    number.ok_or_else(|| argument.clone())
}

/// The sum of `heuristic(Key,N)`; a negative sum counts as 0.
impl Heuristic<Engine> for Features {
    fn estimate(&mut self, engine: &mut Engine, state: &EngineState) -> Result<Option<u64>, ReasonError> {
        Ok(Some(u64::try_from(self.sum(engine, state, Role::new(0))?).unwrap_or(0)))
    }
}

/// The sum of `evaluation(Role,Key,N)` for the role.
impl Evaluation<Engine> for Features {
    fn evaluate(&mut self, engine: &mut Engine, state: &EngineState, role: Role) -> Result<i64, ReasonError> {
        self.sum(engine, state, role)
    }

    fn lead(&mut self, engine: &mut Engine, state: &EngineState, role: Role) -> Result<i64, ReasonError> {
        if let (Engine::Propnet(propnet), EngineState::Propnet(state)) = (&mut *engine, state)
            && let Some(lead) = self.weights.lead(propnet, state, role.index())
        {
            return lead.map_err(|value| ReasonError::NotInteger { relation: self.feature.name(), value });
        }
        lead_by_roles(self, engine, state, role)
    }
}

/// Joins the rules of a game and of a sheet, and returns the warnings about the sheet.
///
/// Spans of the sheet's clauses are shifted by the length of the game's text, so that they differ from the spans of the
/// game.
fn join(game: &Game, source: &Source, feature: Feature) -> Result<(RuleSet, Vec<Diagnostic>), FeatureError> {
    let offset = game.source.text().len() + 1;
    // Parsed behind as many spaces as the game has bytes, the sheet has spans behind those of the game.
    let behind = Source::new(source.name(), " ".repeat(offset) + source.text());
    let limits = &game.options().limits;
    let syntax::ParsedText { sheet, errors, .. } = syntax::parse_within(&behind, None, limits)?;
    let rejected = |diagnostics: Vec<Diagnostic>| {
        let diagnostics = diagnostics.into_iter().filter_map(|diagnostic| moved(diagnostic, offset)).collect();
        FeatureError::Rejected { source_text: source.clone(), diagnostics }
    };
    if !errors.is_empty() {
        return Err(rejected(errors));
    }
    let own = match game.sheet.dialect {
        Dialect::Operations => game.sheet.in_dialect(Dialect::Infix),
        Dialect::Prefix | Dialect::Infix => game.sheet.clone(),
    };
    let clauses = own.clauses.into_iter().chain(sheet.clauses).collect();
    let both = Sheet { dialect: own.dialect, clauses, comments: own.comments };
    let mut rules = rules::normalise_within(&both, limits)?;
    rules.operations.clone_from(&game.rules.operations);
    let relation = rules.find_relation(feature.name(), feature.arity());
    rules.features = relation.filter(|&relation| rules.clauses.iter().any(|clause| clause.head.relation == relation));
    let added = &rules.clauses[game.sheet.clauses.len()..];
    let taken = |name: &str, arity: usize| game.rules.find_relation(name, arity).is_some();
    for head in added.iter().map(|clause| &clause.head) {
        let relation = rules.relation_name(head.relation);
        if taken(relation, head.arguments.len()) {
            let line = source.position(head.span.start - to_u32(offset)).line;
            let sheet = source.name().to_string();
            let relation = relation.to_string();
            return Err(FeatureError::Redefines { sheet, line, relation });
        }
    }
    let mut found = rules::check_within(&both, &rules, limits)?;
    if game.options().is_lenient {
        found.iter_mut().for_each(soften);
        lenient_rules(&mut rules);
    }
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
