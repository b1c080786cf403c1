//! Estimates of states: the evaluation at the horizon of a depth-limited search, and the heuristic distance to a goal.
//!
//! Searches know nothing of how an estimate is computed, nor of the terms that it may read.

use crate::{ReasonError, Reasoner, Role};

/// Evaluates states for a role.
pub trait Evaluation<R: Reasoner> {
    /// The value of the state for the role; greater is better, and 0 is even.
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError>;

    /// The value of the state for the role less the values for all others, which a search of two sides compares. An
    /// evaluation that computes it in another way gives the same number.
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

/// Estimates the number of moves from a state to a goal.
pub trait Heuristic<R: Reasoner> {
    /// The estimated number of moves to a goal; `None` if certainly no goal can be reached.
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError>;

    /// Replaces the contents of `estimates` by those of several states, in their order. A heuristic that computes many
    /// states at once has its own body.
    fn estimate_all(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        estimates: &mut Vec<Result<Option<u64>, ReasonError>>,
    ) {
        estimates.clear();
        estimates.extend(states.iter().map(|state| self.estimate(reasoner, state)));
    }
}

/// The heuristic that estimates every state as 0.
impl<R: Reasoner> Heuristic<R> for () {
    fn estimate(&mut self, _: &mut R, _: &R::State) -> Result<Option<u64>, ReasonError> {
        Ok(Some(0))
    }
}

impl<R: Reasoner, H: Heuristic<R> + ?Sized> Heuristic<R> for &mut H {
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError> {
        (**self).estimate(reasoner, state)
    }

    fn estimate_all(
        &mut self,
        reasoner: &mut R,
        states: &[R::State],
        estimates: &mut Vec<Result<Option<u64>, ReasonError>>,
    ) {
        (**self).estimate_all(reasoner, states, estimates);
    }
}
