//! The neural network in small integers, as searches evaluate it.
//!
//! Sums of integers do not depend on their order, so the first layer can follow a state fact by fact, and every processor
//! computes the same numbers. The first layer is plain loops, of which compilers make vector instructions; of products of
//! small integers they make slow ones, so those are written as vectors (`wide`).
//!
//! Source: the first layer that is kept up to date is that of Nasu, *Efficiently Updatable Neural-Network-based
//! Evaluation Functions for Computer Shogi*, 2018 (NNUE).

use crate::lines::LineInputs;
use crate::parameters::{FIRST, Parameters, SECOND};
use ggp_game::WinningLineCounts;
use wide::{i16x8, i32x4};

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

/// A network whose weights are rounded: those of facts to 1/4096, between -8 and 8, those of lines to 1/4096, between -4 and
/// 4, and all others to 1/1024, between -32 and 32.
#[derive(Clone, Debug)]
pub(crate) struct QuantisedNetwork {
    /// For each fact its weights.
    first: Vec<[i16; FIRST]>,
    /// For each line the weights of its counts, from 1 to the length of the longest line.
    lines: Vec<[i16; FIRST]>,
    /// For each of these the difference from the weights of the count before.
    line_steps: Vec<[i16; FIRST]>,
    longest: usize,
    first_bias: [i32; FIRST],
    /// For each pair of units of the first layer the weights of both for each unit of the second, for four of these in a
    /// vector.
    second: Vec<[i16x8; SECOND / 4]>,
    second_bias: [i32x4; SECOND / 4],
    value: Vec<UnitVector>,
    value_bias: Vec<i32>,
    policy: Vec<UnitVector>,
    policy_bias: Vec<i32>,
}

/// The sums of the first layer for the facts of a state, and the counts of its lines.
#[derive(Debug)]
pub(crate) struct Accumulator {
    sums: [i32; FIRST],
    counts: WinningLineCounts,
}

impl Clone for Accumulator {
    fn clone(&self) -> Self {
        Self { sums: self.sums, counts: self.counts.clone() }
    }

    fn clone_from(&mut self, other: &Self) {
        self.sums = other.sums;
        self.counts.clone_from(&other.counts);
    }
}

/// A number for each unit of the second layer.
type UnitVector = [i16x8; SECOND / 8];

/// The clipped units of the second layer.
#[derive(Clone, Debug)]
pub(crate) struct HiddenUnits(UnitVector);

impl QuantisedNetwork {
    pub(crate) fn new(parameters: &Parameters, lines: &LineInputs) -> Self {
        let line_rows = line_weights(parameters, lines);
        let first_bias = rounded(&parameters.first_bias, FIRST_ONE);
        let second_bias = rounded(&parameters.second_bias, SUM_ONE);
        Self {
            first: rows(&small(&parameters.first, FIRST_ONE)),
            line_steps: steps(&line_rows, lines.longest()),
            lines: line_rows,
            longest: lines.longest(),
            first_bias: std::array::from_fn(|unit| first_bias[unit]),
            second: in_pairs(&rows(&small(&parameters.second, WEIGHT_ONE))),
            second_bias: std::array::from_fn(|four| {
                i32x4::new(std::array::from_fn(|unit| second_bias[4 * four + unit]))
            }),
            value: vectors(&small(&parameters.value, WEIGHT_ONE)),
            value_bias: rounded(&parameters.value_bias, SUM_ONE),
            policy: vectors(&small(&parameters.policy, WEIGHT_ONE)),
            policy_bias: rounded(&parameters.policy_bias, SUM_ONE),
        }
    }

    /// The sums of a state without facts; `counts` are those of its lines.
    pub(crate) fn empty(&self, counts: WinningLineCounts) -> Accumulator {
        Accumulator { sums: self.first_bias, counts }
    }

    /// Adds a fact to a state, or removes it. Facts that have no row change nothing.
    pub(crate) fn flip(&self, state: &mut Accumulator, fact: usize, holds: bool) {
        let Accumulator { sums, counts } = state;
        if let Some(row) = self.first.get(fact) {
            if holds { add(sums, row) } else { subtract(sums, row) }
        }
        counts.flip(fact, holds, |line, before, after| {
            let row = |count: usize| line * self.longest + count - 1;
            match (before, after) {
                // A count changes by one; a line that is closed or opened loses or gets all weights of its count.
                (Some(before), Some(after)) if before < after => add(sums, &self.line_steps[row(after)]),
                (Some(before), Some(_)) => subtract(sums, &self.line_steps[row(before)]),
                (Some(before), None) => subtract(sums, &self.lines[row(before)]),
                (None, Some(after)) => add(sums, &self.lines[row(after)]),
                (None, None) => {}
            }
        });
    }

    /// The second layer. About two thousand multiplications of 16 bits.
    pub(crate) fn hidden(&self, state: &Accumulator) -> HiddenUnits {
        let units = state.sums.map(|sum| clipped(sum >> FIRST_SHIFT));
        let mut sums = self.second_bias;
        for (weights, &[one, other]) in self.second.iter().zip(units.as_chunks().0) {
            let pair = i16x8::new([one, other, one, other, one, other, one, other]);
            // The greatest sum fits: a weight has 15 bits, a unit 9, and there are 64 of them.
            sums.iter_mut().zip(weights).for_each(|(sum, weights)| *sum += weights.dot(pair));
        }
        let unit = |unit: usize| clipped(sums[unit / 4].as_array()[unit % 4] >> SUM_SHIFT);
        HiddenUnits(std::array::from_fn(|eight| i16x8::new(std::array::from_fn(|place| unit(8 * eight + place)))))
    }

    /// The share of the range that a role can expect, from 0 to 1.
    pub(crate) fn share(&self, hidden: &HiddenUnits, role: usize) -> f32 {
        let sum = self.value_bias[role] + product(&self.value[role], &hidden.0);
        1.0 / (1.0 + (-(sum as f32 / SUM_ONE)).exp())
    }

    /// The logarithm of the probability of a move, up to a constant; 0 if it has no row.
    pub(crate) fn preference(&self, hidden: &HiddenUnits, role_move: usize) -> f32 {
        let Some(row) = self.policy.get(role_move) else { return 0.0 };
        (self.policy_bias[role_move] + product(row, &hidden.0)) as f32 / SUM_ONE
    }

    /// The number of roles.
    pub(crate) fn roles(&self) -> usize {
        self.value_bias.len()
    }
}

#[inline]
fn add(sums: &mut [i32; FIRST], row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum += i32::from(weight));
}

#[inline]
fn subtract(sums: &mut [i32; FIRST], row: &[i16; FIRST]) {
    sums.iter_mut().zip(row).for_each(|(sum, &weight)| *sum -= i32::from(weight));
}

/// Weights in rows, one for each unit of the first layer.
fn rows(weights: &[i16]) -> Vec<[i16; FIRST]> {
    weights.as_chunks().0.to_vec()
}

/// For each count of each line, from 1, its weights with those that its kind shares. Differences of two of them fit.
fn line_weights(parameters: &Parameters, lines: &LineInputs) -> Vec<[i16; FIRST]> {
    const MOST: i16 = i16::MAX / 2;
    let (rows, _) = parameters.lines.as_chunks::<FIRST>();
    let counts = (0..lines.len()).flat_map(|line| (1..=lines.longest()).map(move |count| (line, count)));
    let weights = |(line, count)| {
        let (shared, own) = (&rows[lines.shared_row(line, count)], &rows[lines.own_row(line, count)]);
        let sums: [f32; FIRST] = std::array::from_fn(|unit| shared[unit] + own[unit]);
        let small = small(&sums, FIRST_ONE);
        std::array::from_fn(|unit| small[unit].clamp(-MOST, MOST))
    };
    counts.map(weights).collect()
}

/// The differences of the rows of counts from those of the counts before, of which the first has none.
fn steps(rows: &[[i16; FIRST]], longest: usize) -> Vec<[i16; FIRST]> {
    let difference = |index: usize| match index % longest {
        0 => rows[index],
        _ => std::array::from_fn(|unit| rows[index][unit] - rows[index - 1][unit]),
    };
    (0..rows.len()).map(difference).collect()
}

/// A unit from 0 to [`UNIT_ONE`].
#[inline]
fn clipped(sum: i32) -> i16 {
    sum.clamp(0, UNIT_ONE) as i16
}

/// The sum of products of weights and units.
#[inline]
fn product(weights: &UnitVector, units: &UnitVector) -> i32 {
    let sums: i32x4 = weights.iter().zip(units).map(|(weights, units)| weights.dot(*units)).sum();
    sums.reduce_add()
}

/// Rows of weights for units of the second layer as [`QuantisedNetwork::second`] has them.
fn in_pairs(rows: &[[i16; FIRST]]) -> Vec<[i16x8; SECOND / 4]> {
    let weight = |pair: usize, four: usize, place: usize| rows[4 * four + place / 2][2 * pair + place % 2];
    let vector = |pair, four| i16x8::new(std::array::from_fn(|place| weight(pair, four, place)));
    (0..FIRST / 2).map(|pair| std::array::from_fn(|four| vector(pair, four))).collect()
}

/// Weights for units of the second layer, in vectors.
fn vectors(weights: &[i16]) -> Vec<UnitVector> {
    let (rows, _) = weights.as_chunks::<SECOND>();
    rows.iter().map(|row| std::array::from_fn(|eight| i16x8::from(&row[8 * eight..8 * eight + 8]))).collect()
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
