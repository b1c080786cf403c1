//! The end of a search for strategies: a number of iterations, or strategies that are good enough.

use super::{ExtensiveForm, StrategyProfile, evaluate};

/// The end of a search for strategies, unless its budget ends before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearningEnd {
    /// The number of iterations.
    pub iterations: u64,
    /// The exploitability that is small enough: it is measured after 64 iterations, and again whenever their number has
    /// doubled. Without it only the number of iterations counts.
    pub exploitability: Option<f64>,
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
        let is_measured = iterations >= Self::FIRST && iterations.is_power_of_two();
        iterations >= self.iterations
            || self
                .exploitability
                .filter(|_| is_measured)
                .is_some_and(|enough| evaluate(form, &learned()).exploitability() <= enough)
    }
}

/// This number of iterations; exploitability is not measured.
impl From<u64> for LearningEnd {
    fn from(iterations: u64) -> Self {
        Self { iterations, exploitability: None }
    }
}
