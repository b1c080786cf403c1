//! Games of practice that are held out: nothing is learned from them, so they show what an evaluation foretells.

use super::learned_evaluation::LearnedEvaluation;
use gdl::number::to_u32;
use ggp_game::Reasoner;
use std::collections::VecDeque;

/// The last games that were held out.
pub(super) struct HeldOutGames<S> {
    games: VecDeque<HeldOutGame<S>>,
}

struct HeldOutGame<S> {
    states: Vec<S>,
    /// The share of the first role at the end.
    end: f32,
}

/// How well an evaluation foretells the ends of games from which it has learned nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogLoss {
    /// The number of these games.
    pub games: u32,
    /// The mean, over their states, of minus the logarithm of the probability that is given to the end.
    pub loss: f64,
    /// That of the mean end, which knows nothing of the states.
    pub of_mean: f64,
    /// By how many standard errors the covariance between what is expected in a game, on average over its states, and
    /// its end is above 0: whether the evaluation knows anything, however much it exaggerates.
    pub agreement: f64,
}

impl<S> HeldOutGames<S> {
    /// The most games that are kept.
    const MOST: usize = 500;

    pub(super) fn new() -> Self {
        Self { games: VecDeque::new() }
    }

    /// Keeps a game, and forgets the oldest if there are too many.
    pub(super) fn keep(&mut self, states: impl Iterator<Item = S>, end: f32) {
        if self.games.len() == Self::MOST {
            self.games.pop_front();
        }
        self.games.push_back(HeldOutGame { states: states.collect(), end });
    }

    /// How well an evaluation foretells their ends; `None` without games.
    pub(super) fn log_loss<R: Reasoner<State = S>>(
        &self,
        reasoner: &R,
        learned: &mut LearnedEvaluation,
    ) -> Option<LogLoss> {
        let mut states = 0.0;
        let mut sum = 0.0;
        let mut loss = 0.0;
        let mut games = Vec::with_capacity(self.games.len());
        for HeldOutGame { states: held_out, end } in self.games.iter().filter(|game| !game.states.is_empty()) {
            let end = f64::from(*end);
            let mut expected = 0.0;
            for state in held_out {
                let share = f64::from(learned.share(reasoner, state));
                loss += loss_of(share, end);
                expected += share;
            }
            let length = held_out.len() as f64;
            states += length;
            sum += end * length;
            games.push((expected / length, end));
        }
        let mean = sum / states;
        // The loss is linear in the end, so the mean end stands for all.
        let loss = loss / states;
        let of_mean = loss_of(mean, mean);
        let agreement = agreement(&games);
        (states > 0.0).then(|| LogLoss { games: to_u32(games.len()), loss, of_mean, agreement })
    }
}

/// [`LogLoss::agreement`] of games, each with what was expected and its end; 0 if all are alike.
fn agreement(games: &[(f64, f64)]) -> f64 {
    let mean = |part: fn(&(f64, f64)) -> f64| games.iter().map(part).sum::<f64>() / games.len() as f64;
    let mean_expected = mean(|game| game.0);
    let mean_end = mean(|game| game.1);
    let products = games.iter().map(|(expected, end)| (expected - mean_expected) * (end - mean_end));
    let squares: f64 = products.clone().map(|product| product * product).sum();
    if squares > 0.0 { products.sum::<f64>() / squares.sqrt() } else { 0.0 }
}

/// The log loss of a probability where the share at the end is this.
fn loss_of(probability: f64, end: f64) -> f64 {
    const LEAST: f64 = 1e-6;
    let probability = probability.clamp(LEAST, 1.0 - LEAST);
    -(end * probability.ln() + (1.0 - end) * (1.0 - probability).ln())
}
