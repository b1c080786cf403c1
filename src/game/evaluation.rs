//! The evaluation of states at the horizon of depth-limited searches.

use super::{ReasonError, Reasoner, Role};

/// Evaluates a state for a role. Searches know nothing of how, nor of the terms that the evaluation may read.
pub trait Evaluation<R: Reasoner> {
    /// The value of the state for the role; greater is better, and 0 is even.
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError>;
}

impl<R: Reasoner, F: FnMut(&mut R, &R::State, Role) -> Result<i64, ReasonError>> Evaluation<R> for F {
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        self(reasoner, state, role)
    }
}
