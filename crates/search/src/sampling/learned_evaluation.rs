//! An evaluation that a player learns by itself: it predicts the end of the game from the facts of a state.
//!
//! Its features are the fluents that hold, and the lines of fluents that win together ([`WinningLine`]): how many
//! fluents of a line hold, as long as the line is open.

use ggp_game::{Evaluation, Fluent, ReasonError, Reasoner, Role, WinningLine, WinningLineCounts};

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
        // States may have more words than before, when new fluents have been numbered.
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

    /// Computes the sum of the weights in the state that was evaluated last from all its features.
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
        // The weights have changed, so the next sum is computed anew.
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
        // The difference of both roles' values, which are opposite.
        Ok(2 * self.evaluate(reasoner, state, role)?)
    }
}

/// The share of the range that the first role gets in a terminal state, from 0 to 1.
pub(super) fn share_of_first<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<f32, ReasonError> {
    let utility = reasoner.goal(state, Role::new(0))?;
    Ok(reasoner.utility_range().share(utility.to_f32()))
}

/// The number of counts of a line: from nothing to all of the longest.
const COUNTS: usize = WinningLine::LONGEST + 1;

/// Weights of lines: one for each count that an open line can have. One half of it is a weight that all lines of a role
/// and a length share, the other is the line's own.
#[derive(Clone, Debug, Default)]
struct LineWeights {
    counts: WinningLineCounts,
    /// For each line the number of its kind: its role and its length.
    kinds: Vec<usize>,
    /// The weights of counts: those that are shared, kind after kind, and those of each line.
    shared: Vec<[FeatureWeight; COUNTS]>,
    own: Vec<[FeatureWeight; COUNTS]>,
    /// The sums of both for each line; valid if `is_summed`.
    sums: Vec<[i64; COUNTS]>,
    is_summed: bool,
}

impl LineWeights {
    /// These lines of a game of two roles, in a state without fluents.
    fn new(lines: &[WinningLine]) -> Self {
        let kind = |line: &WinningLine| line.role.index() * COUNTS + line.fluents.len();
        let numbers = |fluents: &[Fluent]| fluents.iter().map(|fluent| fluent.index()).collect::<Vec<usize>>();
        Self {
            counts: WinningLineCounts::new(lines.iter().map(|line| (numbers(&line.fluents), numbers(&line.rivals)))),
            kinds: lines.iter().map(kind).collect(),
            shared: vec![Default::default(); 2 * COUNTS],
            own: vec![Default::default(); lines.len()],
            sums: vec![Default::default(); lines.len()],
            is_summed: false,
        }
    }

    /// Counts that a fluent holds from now on, or no longer; returns the change of the sum of the weights of all open
    /// lines.
    fn flip(&mut self, fluent: usize, holds: bool) -> i64 {
        let mut change = 0;
        let Self { counts, sums, .. } = self;
        counts.flip(fluent, holds, |line, before, after| {
            let sum = |count: Option<usize>| count.map_or(0, |count| sums[line][count]);
            change += sum(after) - sum(before);
        });
        change
    }

    /// The sum of the weights of all open lines in the state that was counted. It must be called after learning, before
    /// [`LineWeights::flip`] is.
    fn sum(&mut self) -> i64 {
        if !self.is_summed {
            for ((sums, own), &kind) in self.sums.iter_mut().zip(&self.own).zip(&self.kinds) {
                let both = own.iter().zip(&self.shared[kind]);
                sums.iter_mut().zip(both).for_each(|(sum, (own, shared))| *sum = own.fixed() + shared.fixed());
            }
            self.is_summed = true;
        }
        self.counts.open().map(|(line, count)| self.sums[line][count]).sum()
    }

    /// The number of features in the state that was counted.
    fn features(&self) -> usize {
        2 * self.counts.open().count()
    }

    /// Moves the weights of all open lines by a step.
    fn learn(&mut self, step: f32) {
        for (line, count) in self.counts.open() {
            self.shared[self.kinds[line]][count].learn(step);
            self.own[line][count].learn(step);
            self.is_summed = false;
        }
    }
}

/// The weight of a feature, and how often it was learned.
///
/// - Source: stochastic gradient descent with steps that shrink with the square root of the number of states, as in
///   Duchi, Hazan and Singer, *Adaptive Subgradient Methods*, 2011.
#[derive(Clone, Copy, Debug, Default)]
struct FeatureWeight {
    value: f32,
    /// The number of states that it was learned from.
    states: f32,
}

impl FeatureWeight {
    /// The number of states after which steps are about a third smaller.
    const STATES: f32 = 100.0;
    /// The least size of a step, as a share of the first: what is learned changes with the play from which it comes.
    const LEAST: f32 = 0.0125;
    /// The whole number that stands for 1. Sums of whole numbers do not depend on the order.
    const ONE: f32 = (1 << 20) as f32;

    /// Moves the weight by a step that shrinks with the number of states; `step` is the size of the first.
    fn learn(&mut self, step: f32) {
        self.value += step * (Self::STATES / (Self::STATES + self.states)).sqrt().max(Self::LEAST);
        self.states += 1.0;
    }

    /// The weight as a whole number.
    #[expect(clippy::cast_possible_truncation, reason = "what is too large becomes the largest number")]
    fn fixed(self) -> i64 {
        (self.value * Self::ONE) as i64
    }

    /// The number for which a sum of such whole numbers stands.
    fn of_fixed(sum: i64) -> f32 {
        sum as f32 / Self::ONE
    }
}
