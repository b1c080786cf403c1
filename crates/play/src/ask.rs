//! Questions: a search with its options, asked for a role in a state, and its result.
//!
//! The prompt, players, the library ([`Question`]) and models of opponents all ask here for a move or a value. A
//! question to a search of several players is answered by the search that it names, or in its place by work that finds
//! the same sooner ([`Origin`]). [`spec`] has the names of searches with their options, [`OpponentSpec`] the
//! assumptions about opponents.
//!
//! This room uses [`ggp_engine`], [`ggp_search`], [`ggp_search::solving`] and [`ggp_learn`]; it knows no texts of answers and no
//! clocks of matches.

#[doc(hidden)]
pub mod approach;
#[doc(hidden)]
pub mod best;
#[doc(hidden)]
pub mod budget;
mod contest;
#[doc(hidden)]
pub mod fitting;
#[doc(hidden)]
pub mod hidden;
#[doc(hidden)]
pub mod network;
pub(crate) mod opponents;
#[doc(hidden)]
pub mod options;
#[doc(hidden)]
pub mod plan;
mod question;
mod random_play;
#[doc(hidden)]
pub mod sampling;
#[doc(hidden)]
pub mod searches;
pub mod spec;

pub use approach::ApproachError;
pub use contest::Algorithm;
#[doc(hidden)]
pub use contest::{
    Answered, AskedEngine, AskedPosition, ContestFound, ContestQuestion, Origin, budget_after, draw_equal,
    draw_strategy, guess,
};
pub use hidden::HiddenAlgorithm;
#[doc(hidden)]
pub use hidden::{HiddenFound, HiddenQuestion};
pub use opponents::{OpponentSpec, Predictor, PredictorError};
pub use plan::PlanAlgorithm;
#[doc(hidden)]
pub use plan::{PlanQuestion, Planned};
pub use question::{AdviceError, Ask, Belief, Found, Question, QuestionError};
pub use random_play::{PlayoutKind, PlayoutOptions, RandomPlay};
#[doc(hidden)]
pub use sampling::SampleQuestion;
pub use sampling::Sampling;
pub use spec::{SearchSpec, SpecError};
