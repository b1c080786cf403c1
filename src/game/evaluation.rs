//! What depth-limited searches judge a state by that is not over.

use super::{ReasonError, Reasoner, Role};

/// Judges a state for a role. Searches know nothing more of it, and nothing of the terms it may be made from.
pub trait Evaluation<R: Reasoner> {
    /// The sum of what speaks for the role; the more the better.
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError>;
}

impl<R: Reasoner, F: FnMut(&mut R, &R::State, Role) -> Result<i64, ReasonError>> Evaluation<R> for F {
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        self(reasoner, state, role)
    }
}
