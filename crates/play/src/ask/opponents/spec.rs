//! Assumptions about opponents as text: `uniform`, `minimax`, `minimax:depth=2,epsilon=0.2`, `greedy:eval=SHEET`,
//! `weights:file=FILE`.

use crate::ask::spec::{NamedOption, Noun, NumberKind, SearchSpec, Signature, SpecError, TextValue, Vocabulary};
use gdl::number::Real;
use ggp_engine::LibrarySheet;
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

/// `depth=N`: how far a model looks ahead.
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

    /// Whether it needs a file of this machine.
    pub fn names_a_file(&self) -> bool {
        let sheet = |name: &str| LibrarySheet::find_heuristic(name).is_none();
        matches!(self, Self::Weights { .. }) || self.sheet().is_some_and(sheet)
    }

    /// The name of the file or sheet that it needs.
    pub(crate) fn file_or_sheet(&self) -> Option<&str> {
        if let Self::Weights { file } = self { Some(file) } else { self.sheet() }
    }

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
