//! The weights of a learned evaluation.

/// The weight of a feature, and how often it was learned.
///
/// - Source: stochastic gradient descent with steps that shrink with the square root of the number of states, as in
///   Duchi, Hazan and Singer, *Adaptive Subgradient Methods*, 2011.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FeatureWeight {
    value: f32,
    /// The number of states that it was learned from.
    states: f32,
}

impl FeatureWeight {
    /// The number of states after which steps are about a third smaller.
    const STATES: f32 = 100.0;
    /// The least size of a step, as a share of the first: what is learned changes with the play from which it comes.
    const LEAST: f32 = 0.0125;
    /// What stands for 1 in whole numbers, whose sums do not depend on the order.
    const ONE: f32 = (1 << 20) as f32;

    /// Moves the weight by a step that shrinks; `step` is the first.
    pub(super) fn learn(&mut self, step: f32) {
        self.value += step * (Self::STATES / (Self::STATES + self.states)).sqrt().max(Self::LEAST);
        self.states += 1.0;
    }

    /// The weight as a whole number.
    #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest number")]
    pub(super) fn fixed(self) -> i64 {
        (self.value * Self::ONE) as i64
    }

    /// The number for which a sum of such whole numbers stands.
    pub(super) fn of_fixed(sum: i64) -> f32 {
        sum as f32 / Self::ONE
    }
}
