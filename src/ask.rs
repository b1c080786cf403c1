//! Questions: a search with its options, asked for a role in a state, and what was found.
//!
//! Everybody who wants to know a move or a value asks here: the prompt, players, the library ([`Question`]), and models of
//! opponents. A question to a search of several players is answered by the search that it names, or in its place by what knows
//! the same sooner. The names of searches with their options are [`spec`], what they assume of opponents is [`OpponentSpec`].
//!
//! This room uses [`crate::engine`], [`crate::search`] and [`crate::solving`]; it knows no texts of answers and no clocks
//! of matches.

mod algorithm;
pub(crate) mod approach;
pub(crate) mod budget;
mod contest;
pub(crate) mod fitting;
mod found;
mod guess;
mod lane_playouts;
pub(crate) mod opponents;
pub(crate) mod options;
pub(crate) mod plan;
mod playout_options;
mod question;
mod random_play;
pub(crate) mod sampling;
mod shallower;
pub mod spec;

pub use algorithm::Algorithm;
pub use approach::ApproachError;
pub(crate) use contest::{AskedPosition, ContestQuestion};
pub(crate) use found::{Answered, ContestFound, Origin, draw_equal, draw_strategy};
pub(crate) use guess::guess;
pub use opponents::{OpponentSpec, Predictor, PredictorError};
pub use plan::PlanAlgorithm;
pub(crate) use plan::{PlanQuestion, Planned};
pub use playout_options::{PlayoutKind, PlayoutOptions};
pub use question::{Belief, Found, Question, QuestionError};
pub use random_play::RandomPlay;
pub(crate) use sampling::SampleQuestion;
pub use sampling::Sampling;
pub(crate) use shallower::budget_after;
pub use spec::{SearchSpec, SpecError};
