//! The neural network in small integers, as searches evaluate it.
//!
//! Sums of integers do not depend on their order, so the first layer can follow a state fact by fact, and every processor
//! computes the same numbers. The loops are plain; compilers make vector instructions of them.
//!
//! Source: the first layer that is kept up to date is that of Nasu, *Efficiently Updatable Neural-Network-based
//! Evaluation Functions for Computer Shogi*, 2018 (NNUE).

use crate::lines::LineInputs;
use crate::parameters::{FIRST, Parameters, SECOND};

/// The integer that stands for 1 in the sums of the first layer.
const FIRST_ONE: f32 = 4096.0;
/// The integer that stands for 1 in clipped units.
const UNIT_ONE: i32 = 256;
/// The integer that stands for 1 in the weights behind clipped units.
const WEIGHT_ONE: f32 = 1024.0;
/// The integer that stands for 1 in sums of such weights times units.
const SUM_ONE: f32 = WEIGHT_ONE * UNIT_ONE as f32;
/// The bits by which the sums of the first layer, and those behind clipped units, are shifted to become units.
const FIRST_SHIFT: u32 = 4;
const SUM_SHIFT: u32 = 10;

/// A network whose weights are rounded: those of facts to 1/4096, all others to 1/1024. Greater ones than 8 and 32 are
/// cut off.
#[derive(Clone, Debug)]
pub(crate) struct QuantisedNetwork {
    first: Vec<i16>,
    /// For each count of each line, [`FIRST`] weights.
    lines: Vec<i16>,
    first_bias: [i32; FIRST],
    second: Vec<i16>,
    second_bias: [i32; SECOND],
    value: Vec<i16>,
    value_bias: Vec<i32>,
    policy: Vec<i16>,
    policy_bias: Vec<i32>,
}

/// The sums of the first layer for the facts of a state.
#[derive(Clone, Debug)]
pub(crate) struct Accumulator([i32; FIRST]);

impl Accumulator {
    #[inline]
    fn add(&mut self, row: &[i16]) {
        self.0.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i32::from(weight));
    }

    #[inline]
    fn subtract(&mut self, row: &[i16]) {
        self.0.iter_mut().zip(row).for_each(|(sum, &weight)| *sum -= i32::from(weight));
    }
}

/// The clipped units of the second layer.
#[derive(Clone, Debug)]
pub(crate) struct HiddenUnits([i16; SECOND]);

impl QuantisedNetwork {
    pub(crate) fn new(parameters: &Parameters, lines: &LineInputs) -> Self {
        let first_bias = rounded(&parameters.first_bias, FIRST_ONE);
        let second_bias = rounded(&parameters.second_bias, SUM_ONE);
        Self {
            first: small(&parameters.first, FIRST_ONE),
            lines: small(&line_weights(parameters, lines), FIRST_ONE),
            first_bias: std::array::from_fn(|unit| first_bias[unit]),
            second: small(&parameters.second, WEIGHT_ONE),
            second_bias: std::array::from_fn(|unit| second_bias[unit]),
            value: small(&parameters.value, WEIGHT_ONE),
            value_bias: rounded(&parameters.value_bias, SUM_ONE),
            policy: small(&parameters.policy, WEIGHT_ONE),
            policy_bias: rounded(&parameters.policy_bias, SUM_ONE),
        }
    }

    /// The sums of a state without facts.
    pub(crate) fn empty(&self) -> Accumulator {
        Accumulator(self.first_bias)
    }

    /// Adds a fact to a state, or removes it. Facts that have no row change nothing.
    #[inline]
    pub(crate) fn flip(&self, sums: &mut Accumulator, fact: usize, holds: bool) {
        let Some(row) = self.first.get(fact * FIRST..(fact + 1) * FIRST) else { return };
        if holds { sums.add(row) } else { sums.subtract(row) }
    }

    /// Replaces a row of a line by another: the count that it had by the one that it has, if it is open.
    #[inline]
    pub(crate) fn recount(&self, sums: &mut Accumulator, before: Option<usize>, after: Option<usize>) {
        let row = |row: usize| &self.lines[row * FIRST..(row + 1) * FIRST];
        if let Some(before) = before {
            sums.subtract(row(before));
        }
        if let Some(after) = after {
            sums.add(row(after));
        }
    }

    /// The second layer. About two thousand multiplications of 16 bits.
    pub(crate) fn hidden(&self, sums: &Accumulator) -> HiddenUnits {
        let units: [i16; FIRST] = std::array::from_fn(|unit| clipped(sums.0[unit] >> FIRST_SHIFT));
        let (rows, _) = self.second.as_chunks::<FIRST>();
        HiddenUnits(std::array::from_fn(|unit| {
            clipped((self.second_bias[unit] + product(&rows[unit], &units)) >> SUM_SHIFT)
        }))
    }

    /// The share of the range that a role can expect, from 0 to 1.
    #[inline]
    pub(crate) fn share(&self, hidden: &HiddenUnits, role: usize) -> f32 {
        let (rows, _) = self.value.as_chunks::<SECOND>();
        let sum = self.value_bias[role] + product(&rows[role], &hidden.0);
        1.0 / (1.0 + (-(sum as f32 / SUM_ONE)).exp())
    }

    /// The logarithm of the probability of a move, up to a constant; 0 if it has no row.
    #[inline]
    pub(crate) fn preference(&self, hidden: &HiddenUnits, role_move: usize) -> f32 {
        let (rows, _) = self.policy.as_chunks::<SECOND>();
        let Some(row) = rows.get(role_move) else { return 0.0 };
        (self.policy_bias[role_move] + product(row, &hidden.0)) as f32 / SUM_ONE
    }

    /// The number of roles.
    pub(crate) fn roles(&self) -> usize {
        self.value_bias.len()
    }
}

/// For each count of each line its weights, with those that its kind shares.
fn line_weights(parameters: &Parameters, lines: &LineInputs) -> Vec<f32> {
    let (rows, _) = parameters.lines.as_chunks::<FIRST>();
    let counts = (0..lines.len()).flat_map(|line| (1..=lines.longest()).map(move |count| (line, count)));
    let weights = |(line, count)| {
        let (shared, own) = (&rows[lines.shared_row(line, count)], &rows[lines.own_row(line, count)]);
        shared.iter().zip(own).map(|(shared, own)| shared + own)
    };
    counts.flat_map(weights).collect()
}

/// A unit from 0 to [`UNIT_ONE`].
#[inline]
fn clipped(sum: i32) -> i16 {
    sum.clamp(0, UNIT_ONE) as i16
}

/// The sum of products of weights and units. It fits: a weight has 15 bits, a unit 9, and there are 64 of them.
#[inline]
fn product<const N: usize>(weights: &[i16; N], units: &[i16; N]) -> i32 {
    weights.iter().zip(units).map(|(&weight, &unit)| i32::from(weight) * i32::from(unit)).sum()
}

/// Weights as integers of 16 bits.
#[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest number")]
fn small(weights: &[f32], one: f32) -> Vec<i16> {
    weights.iter().map(|&weight| (weight * one).round() as i16).collect()
}

/// Biases as integers.
#[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest number")]
fn rounded(biases: &[f32], one: f32) -> Vec<i32> {
    // A bias stays far from the ends, so that sums fit.
    const MOST: f32 = 1000.0;
    biases.iter().map(|&bias| (bias.clamp(-MOST, MOST) * one).round() as i32).collect()
}
