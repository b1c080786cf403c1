//! Questions: a search with its options, asked for a role in a state, and what was found.
//!
//! Everybody who wants to know a move or a value asks here: the prompt, players, and models of opponents. A question is
//! answered by the search that it names, or in its place by what knows the same sooner. The names of searches with their
//! options are [`spec`], what they assume of opponents is [`OpponentSpec`].
//!
//! This room uses [`crate::engine`], [`crate::search`] and [`crate::solving`]; it knows no texts of answers and no clocks
//! of matches.

mod algorithm;
pub(crate) mod budget;
mod found;
mod guess;
pub(crate) mod opponents;
pub(crate) mod options;
mod question;
mod shallower;
pub mod spec;

pub use algorithm::Algorithm;
pub(crate) use found::{Answered, ContestFound, Origin};
pub(crate) use guess::guess;
pub use opponents::{OpponentSpec, Predictor, PredictorError};
pub(crate) use question::{AskedState, Question};
pub(crate) use shallower::budget_after;
pub use spec::{SearchSpec, SpecError};
