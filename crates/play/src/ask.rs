//! Questions: a search with its options, asked for a role in a state, and what was found.
//!
//! Everybody who wants to know a move or a value asks here: the prompt, players, the library ([`Question`]), and models
//! of opponents. A question to a search of several players is answered by the search that it names, or in its place by
//! what knows the same sooner. The names of searches with their options are [`spec`], what they assume of opponents is
//! [`OpponentSpec`].
//!
//! This room uses [`ggp_engine`], [`ggp_search`] and [`ggp_search::solving`]; it knows no texts of answers and no
//! clocks of matches.

mod advice;
mod algorithm;
#[doc(hidden)]
pub mod approach;
#[doc(hidden)]
pub mod best;
#[doc(hidden)]
pub mod budget;
mod contest;
#[doc(hidden)]
pub mod fitting;
mod found;
mod guess;
mod lane_playouts;
pub(crate) mod opponents;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod plan;
mod playout_options;
mod question;
mod random_play;
#[doc(hidden)]
pub mod sampling;
#[doc(hidden)]
pub mod searches;
mod shallower;
pub mod spec;

pub use advice::{AdviceError, Ask};
pub use algorithm::Algorithm;
pub use approach::ApproachError;
#[doc(hidden)]
pub use contest::{AskedEngine, AskedPosition, ContestQuestion};
#[doc(hidden)]
pub use found::{Answered, ContestFound, Origin, draw_equal, draw_strategy};
#[doc(hidden)]
pub use guess::guess;
pub use opponents::{OpponentSpec, Predictor, PredictorError};
pub use plan::PlanAlgorithm;
#[doc(hidden)]
pub use plan::{PlanQuestion, Planned};
pub use playout_options::{PlayoutKind, PlayoutOptions};
pub use question::{Belief, Found, Question, QuestionError};
pub use random_play::RandomPlay;
#[doc(hidden)]
pub use sampling::SampleQuestion;
pub use sampling::Sampling;
#[doc(hidden)]
pub use shallower::budget_after;
pub use spec::{SearchSpec, SpecError};
