//! The end of a search for strategies: a number of iterations, or strategies that are good enough.

use super::{ExtensiveForm, StrategyProfile, evaluate};

/// The end of a search for strategies, unless its budget ends before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningEnd {
    /// The number of iterations.
    pub iterations: u64,
    /// The exploitability that is small enough: it is measured after 64 iterations, and again whenever their number has
    /// doubled.
    pub exploitability: f64,
}

impl LearningEnd {
    /// The iterations before exploitability is first measured.
    const FIRST: u64 = 64;

    /// True if these strategies are good enough after this number of iterations.
    pub(super) fn is_reached(
        self,
        iterations: u64,
        form: &ExtensiveForm,
        learned: impl FnOnce() -> StrategyProfile,
    ) -> bool {
        let is_measured = self.exploitability >= 0.0 && iterations >= Self::FIRST && iterations.is_power_of_two();
        iterations >= self.iterations
            || is_measured && evaluate(form, &learned()).exploitability() <= self.exploitability
    }
}

/// This number of iterations, whatever the exploitability is.
impl From<u64> for LearningEnd {
    fn from(iterations: u64) -> Self {
        Self { iterations, exploitability: -1.0 }
    }
}
