//! Assumptions about opponents as text: `uniform`, `minimax`, `minimax:depth=2,epsilon=0.2`, `greedy:eval=SHEET`,
//! `weights:file=FILE`.

use crate::engine::LibrarySheet;
use crate::search::Real;
use crate::suggestion::{alternatives, nearest};
use std::fmt;
use std::str::FromStr;

/// What a search or a player assumes of the other roles.
#[derive(Clone, Debug, PartialEq)]
pub enum OpponentSpec {
    /// Each move with the same probability.
    Uniform,
    /// They play together against the role.
    Adversaries,
    /// They search themselves, and err.
    Search {
        /// How many plies they look ahead; `None` for the end of the game.
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

impl OpponentSpec {
    /// Whether it needs a file of this machine.
    pub(crate) fn names_a_file(&self) -> bool {
        let sheet = |name: &str| LibrarySheet::find_heuristic(name).is_none();
        matches!(self, Self::Weights { .. }) || self.sheet().is_some_and(sheet)
    }
}

/// An error in an assumption about opponents.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpponentSpecError {
    /// There is no model of this name.
    #[error("opponents cannot be `{name}`; {}", hint(name, &NAMES))]
    UnknownModel {
        /// The name that is not a model's.
        name: String,
    },
    /// The model does not have the option.
    #[error("opponents that are `{model}` have no option `{key}`; {}", hint(key, keys(model)))]
    UnknownOption {
        /// The name of the model.
        model: &'static str,
        /// The key that was given.
        key: String,
    },
    /// An option has no value, or a wrong one.
    #[error("`{text}` is not {form}")]
    BadOption {
        /// The text of the option.
        text: String,
        /// The form that it should have.
        form: &'static str,
    },
    /// A required option is missing.
    #[error("opponents that are `{model}` need {form}")]
    Missing {
        /// The name of the model.
        model: &'static str,
        /// The form of the option.
        form: &'static str,
    },
}

const NAMES: [&str; 4] = ["uniform", "minimax", "greedy", "weights"];
const DEPTH: &str = "`depth=N`, a number of plies from 1";
const EPSILON: &str = "`epsilon=E`, a probability from 0 to 1";
const EVALUATION: &str = "`eval=SHEET`, a sheet of the library or a file";
const FILE: &str = "`file=FILE`, a file with lines of a role, a move and a weight";

fn keys(model: &str) -> &'static [&'static str] {
    match model {
        "minimax" => &["depth", "epsilon", "eval"],
        "greedy" => &["eval"],
        "weights" => &["file"],
        _ => &[],
    }
}

impl OpponentSpec {
    /// Whether the model makes searches of its own.
    pub fn searches(&self) -> bool {
        matches!(self, Self::Search { .. } | Self::Greedy { .. })
    }

    /// Whether the model predicts moves state by state.
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
}

impl FromStr for OpponentSpec {
    type Err = OpponentSpecError;

    /// Options are separated by commas or, within the options of a player, by plus signs.
    fn from_str(text: &str) -> Result<Self, OpponentSpecError> {
        let (name, rest) = text.split_once([':', '+']).map_or((text, None), |(name, rest)| (name, Some(rest)));
        let model = NAMES.into_iter().find(|model| *model == name);
        let model = model.ok_or_else(|| OpponentSpecError::UnknownModel { name: name.to_string() })?;
        let (mut depth, mut epsilon, mut evaluation, mut file) = (None, None, None, None);
        for text in rest.into_iter().flat_map(|rest| rest.split([',', '+'])) {
            let (key, value) = text.split_once('=').unwrap_or((text, ""));
            let bad = |form| OpponentSpecError::BadOption { text: text.to_string(), form };
            match key {
                _ if !keys(model).contains(&key) => {
                    return Err(OpponentSpecError::UnknownOption { model, key: key.to_string() });
                }
                "depth" => depth = Some(value.parse().ok().filter(|&depth| depth > 0).ok_or_else(|| bad(DEPTH))?),
                "epsilon" => {
                    let number: Option<Real> = value.parse().ok();
                    let is_probability = |number: &Real| !Real::ZERO.exceeds(*number) && !number.exceeds(Real::ONE);
                    epsilon = Some(number.filter(is_probability).ok_or_else(|| bad(EPSILON))?);
                }
                "eval" if value.is_empty() => return Err(bad(EVALUATION)),
                "eval" => evaluation = Some(value.to_string()),
                _ if value.is_empty() => return Err(bad(FILE)),
                _ => file = Some(value.to_string()),
            }
        }
        Ok(match model {
            "uniform" => Self::Uniform,
            "minimax" if rest.is_none() => Self::Adversaries,
            "minimax" => Self::Search { depth, epsilon: epsilon.unwrap_or(Real::ZERO), evaluation },
            "greedy" => {
                Self::Greedy { evaluation: evaluation.ok_or(OpponentSpecError::Missing { model, form: EVALUATION })? }
            }
            _ => Self::Weights { file: file.ok_or(OpponentSpecError::Missing { model, form: FILE })? },
        })
    }
}

impl fmt::Display for OpponentSpec {
    /// As a player's option has it: with plus signs between options.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options: Vec<String> = match self {
            Self::Uniform => return formatter.write_str("uniform"),
            Self::Adversaries => return formatter.write_str("minimax"),
            Self::Search { depth, epsilon, evaluation } => {
                formatter.write_str("minimax:")?;
                let depth = depth.map(|depth| format!("depth={depth}"));
                let evaluation = evaluation.as_ref().map(|sheet| format!("eval={sheet}"));
                depth.into_iter().chain([format!("epsilon={epsilon}")]).chain(evaluation).collect()
            }
            Self::Greedy { evaluation } => vec![format!("greedy:eval={evaluation}")],
            Self::Weights { file } => vec![format!("weights:file={file}")],
        };
        formatter.write_str(&options.join("+"))
    }
}

fn hint(name: &str, known: &[&str]) -> String {
    match &nearest(name, known.iter().copied())[..] {
        [] if known.is_empty() => "there are none".to_string(),
        [] => format!("there is {}", alternatives(known)),
        near => format!("did you mean {}?", alternatives(near)),
    }
}
