//! The evaluation of states at the horizon of depth-limited searches.

use super::{ReasonError, Reasoner, Role};

/// Evaluates a state for a role. Searches know nothing of how, nor of the terms that the evaluation may read.
pub trait Evaluation<R: Reasoner> {
    /// The value of the state for the role; greater is better, and 0 is even.
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError>;

    /// The value of the state for the role less the values for all others: what a search of two sides compares. An
    /// evaluation that finds it in another way gives the same number.
    fn lead(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        lead_by_roles(self, reasoner, state, role)
    }
}

/// The value of a state for a role less the values for all others, by evaluating the state for one role after the
/// other.
///
/// # Errors
/// Those of [`Evaluation::evaluate`].
pub fn lead_by_roles<R: Reasoner>(
    evaluation: &mut (impl Evaluation<R> + ?Sized),
    reasoner: &mut R,
    state: &R::State,
    role: Role,
) -> Result<i64, ReasonError> {
    let mut lead = 0_i64;
    for other in (0..reasoner.roles().len()).map(Role::new) {
        let value = evaluation.evaluate(reasoner, state, other)?;
        lead = if other == role { lead.saturating_add(value) } else { lead.saturating_sub(value) };
    }
    Ok(lead)
}

impl<R: Reasoner, F: FnMut(&mut R, &R::State, Role) -> Result<i64, ReasonError>> Evaluation<R> for F {
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        self(reasoner, state, role)
    }
}
