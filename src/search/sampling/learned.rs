//! An evaluation that a player learns by itself: what the facts of a state say about the end of the game.

use super::lines::WinningLines;
use crate::game::{Fluent, ReasonError, Reasoner, Role, WinningLine};

/// The share of the range of utilities that the first role will get, estimated from the fluents of a state: the logistic
/// function of a sum of weights, one for each fluent that holds and two for each open line of which something holds
/// ([`WinningLine`]). For games of two sides in which one gains what the other loses.
///
/// - Cost: an addition for each fluent that holds, and a few operations for each line.
/// - Source: logistic regression by stochastic gradient descent; the steps of a weight shrink with the square root of
///   the number of states that it was learned from, as in Duchi, Hazan and Singer, *Adaptive Subgradient Methods*, 2011.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The weight of each fluent, by its number; grows with the numbers that are seen.
    weights: Vec<Weight>,
    /// What is counted beside fluents, and the weight of each of its features.
    lines: WinningLines,
    line_weights: Vec<Weight>,
    /// The weight of all states.
    constant: Weight,
    /// Scratch: the fluents of a state, and its features of lines.
    fluents: Vec<Fluent>,
    features: Vec<u32>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    value: f32,
    /// The number of states that it was learned from.
    states: f32,
}

impl Weight {
    /// The number of states after which steps are about a third smaller.
    const STATES: f32 = 100.0;
    /// The least size of a step, as a share of the first: what is learned changes with the play from which it comes.
    const LEAST: f32 = 0.0125;

    /// Moves the weight by a step that shrinks; `step` is the first.
    fn learn(&mut self, step: f32) {
        self.value += step * (Self::STATES / (Self::STATES + self.states)).sqrt().max(Self::LEAST);
        self.states += 1.0;
    }
}

impl Learned {
    /// An evaluation that expects half of the range everywhere, and can learn from these lines as well.
    pub(super) fn new(lines: &[WinningLine]) -> Self {
        let lines = WinningLines::new(lines);
        let line_weights = vec![Weight::default(); lines.features()];
        let (weights, constant, fluents, features) = Default::default();
        Self { weights, lines, line_weights, constant, fluents, features }
    }

    /// The expected share in a state, from 0 to 1.
    pub fn share<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> f32 {
        reasoner.fluents(state, &mut self.fluents);
        let last = self.fluents.last().map_or(0, |fluent| fluent.index() + 1);
        if self.weights.len() < last {
            self.weights.resize(last, Weight::default());
        }
        self.features.clear();
        self.lines.add(&self.fluents, &mut self.features);
        let fluents: f32 = self.fluents.iter().map(|fluent| self.weights[fluent.index()].value).sum();
        let lines: f32 = self.features.iter().map(|&feature| self.line_weights[feature as usize].value).sum();
        1.0 / (1.0 + (-fluents - lines - self.constant.value).exp())
    }

    /// Moves the expected share in a state towards this one.
    pub(super) fn learn<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, share: f32) {
        let error = share - self.share(reasoner, state);
        // The slope of the logistic function is a quarter in the middle, so a first step corrects about the whole error.
        let step = 4.0 * error / (self.fluents.len() + self.features.len() + 1) as f32;
        self.constant.learn(step);
        self.fluents.iter().for_each(|fluent| self.weights[fluent.index()].learn(step));
        self.features.iter().for_each(|&feature| self.line_weights[feature as usize].learn(step));
    }
}

/// The share of the range that the first role gets in a terminal state, from 0 to 1.
pub(super) fn share_of_first<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<f32, ReasonError> {
    let utility = reasoner.goal(state, Role::new(0))?;
    Ok(reasoner.utility_range().share(utility.to_f32()))
}
