//! Why a question has no answer.

use gdl::limits::Stop;
use gdl::syntax::Span;
use ggp_game::ReasonError;

/// The reason for which a query has no answer, or a rule set has no interpreter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// A relation depends on its own negation.
    #[error("a relation depends on its own negation")]
    NegativeCycle {
        /// A clause on the cycle.
        span: Span,
    },
    /// A variable under a negation, or in `distinct`, is not bound by any positive literal.
    #[error("a variable of the query has no value: bind it in a positive literal")]
    Unsafe,
    /// The question was stopped or failed before all answers were found.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl From<Stop> for QueryError {
    fn from(stopped: Stop) -> Self {
        Self::Reason(stopped.into())
    }
}
