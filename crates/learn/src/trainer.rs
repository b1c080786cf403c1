//! The training of a network: examples from games, the gradient of the loss on a few of them, and a step against it.
//!
//! The loss of an example is the cross entropy between the expected share of each role and its share at the end, plus
//! that between the priors of a role's moves and the shares of visits that a search gave them.
//!
//! Source: Kingma and Ba, *Adam: A Method for Stochastic Optimization*, 2015.

use crate::guide::softmax;
use crate::network::NeuralNetwork;
use crate::parameters::{FIRST, Parameters, SECOND};
use ggp_game::Chance;
use ggp_game::statistics::log_loss;

/// A state of a game with its targets: the result, and the visits of a search.
#[derive(Clone, Debug)]
pub(crate) struct TrainingExample {
    /// The rows of the facts that hold.
    pub(crate) facts: Box<[u32]>,
    /// The rows of its open lines.
    pub(crate) lines: Box<[u32]>,
    /// For each role the share of the range of utilities that it got, from 0 to 1.
    pub(crate) shares: Box<[f32]>,
    /// The moves of roles that had a choice, if a thorough search has compared them.
    pub(crate) policies: Box<[PolicyTarget]>,
}

impl TrainingExample {
    /// A state with its targets. Training reads its lines off its facts.
    pub(crate) fn new(facts: Box<[u32]>, shares: Box<[f32]>, policies: Box<[PolicyTarget]>) -> Self {
        Self { facts, lines: Box::default(), shares, policies }
    }

    /// The approximate bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let policies: usize = self.policies.iter().map(|policy| size_of_val(&**policy) + size_of_val(policy)).sum();
        (size_of::<Self>()
            + size_of_val(&*self.facts)
            + size_of_val(&*self.lines)
            + size_of_val(&*self.shares)
            + policies) as u64
    }
}

/// For each legal move of a role its row and the share of the visits that a search gave it.
pub(crate) type PolicyTarget = Box<[(u32, f32)]>;

/// Losses of a network on some examples: means of cross entropies, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Losses {
    /// That of what the roles expect, by role and state.
    pub values: f64,
    /// That of priors, by state in which a search has compared moves.
    pub priors: f64,
}

/// The state of training: means of gradients and of their squares.
pub(crate) struct Trainer {
    gradient: Parameters,
    means: Parameters,
    squares: Parameters,
    steps: i32,
    random: Chance,
}

/// The units of both layers for one example, before and after they are clipped.
struct Units {
    first: [f32; FIRST],
    second: [f32; SECOND],
}

impl Trainer {
    /// The examples of one step.
    pub(crate) const BATCH: usize = 256;
    /// The size of a step in the beginning, and the number of steps from which on it shrinks with the square root of their
    /// number.
    const RATE: f32 = 3e-3;
    const FIRST: f32 = 500.0;
    /// The weights of earlier gradients and of their squares.
    const MEAN: f32 = 0.9;
    const SQUARE: f32 = 0.999;
    /// Added to a divisor, so that steps stay finite.
    const LEAST: f32 = 1e-8;
    /// The share of a weight that each step takes off, as a part of the step.
    const DECAY: f32 = 1e-4;
    /// The slope of a unit beyond its range, so that it comes back into the range.
    const SLOPE: f32 = 0.05;

    /// The trainer of these parameters.
    pub(crate) fn new(parameters: &Parameters, seed: u64) -> Self {
        let zeros = parameters.zeros_alike();
        Self { gradient: zeros.clone(), means: zeros.clone(), squares: zeros, steps: 0, random: Chance::new(seed) }
    }

    /// Makes a step by these examples.
    pub(crate) fn step(&mut self, network: &mut NeuralNetwork, examples: &[&TrainingExample]) {
        self.grow(&mut network.parameters, examples);
        self.gradient.lists_mut().into_iter().for_each(|list| list.fill(0.0));
        for example in examples {
            learn(&network.parameters, example, &mut self.gradient);
        }
        self.steps += 1;
        let rate = Self::RATE / (1.0 + self.steps as f32 / Self::FIRST).sqrt();
        let scale = 1.0 / examples.len().max(1) as f32;
        // The means begin with zeros, which is made good.
        let corrected = rate / (1.0 - Self::MEAN.powi(self.steps));
        let square_correction = 1.0 / (1.0 - Self::SQUARE.powi(self.steps));
        let lists = network.parameters.lists_mut().into_iter().zip(self.gradient.lists());
        let means = self.means.lists_mut().into_iter().zip(self.squares.lists_mut());
        for (((weights, gradient), (means, squares)), factor) in lists.zip(means).zip(Parameters::RATES) {
            let (rate, corrected) = (factor * rate, factor * corrected);
            for (((weight, &gradient), mean), square) in weights.iter_mut().zip(gradient).zip(means).zip(squares) {
                let gradient = scale * gradient;
                *mean += (1.0 - Self::MEAN) * (gradient - *mean);
                *square += (1.0 - Self::SQUARE) * (gradient * gradient - *square);
                let step = *mean / ((*square * square_correction).sqrt() + Self::LEAST);
                // Decay is apart from the gradient (AdamW): divided like it, it would hardly touch weights of large
                // gradients.
                *weight -= corrected * step + rate * Self::DECAY * *weight;
            }
        }
    }

    /// Adds rows for the facts and moves of these examples.
    fn grow(&mut self, parameters: &mut Parameters, examples: &[&TrainingExample]) {
        let (mut facts, _, mut moves) = parameters.sizes();
        for example in examples {
            facts = example.facts.iter().map(|&fact| fact as usize + 1).fold(facts, usize::max);
            let rows = example.policies.iter().flatten();
            moves = rows.map(|&(row, _)| row as usize + 1).fold(moves, usize::max);
        }
        parameters.grow(facts, moves, Some(&mut self.random));
        for list in [&mut self.gradient, &mut self.means, &mut self.squares] {
            list.grow(facts, moves, None);
        }
    }
}

/// The mean losses of the present weights on some examples.
pub(crate) fn losses<'e>(parameters: &Parameters, examples: impl Iterator<Item = &'e TrainingExample>) -> Losses {
    // Examples may have facts and moves that no step has met: rows of zeros leave them out.
    let mut scratch = parameters.clone();
    let (mut values, mut roles, mut priors, mut policies) = (0.0, 0, 0.0, 0);
    for example in examples {
        scratch.grow(
            largest(example.facts.iter().copied()),
            largest(example.policies.iter().flatten().map(|&(row, _)| row)),
            None,
        );
        let (_, units) = units(&scratch, example);
        for (role, &share) in example.shares.iter().enumerate() {
            values += log_loss(share_of(&scratch, &units, role).into(), share.into());
            roles += 1;
        }
        for policy in &example.policies {
            let probabilities = priors_of(&scratch, &units, policy);
            let terms = policy.iter().zip(probabilities);
            priors -= terms.map(|(&(_, share), prior)| f64::from(share) * f64::from(prior.max(1e-9)).ln()).sum::<f64>();
            policies += 1;
        }
    }
    Losses { values: values / f64::from(roles.max(1)), priors: priors / f64::from(policies.max(1)) }
}

/// One more than the largest of these rows.
fn largest(rows: impl Iterator<Item = u32>) -> usize {
    rows.map(|row| row as usize + 1).max().unwrap_or(0)
}

/// The units of both layers before they are clipped, and after.
fn units(parameters: &Parameters, example: &TrainingExample) -> (Units, Units) {
    let mut sums = Units { first: [0.0; FIRST], second: [0.0; SECOND] };
    sums.first.copy_from_slice(&parameters.first_bias);
    for (weights, inputs) in [(&parameters.first, &example.facts), (&parameters.lines, &example.lines)] {
        let (rows, _) = weights.as_chunks::<FIRST>();
        for &input in inputs {
            sums.first.iter_mut().zip(&rows[input as usize]).for_each(|(sum, weight)| *sum += weight);
        }
    }
    let mut clipped = Units { first: sums.first.map(|sum| sum.clamp(0.0, 1.0)), second: [0.0; SECOND] };
    let (rows, _) = parameters.second.as_chunks::<FIRST>();
    for (unit, row) in rows.iter().enumerate() {
        sums.second[unit] = parameters.second_bias[unit] + dot(row, &clipped.first);
    }
    clipped.second = sums.second.map(|sum| sum.clamp(0.0, 1.0));
    (sums, clipped)
}

/// The sum of products, in eight parts that the processor adds at once.
#[inline]
fn dot<const N: usize>(one: &[f32; N], other: &[f32; N]) -> f32 {
    const PARTS: usize = 8;
    let mut parts = [0.0; PARTS];
    let (one, _) = one.as_chunks::<PARTS>();
    let (other, _) = other.as_chunks::<PARTS>();
    for (one, other) in one.iter().zip(other) {
        for part in 0..PARTS {
            parts[part] += one[part] * other[part];
        }
    }
    parts.iter().sum()
}

fn share_of(parameters: &Parameters, units: &Units, role: usize) -> f32 {
    let (rows, _) = parameters.value.as_chunks::<SECOND>();
    let sum = parameters.value_bias[role] + dot(&rows[role], &units.second);
    1.0 / (1.0 + (-sum).exp())
}

fn priors_of(parameters: &Parameters, units: &Units, policy: &PolicyTarget) -> Vec<f32> {
    let (rows, _) = parameters.policy.as_chunks::<SECOND>();
    let preference =
        |&(row, _): &(u32, f32)| parameters.policy_bias[row as usize] + dot(&rows[row as usize], &units.second);
    let mut priors: Vec<f32> = policy.iter().map(preference).collect();
    softmax(&mut priors);
    priors
}

/// Adds the gradient of the loss of an example.
fn learn(parameters: &Parameters, example: &TrainingExample, gradient: &mut Parameters) {
    let (sums, units) = units(parameters, example);
    let mut second = [0.0; SECOND];
    for (role, &share) in example.shares.iter().enumerate() {
        // The slope of the cross entropy by the sum before the logistic function; for the softmax below it is the same.
        let error = share_of(parameters, &units, role) - share;
        gradient.value_bias[role] += error;
        back(role, error, &parameters.value, &mut gradient.value, &units.second, &mut second);
    }
    for policy in &example.policies {
        for (&(row, share), prior) in policy.iter().zip(priors_of(parameters, &units, policy)) {
            let error = prior - share;
            gradient.policy_bias[row as usize] += error;
            back(row as usize, error, &parameters.policy, &mut gradient.policy, &units.second, &mut second);
        }
    }
    let mut first = [0.0; FIRST];
    for (unit, &error) in second.iter().enumerate() {
        let error = error * slope(sums.second[unit]);
        gradient.second_bias[unit] += error;
        back(unit, error, &parameters.second, &mut gradient.second, &units.first, &mut first);
    }
    for ((error, &sum), bias) in first.iter_mut().zip(&sums.first).zip(&mut gradient.first_bias) {
        *error *= slope(sum);
        *bias += *error;
    }
    for (gradient, inputs) in [(&mut gradient.first, &example.facts), (&mut gradient.lines, &example.lines)] {
        let (rows, _) = gradient.as_chunks_mut::<FIRST>();
        for &input in inputs {
            rows[input as usize].iter_mut().zip(&first).for_each(|(sum, error)| *sum += error);
        }
    }
}

/// Passes the error of a sum back to the weights of its row and to the units from which it is made.
#[inline]
fn back<const N: usize>(
    row: usize,
    error: f32,
    weights: &[f32],
    gradient: &mut [f32],
    units: &[f32; N],
    errors: &mut [f32; N],
) {
    let own = row * N..(row + 1) * N;
    gradient[own.clone()].iter_mut().zip(units).for_each(|(sum, unit)| *sum += error * unit);
    errors.iter_mut().zip(&weights[own]).for_each(|(sum, weight)| *sum += error * weight);
}

/// The slope of a clipped unit at a sum.
#[inline]
fn slope(sum: f32) -> f32 {
    if (0.0..=1.0).contains(&sum) { 1.0 } else { Trainer::SLOPE }
}
