//! The parameters of a neural network, as training changes them: 32-bit floats.
//!
//! ```text
//! facts, open lines ── FIRST units, clipped ── SECOND units, clipped ─┬─ logistic: the share of the range that each role gets
//!                                                                     └─ softmax over legal moves: the prior of each
//! ```
//!
//! Units are clipped to the range from 0 to 1, so that they fit into small integers (`quantised`).

use ggp_game::Chance;
use serde::{Deserialize, Serialize};

/// The units of the first layer: sums over the facts that hold.
pub(crate) const FIRST: usize = 64;
/// The units of the second layer.
pub(crate) const SECOND: usize = 32;

/// The weights and biases of all layers, or one number for each: a gradient, or a mean of gradients.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Parameters {
    /// For each fact, [`FIRST`] weights.
    pub(crate) first: Vec<f32>,
    /// For each row of [`crate::lines::LineInputs`], [`FIRST`] weights.
    pub(crate) lines: Vec<f32>,
    pub(crate) first_bias: Vec<f32>,
    /// For each unit of the second layer, [`FIRST`] weights.
    pub(crate) second: Vec<f32>,
    pub(crate) second_bias: Vec<f32>,
    /// For each role, [`SECOND`] weights.
    pub(crate) value: Vec<f32>,
    pub(crate) value_bias: Vec<f32>,
    /// For each move, [`SECOND`] weights.
    pub(crate) policy: Vec<f32>,
    pub(crate) policy_bias: Vec<f32>,
}

impl Parameters {
    /// Zeros for a game of this many roles and rows of lines, without facts and moves.
    pub(crate) fn zeros(roles: usize, line_rows: usize) -> Self {
        Self {
            first: Vec::new(),
            lines: vec![0.0; line_rows * FIRST],
            first_bias: vec![0.0; FIRST],
            second: vec![0.0; FIRST * SECOND],
            second_bias: vec![0.0; SECOND],
            value: vec![0.0; roles * SECOND],
            value_bias: vec![0.0; roles],
            policy: Vec::new(),
            policy_bias: Vec::new(),
        }
    }

    /// Zeros for all that these parameters have.
    pub(crate) fn zeros_alike(&self) -> Self {
        let (facts, roles, moves) = self.sizes();
        let mut zeros = Self::zeros(roles, self.lines.len() / FIRST);
        zeros.grow(facts, moves, None);
        zeros
    }

    /// Random weights from which training starts: units of both layers lie inside of their range, and nothing is
    /// preferred.
    pub(crate) fn random(roles: usize, line_rows: usize, random: &mut Chance) -> Self {
        let mut parameters = Self::zeros(roles, line_rows);
        parameters.first_bias.fill(0.3);
        parameters.second_bias.fill(0.3);
        // The sum of this many inputs then varies about as much as one of them.
        let scale = (1.0 / FIRST as f32).sqrt();
        parameters.second.iter_mut().for_each(|weight| *weight = scale * centred(random));
        parameters
    }

    /// Adds rows for facts and moves, up to these numbers. `random` draws the weights of facts; without it they are 0.
    pub(crate) fn grow(&mut self, facts: usize, moves: usize, random: Option<&mut Chance>) {
        let known = self.first.len();
        self.first.resize(known.max(facts * FIRST), 0.0);
        if let Some(random) = random {
            self.first[known..].iter_mut().for_each(|weight| *weight = 0.1 * centred(random));
        }
        self.policy.resize(self.policy.len().max(moves * SECOND), 0.0);
        self.policy_bias.resize(self.policy_bias.len().max(moves), 0.0);
    }

    /// Gives each role the place of this list in the outputs.
    pub(crate) fn permute_roles(&mut self, places: &[usize]) {
        let (value, value_bias) = (self.value.clone(), self.value_bias.clone());
        for (role, &place) in places.iter().enumerate() {
            self.value_bias[place] = value_bias[role];
            self.value[place * SECOND..(place + 1) * SECOND]
                .copy_from_slice(&value[role * SECOND..(role + 1) * SECOND]);
        }
    }

    /// The numbers of facts, roles and moves.
    pub(crate) fn sizes(&self) -> (usize, usize, usize) {
        (self.first.len() / FIRST, self.value_bias.len(), self.policy_bias.len())
    }

    /// The factor of the rate of learning for each list, in the order of [`Parameters::lists`]. A state has many open lines,
    /// so each of them takes smaller steps.
    pub(crate) const RATES: [f32; 9] = [1.0, 0.2, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0];

    /// All lists, in a fixed order.
    pub(crate) fn lists(&self) -> [&[f32]; 9] {
        let Self { first, lines, first_bias, second, second_bias, value, value_bias, policy, policy_bias } = self;
        [first, lines, first_bias, second, second_bias, value, value_bias, policy, policy_bias]
    }

    /// All lists, in the order of [`Parameters::lists`].
    pub(crate) fn lists_mut(&mut self) -> [&mut [f32]; 9] {
        let Self { first, lines, first_bias, second, second_bias, value, value_bias, policy, policy_bias } = self;
        [first, lines, first_bias, second, second_bias, value, value_bias, policy, policy_bias]
    }

    /// True if the lists have the lengths of a network of these sizes and all numbers are finite.
    pub(crate) fn fits(&self, facts: usize, line_rows: usize, roles: usize, moves: usize) -> bool {
        let mut empty = Self::zeros(roles, line_rows);
        empty.grow(facts, moves, None);
        let has_lengths = self.lists().iter().zip(empty.lists()).all(|(own, other)| own.len() == other.len());
        has_lengths && self.lists().iter().all(|list| list.iter().all(|number| number.is_finite()))
    }
}

/// A random number with mean 0 and variance 1: uniform from minus to plus the square root of 3.
#[expect(clippy::cast_possible_truncation, reason = "weights have 32 bits")]
fn centred(random: &mut Chance) -> f32 {
    (3.0_f64.sqrt() * (2.0 * random.fraction() - 1.0)) as f32
}
