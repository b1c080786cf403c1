//! What leads a search: an estimate of how far away the goal is.

use super::{ReasonError, Reasoner};

/// Estimates how many moves it takes from a state to a goal. Searches know nothing more of it, and nothing of the terms it may be
/// made from.
pub trait Heuristic<R: Reasoner> {
    /// The least number of moves to a goal, as far as can be told; `None` where there is surely no way.
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError>;
}

/// Knows nothing: every goal may be no move away.
impl<R: Reasoner> Heuristic<R> for () {
    fn estimate(&mut self, _: &mut R, _: &R::State) -> Result<Option<u64>, ReasonError> {
        Ok(Some(0))
    }
}

impl<R: Reasoner, H: Heuristic<R> + ?Sized> Heuristic<R> for &mut H {
    fn estimate(&mut self, reasoner: &mut R, state: &R::State) -> Result<Option<u64>, ReasonError> {
        (**self).estimate(reasoner, state)
    }
}
