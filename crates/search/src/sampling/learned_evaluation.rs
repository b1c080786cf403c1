//! An evaluation that a player learns by itself: what the facts of a state say about the end of the game.

use super::lines::LineWeights;
use super::weights::FeatureWeight;
use ggp_game::{Evaluation, ReasonError, Reasoner, Role, WinningLine};

/// The share of the range of utilities that the first role will get, estimated from the fluents of a state: the
/// logistic function of a sum of weights, one for each fluent that holds and two for each open line of which something
/// holds ([`WinningLine`]). For games of two sides in which one gains what the other loses.
///
/// - Cost: a few operations for each fluent that differs from the state that was evaluated before, and for each line to
///   which it belongs. So states should be evaluated beside their siblings.
/// - Source: logistic regression by stochastic gradient descent.
#[derive(Clone, Debug)]
pub struct LearnedEvaluation {
    /// The weight of each fluent, by its number; grows with the numbers that are seen.
    weights: Vec<FeatureWeight>,
    lines: LineWeights,
    /// The weight of all states.
    constant: FeatureWeight,
    /// The fluents of the state that was evaluated last, a bit for each.
    words: Vec<u64>,
    /// The sum of all weights in that state; `None` if something was learned since then.
    sum: Option<i64>,
    /// Scratch: the fluents of the next state.
    next: Vec<u64>,
}

impl LearnedEvaluation {
    /// An evaluation that expects half of the range everywhere, and can learn from these lines as well.
    pub(super) fn new(lines: &[WinningLine]) -> Self {
        Self {
            weights: Vec::new(),
            lines: LineWeights::new(lines),
            constant: FeatureWeight::default(),
            words: Vec::new(),
            sum: None,
            next: Vec::new(),
        }
    }

    /// The expected share in a state, from 0 to 1.
    pub fn share<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> f32 {
        1.0 / (1.0 + (-FeatureWeight::of_fixed(self.sum(reasoner, state))).exp())
    }

    /// The sum of the weights in a state.
    fn sum<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) -> i64 {
        reasoner.fluent_words(state, &mut self.next);
        let all = self.next.len().max(self.words.len());
        self.next.resize(all, 0);
        self.words.resize(all, 0);
        self.weights.resize(self.weights.len().max(64 * all), FeatureWeight::default());
        let mut change = 0;
        for (index, (word, next)) in self.words.iter_mut().zip(&self.next).enumerate() {
            let mut differing = *word ^ next;
            *word = *next;
            while differing != 0 {
                let fluent = 64 * index + differing.trailing_zeros() as usize;
                let holds = next >> (fluent % 64) & 1 == 1;
                let weight = self.weights[fluent].fixed();
                change += self.lines.flip(fluent, holds) + if holds { weight } else { -weight };
                differing &= differing - 1;
            }
        }
        let sum = self.sum.map_or_else(|| self.whole_sum(), |sum| sum + change);
        self.sum = Some(sum);
        sum
    }

    /// The sum of the weights in the state that was evaluated last, anew.
    fn whole_sum(&mut self) -> i64 {
        let fluents: i64 = self.fluents().map(|fluent| self.weights[fluent].fixed()).sum();
        self.constant.fixed() + fluents + self.lines.sum()
    }

    /// The fluents of the state that was evaluated last.
    fn fluents(&self) -> impl Iterator<Item = usize> {
        ones(&self.words)
    }

    /// Moves the expected share in a state towards this one.
    pub(super) fn learn<R: Reasoner>(&mut self, reasoner: &R, state: &R::State, share: f32) {
        let error = share - self.share(reasoner, state);
        let features = self.fluents().count() + self.lines.features() + 1;
        // The slope of the logistic function is a quarter in the middle, so a first step corrects about the whole
        // error.
        let step = 4.0 * error / features as f32;
        self.constant.learn(step);
        ones(&self.words).for_each(|fluent| self.weights[fluent].learn(step));
        self.lines.learn(step);
        self.sum = None;
    }
}

/// The numbers of the bits that are set, ascending.
fn ones(words: &[u64]) -> impl Iterator<Item = usize> {
    let of_word = |word: u64| std::iter::successors(Some(word), |rest| Some(rest & rest.wrapping_sub(1)));
    let ones = move |word: u64| of_word(word).take_while(|&rest| rest != 0).map(|rest| rest.trailing_zeros() as usize);
    words.iter().enumerate().flat_map(move |(index, &word)| ones(word).map(move |bit| 64 * index + bit))
}

/// The sum of the weights as a value for full-width searches: 0 where both sides can expect the same.
impl<R: Reasoner> Evaluation<R> for LearnedEvaluation {
    fn evaluate(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        let sum = self.sum(reasoner, state);
        Ok(if role.index() == 0 { sum } else { -sum })
    }

    fn lead(&mut self, reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
        Ok(2 * self.evaluate(reasoner, state, role)?)
    }
}

/// The share of the range that the first role gets in a terminal state, from 0 to 1.
pub(super) fn share_of_first<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<f32, ReasonError> {
    let utility = reasoner.goal(state, Role::new(0))?;
    Ok(reasoner.utility_range().share(utility.to_f32()))
}
