//! Assumptions about opponents, for searches at the prompt and for players.
//!
//! An [`OpponentSpec`] is an assumption as text: `uniform`, `minimax`, `minimax:depth=2,epsilon=0.2`,
//! `greedy:eval=SHEET`, `weights:file=FILE`. A [`Predictor`] is set up from it for a game, and gives
//! [`ggp_search::expectimax()`] the probabilities of the opponents' moves in any engine.

use super::spec::{NamedOption, Noun, NumberKind, SearchSpec, Signature, SpecError, TextValue, Vocabulary};
use gdl::limits::Limits;
use gdl::number::Real;
use gdl::rules::GroundTerm;
use gdl::syntax::{Source, parse_term};
use ggp_engine::{EngineError, Feature, FeatureError, FeaturedGame, FeaturedState, Game, LibrarySheet};
use ggp_game::files::{below, is_standard};
use ggp_game::{BatchReasoner, Evaluation, Move, ReasonError, Reasoner, Role};
use ggp_search::{
    Budget, Contest, Cost, OpponentModel, Opponents, Outcome, SearchError, best_moves, shared_among_best,
};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// An assumption of a search or a player about the other roles.
#[derive(Clone, Debug, PartialEq)]
pub enum OpponentSpec {
    /// Each move with the same probability.
    Uniform,
    /// They play together against the role.
    Adversaries,
    /// They search themselves, and err.
    Search {
        /// The number of plies that they look ahead; `None` for the end of the game.
        depth: Option<u32>,
        /// The probability with which they make any move instead of a best one.
        epsilon: Real,
        /// The sheet by which they evaluate states at their horizon.
        evaluation: Option<String>,
    },
    /// They make the move after which the evaluation is best for them.
    Greedy {
        /// The sheet with the evaluation.
        evaluation: String,
    },
    /// They make their moves with probabilities in the proportion of the weights in a file.
    Weights {
        /// The name of the file.
        file: String,
    },
}

/// `depth=N`: the number of joint moves that a model looks ahead.
const DEPTH: NamedOption =
    NamedOption::number("--depth", "N", "a number of joint moves from 1", "how far it looks ahead")
        .within(1, u32::MAX as u64);
/// `--eval`: the sheet with the evaluation of states at the horizon.
pub const EVALUATION: NamedOption = NamedOption::text(
    "--eval",
    "SHEET",
    "a sheet",
    TextValue::Sheet,
    "judges states at the depth limit: a sheet with rules for `evaluation`",
);
const EPSILON: NamedOption = NamedOption::decimal(
    "--epsilon",
    "E",
    "a probability from 0 to 1",
    "the probability with which any move is made instead of a best one",
)
.of_kind(NumberKind::Probability);
const FILE: NamedOption = NamedOption::text(
    "--file",
    "FILE",
    "a file with lines of a role, a move and a weight",
    TextValue::File,
    "the weights",
);

/// The names of the models with their options.
pub(crate) const MODELS: Vocabulary = Vocabulary {
    noun: Noun::Opponents,
    signatures: &[
        Signature::new(Noun::Opponents, UNIFORM, &[]),
        Signature::new(Noun::Opponents, MINIMAX, &[DEPTH, EPSILON, EVALUATION]),
        Signature::new(Noun::Opponents, GREEDY, &[EVALUATION.required()]),
        Signature::new(Noun::Opponents, WEIGHTS, &[FILE.required()]),
    ],
};
const UNIFORM: &str = "uniform";
const MINIMAX: &str = "minimax";
const GREEDY: &str = "greedy";
const WEIGHTS: &str = "weights";

impl OpponentSpec {
    /// The assumption that a text of the vocabulary names.
    pub(crate) fn from_spec(spec: &SearchSpec) -> Self {
        let text = |option| spec.text(option).map(str::to_string);
        match spec.name() {
            MINIMAX if spec.has_options() => Self::Search {
                depth: spec.number(&DEPTH),
                epsilon: spec.number(&EPSILON).unwrap_or(Real::ZERO),
                evaluation: text(&EVALUATION),
            },
            MINIMAX => Self::Adversaries,
            GREEDY => Self::Greedy { evaluation: text(&EVALUATION).unwrap_or_default() },
            WEIGHTS => Self::Weights { file: text(&FILE).unwrap_or_default() },
            _ => Self::Uniform,
        }
    }

    /// True if it needs a file of this machine.
    pub fn names_a_file(&self) -> bool {
        let sheet = |name: &str| LibrarySheet::find_heuristic(name).is_none();
        matches!(self, Self::Weights { .. }) || self.sheet().is_some_and(sheet)
    }

    /// The name of the file or sheet that it needs.
    pub(crate) fn file_or_sheet(&self) -> Option<&str> {
        if let Self::Weights { file } = self { Some(file) } else { self.sheet() }
    }

    /// True if the model makes searches of its own.
    pub fn searches(&self) -> bool {
        matches!(self, Self::Search { .. } | Self::Greedy { .. })
    }

    /// True if the model predicts moves state by state.
    pub fn predicts(&self) -> bool {
        !matches!(self, Self::Uniform | Self::Adversaries)
    }

    /// The sheet with an evaluation that the model needs.
    pub(crate) fn sheet(&self) -> Option<&str> {
        match self {
            Self::Search { evaluation, .. } => evaluation.as_deref(),
            Self::Greedy { evaluation } => Some(evaluation),
            _ => None,
        }
    }

    /// The name of the model with its options.
    fn spec(&self) -> SearchSpec {
        match self {
            Self::Uniform => SearchSpec::new(UNIFORM),
            Self::Adversaries => SearchSpec::new(MINIMAX),
            Self::Search { depth, epsilon, evaluation } => {
                let mut spec = SearchSpec::new(MINIMAX);
                if let Some(depth) = depth {
                    spec = spec.with(&DEPTH, depth);
                }
                spec = spec.with(&EPSILON, epsilon);
                if let Some(sheet) = evaluation { spec.with(&EVALUATION, sheet) } else { spec }
            }
            Self::Greedy { evaluation } => SearchSpec::new(GREEDY).with(&EVALUATION, evaluation),
            Self::Weights { file } => SearchSpec::new(WEIGHTS).with(&FILE, file),
        }
    }
}

impl FromStr for OpponentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        MODELS.read(text).map(|spec| Self::from_spec(&spec))
    }
}

impl fmt::Display for OpponentSpec {
    /// In the form of a value of another option: with plus signs between its own options.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:#}", self.spec())
    }
}

/// A model of the opponents, ready to predict.
pub struct Predictor {
    spec: OpponentSpec,
    /// The game with the evaluation of the assumption, if it has one, in an engine of its own.
    sheet: Option<Box<FeaturedGame>>,
    /// The weights of the assumption; empty for other assumptions.
    weights: Vec<MoveWeight>,
}

/// The weight of a move of a role.
#[derive(Clone, Debug, PartialEq)]
struct MoveWeight {
    role: GroundTerm,
    chosen: GroundTerm,
    weight: Real,
}

/// The error of a model that cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum PredictorError {
    /// The evaluation cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] FeatureError),
    /// The file with the weights cannot be read.
    #[error("{}: {error}", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// The error of the system.
        error: std::io::Error,
    },
    /// A line of the file is not a role, a move and a weight.
    #[error("{}:{line}: {problem}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The problem of the line.
        problem: String,
    },
}

/// True for a file that can be read only once: standard input, or a pipe.
pub(crate) fn is_read_once(file: &str) -> bool {
    is_standard(file) || std::fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

impl Predictor {
    /// Loads the sheet or file of an assumption, and sets up the engine of a sheet within limits. Files are relative to
    /// `directory`.
    pub fn new(spec: &OpponentSpec, game: &Game, directory: &Path, limits: Limits) -> Result<Self, PredictorError> {
        let mut predictor = Self::load(spec, game, directory)?;
        if let Some(sheet) = &mut predictor.sheet
            && let Err(EngineError::Propnet(error)) = sheet.set_up_within(limits)
        {
            return Err(FeatureError::from(error).into());
        }
        Ok(predictor)
    }

    /// Loads the sheet or file of an assumption, and sets no engine up.
    ///
    /// # Errors
    /// If its sheet cannot be added to the game, or its file has no weights.
    pub(crate) fn load(spec: &OpponentSpec, game: &Game, directory: &Path) -> Result<Self, PredictorError> {
        let sheet = spec.sheet().map(|sheet| FeaturedGame::load(game, sheet, directory, Feature::Evaluation));
        let sheet = sheet.transpose()?.map(Box::new);
        let weights = match spec {
            OpponentSpec::Weights { file } => read(&below(directory, file), game)?,
            _ => Vec::new(),
        };
        Ok(Self { spec: spec.clone(), sheet, weights })
    }

    /// The assumption.
    pub(crate) fn spec(&self) -> &OpponentSpec {
        &self.spec
    }

    /// The assumption as a search takes it.
    pub fn opponents<R: BatchReasoner>(&mut self) -> Opponents<'_, R> {
        match self.spec {
            OpponentSpec::Uniform => Opponents::Uniform,
            OpponentSpec::Adversaries => Opponents::Minimax,
            _ => Opponents::Modelled(self),
        }
    }
}

impl<R: BatchReasoner> OpponentModel<R> for Predictor {
    fn predict(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
        moves: &[Move],
        budget: &Budget,
    ) -> Result<Outcome<Vec<Real>>, SearchError> {
        let (depth, epsilon) = match &self.spec {
            OpponentSpec::Search { depth, epsilon, .. } => (*depth, *epsilon),
            OpponentSpec::Greedy { .. } => (Some(1), Real::ZERO),
            OpponentSpec::Weights { .. } => {
                // Weights are in terms, since the search may run in any engine.
                let name = &reasoner.roles()[role.index()];
                let weigh = |chosen: &Move| {
                    let term = reasoner.move_term(*chosen);
                    let own = self.weights.iter().find(|weight| weight.role == *name && weight.chosen == term);
                    own.map_or(Real::ZERO, |weight| weight.weight)
                };
                return Ok(certain(normalised(moves.iter().map(weigh).collect())));
            }
            OpponentSpec::Uniform | OpponentSpec::Adversaries => {
                return Ok(certain(normalised(vec![Real::ZERO; moves.len()])));
            }
        };
        let Some(sheet) = &mut self.sheet else {
            let best = best_moves(reasoner, Contest::new(state, role), moves, depth, budget)?;
            return Ok(best.map(|best| shared_among_best(&best, epsilon)));
        };
        let at = sheet.at(&reasoner.facts(state), true).map_err(|error| match error {
            EngineError::Reason(error) => SearchError::Reason(error),
            EngineError::Propnet(error) => SearchError::Model { problem: error.to_string() },
        })?;
        let FeaturedState { engine: own, state: own_state, features, .. } = at;
        let terms = moves.iter().map(|&chosen| reasoner.move_term(chosen));
        let own_moves = terms.map(|term| own.find_move(&term)).collect::<Result<Vec<_>, ReasonError>>()?;
        let evaluation: &mut dyn Evaluation<_> = features;
        let contest = Contest { evaluation: Some(evaluation), ..Contest::new(&own_state, role) };
        let best = best_moves(own, contest, &own_moves, depth, budget)?;
        Ok(best.map(|best| shared_among_best(&best, epsilon)))
    }
}

/// An answer that took no search.
fn certain(probabilities: Vec<Real>) -> Outcome<Vec<Real>> {
    Outcome { answer: Some(probabilities), stopped: None, cost: Cost::default() }
}

/// Weights divided by their sum; if all are 0, equal probabilities.
fn normalised(weights: Vec<Real>) -> Vec<Real> {
    let sum = weights.iter().fold(Real::ZERO, |sum, &weight| sum.plus(weight));
    let equal = Real::ONE.over(Real::count(weights.len()));
    weights.into_iter().map(|weight| if sum.is_zero() { equal } else { weight.over(sum) }).collect()
}

/// Reads the weights of a file: on each line a role, a move and a number of at least 0; `%` begins a comment.
fn read(file: &Path, game: &Game) -> Result<Vec<MoveWeight>, PredictorError> {
    let text = game
        .options()
        .input
        .read_text(file)
        .map_err(|error| PredictorError::Unreadable { file: file.to_path_buf(), error })?;
    let mut weights: Vec<MoveWeight> = Vec::new();
    for (line, text) in (1..).zip(text.lines()) {
        let words: Vec<&str> = text.split('%').next().unwrap_or_default().split_whitespace().collect();
        let wrong = |problem: String| PredictorError::Line { file: file.to_path_buf(), line, problem };
        let [role, chosen, weight] = words[..] else {
            if words.is_empty() {
                continue;
            }
            return Err(wrong("a line is a role, a move and a weight".to_string()));
        };
        let role = game.interpreter.roles().iter().find(|name| name.to_string() == role).cloned();
        let role = role.ok_or_else(|| wrong(format!("the game has no role `{}`", words[0])))?;
        let chosen = ground(chosen).ok_or_else(|| wrong(format!("`{chosen}` is not a move")))?;
        let number = weight.parse().ok().filter(|&number| !Real::ZERO.exceeds(number));
        let weight = number.ok_or_else(|| wrong(format!("`{weight}` is not a number of at least 0")))?;
        if weights.iter().any(|other| other.role == role && other.chosen == chosen) {
            return Err(wrong(format!("{role} has a weight for {chosen} already")));
        }
        weights.push(MoveWeight { role, chosen, weight });
    }
    Ok(weights)
}

fn ground(text: &str) -> Option<GroundTerm> {
    GroundTerm::from_term(&parse_term(&Source::new("weights", text), None).ok()?)
}
