//! The heuristic of a search: an estimate of the distance to the goal.

use super::{ReasonError, Reasoner};

/// Estimates the number of moves from a state to a goal. Searches know nothing of how, nor of the terms that the
/// heuristic may read.
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
