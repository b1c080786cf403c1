//! The values of strategies, and what a role gains by its best response to those of the others.

use super::{ExtensiveForm, StrategyProfile};
use std::ops::Range;

/// The values of a strategy profile for the players, in the order of [`ExtensiveForm::players`].
#[derive(Clone, Debug, PartialEq)]
pub struct ProfileValues {
    /// The mean utility of each player.
    pub values: Vec<f64>,
    /// The mean utility of each player if it plays its best response while the others keep their strategies.
    pub best_responses: Vec<f64>,
    /// A best response of each player, which is pure: the strategies of the players one by one.
    pub responses: StrategyProfile,
}

impl ProfileValues {
    /// The most that each player gains by another strategy.
    pub fn gains(&self) -> impl Iterator<Item = f64> + '_ {
        self.best_responses.iter().zip(&self.values).map(|(best, value)| (best - value).max(0.0))
    }

    /// The mean of what the players gain by their best responses: 0 in an equilibrium, and only there. With two players
    /// of constant sum a strategy of the profile yields on average no more than this less than the value of the game.
    pub fn exploitability(&self) -> f64 {
        self.gains().sum::<f64>() / self.values.len().max(1) as f64
    }
}

/// The values of a profile, by one pass over the leaves for each player.
///
/// - Source: Johanson, Waugh, Bowling and Zinkevich, *Accelerating Best Response Calculation in Large Extensive Games*,
///   IJCAI 2011, for the use of information sets; Lanctot and others, *OpenSpiel*, 2019, for the definition of
///   exploitability: the sum of the gains (NashConv) over the number of players.
pub fn evaluate(form: &ExtensiveForm, profile: &StrategyProfile) -> ProfileValues {
    let plan = profile.plan(form);
    let mut gains = vec![0.0; form.sequences];
    let mut responses = StrategyProfile::uniform(form);
    let mut values = Vec::new();
    let mut best_responses = Vec::new();
    for player in 0..form.width() {
        gather(form, &plan, player, &mut gains);
        let mut own = gains.clone();
        for set in form.sets[form.sets_of(player)].iter().rev() {
            let mean: f64 = set.moves().map(|sequence| profile.probabilities[sequence] * own[sequence]).sum();
            own[set.parent as usize] += mean;
        }
        values.push(own[player]);
        for set in form.sets[form.sets_of(player)].iter().rev() {
            let moves = set.moves();
            let best = moves.clone().reduce(|best, next| if gains[next] > gains[best] { next } else { best });
            let best = best.expect("a role that chooses has moves");
            responses.probabilities[moves].fill(0.0);
            responses.probabilities[best] = 1.0;
            gains[set.parent as usize] += gains[best];
        }
        best_responses.push(gains[player]);
    }
    ProfileValues { values, best_responses, responses }
}

/// Sets `gains` of each sequence of a player to the sum of the utilities of the leaves in which it ends, each with the
/// probability that chance and the plans of the others lead there (its counterfactual reach).
#[inline]
pub(super) fn gather(form: &ExtensiveForm, plan: &[f64], player: usize, gains: &mut [f64]) {
    gains[player] = 0.0;
    gains[sequences_of(form, player)].fill(0.0);
    let leaves = &form.leaves;
    match form.width() {
        // The same as below, without loops over players: this is where all time goes.
        2 => {
            for (sequences, weights) in
                leaves.sequences.as_chunks::<2>().0.iter().zip(leaves.weights.as_chunks::<2>().0)
            {
                gains[sequences[player] as usize] += weights[player] * plan[sequences[1 - player] as usize];
            }
        }
        width => {
            for (sequences, weights) in leaves.sequences.chunks_exact(width).zip(leaves.weights.chunks_exact(width)) {
                let others = (0..width).filter(|&other| other != player);
                let reach: f64 = others.map(|other| plan[sequences[other] as usize]).product();
                gains[sequences[player] as usize] += weights[player] * reach;
            }
        }
    }
}

/// The sequences of a player, without the empty one.
#[inline]
pub(super) fn sequences_of(form: &ExtensiveForm, player: usize) -> Range<usize> {
    let sets = &form.sets[form.sets_of(player)];
    match (sets.first(), sets.last()) {
        (Some(first), Some(last)) => first.moves().start..last.moves().end,
        _ => 0..0,
    }
}
