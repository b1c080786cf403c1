//! Behaviour strategies of all roles: the probability of each move at each information set.

use super::ExtensiveForm;

/// A behaviour strategy for each role of an extensive form.
#[derive(Clone, Debug, PartialEq)]
pub struct StrategyProfile {
    /// The probability of each sequence given the one before it; 1 for the empty sequences.
    pub(super) probabilities: Vec<f64>,
}

/// The strategies that a search has learned, which is an average over its iterations.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedProfile {
    /// The strategies.
    pub profile: StrategyProfile,
    /// The number of iterations.
    pub iterations: u64,
}

impl StrategyProfile {
    /// Every role makes each of its legal moves with the same probability.
    pub fn uniform(form: &ExtensiveForm) -> Self {
        Self::weighted(form, &vec![0.0; form.sequences])
    }

    /// The probabilities that weights of the moves give; uniform at sets where no move has a positive weight.
    pub(super) fn weighted(form: &ExtensiveForm, weights: &[f64]) -> Self {
        let mut probabilities = vec![1.0; form.sequences];
        for set in &form.sets {
            normalise(&weights[set.moves()], &mut probabilities[set.moves()]);
        }
        Self { probabilities }
    }

    /// The profile in which roles make the moves of each set with these probabilities; `None` at a set: uniform.
    pub fn of_sets(form: &ExtensiveForm, mut moves: impl FnMut(usize) -> Option<Vec<f64>>) -> Self {
        let mut weights = vec![0.0; form.sequences];
        for (index, set) in form.sets.iter().enumerate() {
            if let Some(given) = moves(index) {
                weights[set.moves()].iter_mut().zip(given).for_each(|(weight, given)| *weight = given);
            }
        }
        Self::weighted(form, &weights)
    }

    /// The probabilities of the moves at an information set, in the order of [`ExtensiveForm::moves`].
    pub fn at(&self, form: &ExtensiveForm, set: usize) -> &[f64] {
        &self.probabilities[form.sets[set].moves()]
    }

    /// The realisation plan: for each sequence the probability that its role makes all of its moves.
    pub(super) fn plan(&self, form: &ExtensiveForm) -> Vec<f64> {
        let mut plan = vec![1.0; form.sequences];
        for set in &form.sets {
            let before = plan[set.parent as usize];
            for sequence in set.moves() {
                plan[sequence] = before * self.probabilities[sequence];
            }
        }
        plan
    }
}

/// Weights as probabilities: proportional to the positive ones, uniform if there are none.
#[inline]
pub(super) fn normalise(weights: &[f64], probabilities: &mut [f64]) {
    let sum: f64 = weights.iter().map(|weight| weight.max(0.0)).sum();
    if sum > 0.0 {
        probabilities.iter_mut().zip(weights).for_each(|(probability, weight)| *probability = weight.max(0.0) / sum);
    } else {
        probabilities.fill(1.0 / weights.len() as f64);
    }
}
