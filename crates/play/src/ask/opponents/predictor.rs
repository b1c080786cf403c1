//! Predicts the moves of opponents as an assumption says, for searches in any engine.

use super::spec::OpponentSpec;
use gdl::limits::Limits;
use gdl::rules::GroundTerm;
use gdl::syntax::{Source, parse_term};
use ggp_engine::{EngineError, Feature, FeatureError, FeaturedGame, FeaturedState, Game};
use ggp_game::files::{below, is_standard};
use ggp_game::{BatchReasoner, Evaluation, Move, ReasonError, Reasoner, Role};
use ggp_search::{
    Budget, Contest, Cost, OpponentModel, Opponents, Outcome, Real, SearchError, best_moves, shared_among_best,
};
use std::path::{Path, PathBuf};

/// A model of the opponents, ready to predict.
pub struct Predictor {
    method: Method,
}

enum Method {
    Uniform,
    Adversaries,
    Search {
        depth: Option<u32>,
        epsilon: Real,
        /// The game with an evaluation, in an engine of its own.
        sheet: Option<Box<FeaturedGame>>,
    },
    Weights(Vec<MoveWeight>),
}

/// The weight of a move of a role.
#[derive(Clone, Debug, PartialEq)]
struct MoveWeight {
    role: GroundTerm,
    chosen: GroundTerm,
    weight: Real,
}

/// Why a model cannot be set up.
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
        /// Why it cannot be read.
        error: std::io::Error,
    },
    /// A line of the file is not a role, a move and a weight.
    #[error("{}:{line}: {problem}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: String,
    },
}

/// True for a file that can be read only once: standard input, or a pipe.
pub(crate) fn is_read_once(file: &str) -> bool {
    is_standard(file) || std::fs::metadata(file).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

impl Predictor {
    /// Sets up what an assumption needs, within limits. Files are relative to `directory`.
    pub fn new(spec: &OpponentSpec, game: &Game, directory: &Path, limits: Limits) -> Result<Self, PredictorError> {
        let mut predictor = Self::load(spec, game, directory)?;
        if let Method::Search { sheet: Some(sheet), .. } = &mut predictor.method
            && let Err(EngineError::Propnet(error)) = sheet.set_up_within(limits)
        {
            return Err(FeatureError::from(error).into());
        }
        Ok(predictor)
    }

    /// Loads what an assumption names, and sets no engine up.
    ///
    /// # Errors
    /// If its sheet cannot be added to the game, or its file has no weights.
    pub(crate) fn load(spec: &OpponentSpec, game: &Game, directory: &Path) -> Result<Self, PredictorError> {
        let sheet = spec.sheet().map(|sheet| FeaturedGame::load(game, sheet, directory, Feature::Evaluation));
        let sheet = sheet.transpose()?.map(Box::new);
        let method = match spec {
            OpponentSpec::Uniform => Method::Uniform,
            OpponentSpec::Adversaries => Method::Adversaries,
            OpponentSpec::Search { depth, epsilon, .. } => Method::Search { depth: *depth, epsilon: *epsilon, sheet },
            OpponentSpec::Greedy { .. } => Method::Search { depth: Some(1), epsilon: Real::ZERO, sheet },
            OpponentSpec::Weights { file } => Method::Weights(read(&below(directory, file), game)?),
        };
        Ok(Self { method })
    }

    /// The assumption as a search takes it.
    pub fn opponents<R: BatchReasoner>(&mut self) -> Opponents<'_, R> {
        match self.method {
            Method::Uniform => Opponents::Uniform,
            Method::Adversaries => Opponents::Minimax,
            Method::Search { .. } | Method::Weights(_) => Opponents::Modelled(self),
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
        match &mut self.method {
            Method::Search { depth, epsilon, sheet: None } => {
                let best = best_moves(reasoner, Contest::new(state, role), moves, *depth, budget)?;
                Ok(best.map(|best| shared_among_best(&best, *epsilon)))
            }
            Method::Search { depth, epsilon, sheet: Some(sheet) } => {
                let at = sheet.at(&reasoner.facts(state), true).map_err(|error| match error {
                    EngineError::Reason(error) => SearchError::Reason(error),
                    EngineError::Propnet(error) => SearchError::Model { problem: error.to_string() },
                })?;
                let FeaturedState { engine: own, state: own_state, features, .. } = at;
                let terms = moves.iter().map(|&chosen| reasoner.move_term(chosen));
                let own_moves = terms.map(|term| own.find_move(&term)).collect::<Result<Vec<_>, ReasonError>>()?;
                let evaluation: &mut dyn Evaluation<_> = features;
                let contest = Contest { evaluation: Some(evaluation), ..Contest::new(&own_state, role) };
                let best = best_moves(own, contest, &own_moves, *depth, budget)?;
                Ok(best.map(|best| shared_among_best(&best, *epsilon)))
            }
            Method::Weights(weights) => {
                let name = &reasoner.roles()[role.index()];
                let weigh = |chosen: &Move| {
                    let term = reasoner.move_term(*chosen);
                    let own = weights.iter().find(|weight| weight.role == *name && weight.chosen == term);
                    own.map_or(Real::ZERO, |weight| weight.weight)
                };
                Ok(certain(normalised(moves.iter().map(weigh).collect())))
            }
            Method::Uniform | Method::Adversaries => Ok(certain(normalised(vec![Real::ZERO; moves.len()]))),
        }
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
