//! Assumptions about opponents, for searches at the prompt and for players: read from text ([`OpponentSpec`]) and set
//! up for a game ([`Predictor`]), which gives [`ggp_search::expectimax()`] the probabilities of their moves.

mod predictor;
mod spec;

pub(crate) use predictor::is_read_once;
pub use predictor::{Predictor, PredictorError};
pub use spec::EVALUATION;
pub(crate) use spec::MODELS;
pub use spec::OpponentSpec;
