//! Monte Carlo counterfactual regret minimisation: CFR on sampled lines of the tree.

use super::extensive_form::FormNodeKind;
use super::profile::normalise;
use super::{ExtensiveForm, LearnedProfile, LearningEnd, StrategyProfile};
use crate::budget::Meter;
use crate::{Budget, Outcome, SearchError};
use ggp_game::Chance;

/// The lines that an iteration visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum LineSampling {
    /// All moves of the role whose regrets are updated; one of the others and of chance, drawn by their strategies.
    #[default]
    External,
    /// One line; the role whose regrets are updated explores with the probability 0.6.
    Outcome,
}

/// Strategies by Monte Carlo counterfactual regret minimisation: in each iteration regrets are updated by unbiased
/// estimates from sampled lines, once for each role. The answer is the average of the strategies.
///
/// - Precondition: none; what the average approaches is as with [`super::cfr()`].
/// - Guarantee: with a probability as close to 1 as one likes, exploitability falls with the square root of the
///   iterations.
/// - Cost: the lines of an iteration: with external sampling about the square root of the tree of two roles, with
///   outcome sampling one line for each role; the memory of three numbers for each sequence.
/// - Source: Lanctot, Waugh, Zinkevich and Bowling, *Monte Carlo Sampling for Regret Minimization in Extensive Games*,
///   NIPS 2009.
pub fn mccfr(
    form: &ExtensiveForm,
    sampling: LineSampling,
    end: LearningEnd,
    seed: u64,
    budget: &Budget,
) -> Result<Outcome<LearnedProfile>, SearchError> {
    let mut meter = Meter::start(budget);
    let mut search = Mccfr::new(form, seed);
    let mut halt = meter.holds((3 * form.sequences * size_of::<f64>()) as u64).err();
    let mut done = 0;
    while halt.is_none() && !end.is_reached(done, form, || StrategyProfile::weighted(form, &search.sum)) {
        for player in 0..form.width() {
            match sampling {
                LineSampling::External => {
                    search.external(0, player);
                }
                LineSampling::Outcome => {
                    search.outcome(0, player, Reach { own: 1.0, others: 1.0, sample: 1.0 });
                }
            }
        }
        done += 1;
        // Iterations are short: the clock is read at some of them.
        if done.is_multiple_of(ITERATIONS_PER_CHECK) {
            halt = meter.pause().err();
        }
    }
    let profile = StrategyProfile::weighted(form, &search.sum);
    meter.best_so_far(halt, (done > 0).then_some(LearnedProfile { profile, iterations: done }))
}

/// The number of iterations between two checks of the clock.
const ITERATIONS_PER_CHECK: u64 = 64;
/// The probability with which outcome sampling makes a uniformly random move of the role whose regrets are updated.
const EXPLORATION: f64 = 0.6;

struct Mccfr<'a> {
    form: &'a ExtensiveForm,
    random: Chance,
    /// By sequences: regrets, and the sum of strategies.
    regrets: Vec<f64>,
    sum: Vec<f64>,
    /// Scratch: the strategies on the current line, one after the other.
    strategies: Vec<f64>,
}

/// The probabilities of a line of outcome sampling.
#[derive(Clone, Copy)]
struct Reach {
    /// Those of the moves of the role whose regrets are updated.
    own: f64,
    /// Those of the moves of the others and of chance.
    others: f64,
    /// That of the line to be sampled.
    sample: f64,
}

impl<'a> Mccfr<'a> {
    fn new(form: &'a ExtensiveForm, seed: u64) -> Self {
        let [regrets, sum] = [(); 2].map(|()| vec![0.0; form.sequences]);
        Self { form, random: Chance::new(seed), regrets, sum, strategies: Vec::new() }
    }

    /// The current strategy at a set, added to the scratch memory; returns where it begins.
    fn push_strategy(&mut self, set: usize) -> usize {
        let start = self.strategies.len();
        let moves = self.form.sets[set].moves();
        self.strategies.resize(start + moves.len(), 0.0);
        normalise(&self.regrets[moves], &mut self.strategies[start..]);
        start
    }

    /// Draws an index by the probabilities from a place of the scratch memory on.
    fn draw(&mut self, start: usize) -> usize {
        let mut rest = self.random.fraction();
        let strategy = &self.strategies[start..];
        let drawn = strategy.iter().position(|probability| {
            rest -= probability;
            rest < 0.0
        });
        // By rounding, the probabilities may add up to slightly less than 1.
        drawn.unwrap_or(strategy.len() - 1)
    }

    /// Samples the lines below a node, updates the regrets of a player, and returns the estimate of its value.
    fn external(&mut self, node: usize, player: usize) -> f64 {
        let form = self.form;
        let children = form.children(form.nodes[node]);
        let set = match form.nodes[node].kind {
            FormNodeKind::Terminal(payoffs) => return form.payoffs_at(payoffs)[player],
            FormNodeKind::Chance(_) => {
                let drawn = self.random.below(children.len());
                return self.external(children.start + drawn, player);
            }
            FormNodeKind::Decision(set) => set as usize,
        };
        let start = self.push_strategy(set);
        let own = form.sets[set].player as usize;
        let moves = form.sets[set].moves();
        let value = if own == player {
            let mut mean = 0.0;
            for (index, child) in children.enumerate() {
                let value = self.external(child, player);
                mean += self.strategies[start + index] * value;
                self.regrets[moves.start + index] += value;
            }
            self.regrets[moves].iter_mut().for_each(|regret| *regret -= mean);
            mean
        } else {
            // With several opponents each set is averaged in the iteration of the player before its role.
            if own == (player + 1) % form.width() {
                let strategy = &self.strategies[start..];
                self.sum[moves].iter_mut().zip(strategy).for_each(|(sum, probability)| *sum += probability);
            }
            let drawn = self.draw(start);
            self.external(children.start + drawn, player)
        };
        self.strategies.truncate(start);
        value
    }

    /// Samples one line below a node, updates the regrets of a player and the averages of the others, and returns the
    /// utility of the player, weighted by importance: over the probability of the line below the node to be sampled.
    fn outcome(&mut self, node: usize, player: usize, reach: Reach) -> f64 {
        let form = self.form;
        let children = form.children(form.nodes[node]);
        let set = match form.nodes[node].kind {
            FormNodeKind::Terminal(payoffs) => return form.payoffs_at(payoffs)[player],
            FormNodeKind::Chance(_) => {
                let drawn = self.random.below(children.len());
                let probability = 1.0 / children.len() as f64;
                let Reach { own, others, sample } = reach;
                let reach = Reach { own, others: others * probability, sample: sample * probability };
                // Chance is sampled as it plays, so its weight is 1.
                return self.outcome(children.start + drawn, player, reach);
            }
            FormNodeKind::Decision(set) => set as usize,
        };
        let start = self.push_strategy(set);
        let moves = form.sets[set].moves();
        let is_own = form.sets[set].player as usize == player;
        let explores = is_own && self.random.fraction() < EXPLORATION;
        let drawn = if explores { self.random.below(moves.len()) } else { self.draw(start) };
        let probability = self.strategies[start + drawn];
        let sampled = match is_own {
            true => EXPLORATION / moves.len() as f64 + (1.0 - EXPLORATION) * probability,
            false => probability,
        };
        let child = children.start + drawn;
        let value = if is_own {
            let below = Reach { own: reach.own * probability, others: reach.others, sample: reach.sample * sampled };
            // Divided by the probability of the draw, the estimate is right on average, however moves are drawn.
            let weighted = self.outcome(child, player, below) / sampled;
            let mean = probability * weighted;
            // Importance sampling: the counterfactual reach over the probability of the line.
            let weight = reach.others / reach.sample;
            for (index, sequence) in moves.enumerate() {
                let value = if index == drawn { weighted } else { 0.0 };
                self.regrets[sequence] += weight * (value - mean);
            }
            mean
        } else {
            let below = Reach { own: reach.own, others: reach.others * probability, sample: reach.sample * sampled };
            let value = self.outcome(child, player, below);
            // The reach of a role whose strategy is averaged is that of its own moves, which is part of `others`.
            let weight = reach.others / reach.sample;
            let strategy = &self.strategies[start..];
            self.sum[moves].iter_mut().zip(strategy).for_each(|(sum, probability)| *sum += weight * probability);
            value
        };
        self.strategies.truncate(start);
        value
    }
}
