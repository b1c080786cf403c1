//! Guided search: priors of moves and values of leaves from outside the tree, such as a neural network's, in place of
//! random games.
//!
//! A role selects the move with the greatest `value + C · prior · √visits / (1 + visits of the move)` (PUCT). A move
//! without visits has the mean of the node, less a part that grows with the priors of the moves that have been visited.
//! Proofs, transpositions and memory are those of the unguided tree.
//!
//! A guide answers at once, so the tree asks it and goes on. Callers that collect the leaves of many trees and evaluate
//! them together, as on another device, use [`crate::GuidedTree`].

use super::Uct;
use super::node::{NodeIndex, RoleChoice};
use ggp_game::{Chance, Evaluation, Move, Reasoner, Role, UtilityRange};

/// Values of states and priors of moves that guide a tree search. As an [`Evaluation`] it judges the states at the horizon of
/// other searches.
///
/// - Source: Silver and others, *A general reinforcement learning algorithm that masters chess, shogi and Go through
///   self-play*, 2018; PUCT: Rosin, *Multi-armed Bandits with Episode Context*, 2011.
pub trait TreeGuide<R: Reasoner>: Evaluation<R> + Send {
    /// Appends the utility that each role can expect in a state that is not terminal.
    fn utilities(&mut self, reasoner: &R, state: &R::State, utilities: &mut Vec<f32>);

    /// Replaces the contents of `priors` by the probability of each of these legal moves of a role in a state; their sum
    /// is 1.
    fn priors(&mut self, reasoner: &R, state: &R::State, role: Role, moves: &[Move], priors: &mut Vec<f32>);

    /// Another guide of the same reasoner with the same answers.
    fn fork(&self) -> Box<dyn TreeGuide<R>>;
}

/// The weight C of priors, for utilities scaled to the range from 0 to 1.
const PRIOR_WEIGHT: f32 = 0.8;
/// The part by which a move without visits is worth less than the node, if all other moves have been visited; in the
/// same scale.
const UNVISITED: f32 = 0.1;

impl<R: Reasoner> Uct<R> {
    /// Evaluates leaves and moves by a guide from now on; no random games are played, and games with later moves do not
    /// count. The tree should be new.
    pub fn guide_by(&mut self, guide: Box<dyn TreeGuide<R>>) {
        self.options.rave = 0.0;
        self.tree.ignore_later_moves();
        self.guide = Some(guide);
    }

    /// Gives the moves of an expanded node their priors, if they have none and a guide is in use.
    pub(super) fn note_priors(&mut self, reasoner: &R, index: NodeIndex) {
        let Self { guide: Some(guide), tree, chance, .. } = self else { return };
        tree.note_priors(index, &mut |state, choice| {
            if Some(choice.role) == *chance {
                return Box::default();
            }
            let legal: Vec<Move> = choice.arms.iter().map(|arm| arm.chosen).collect();
            let mut priors = Vec::with_capacity(legal.len());
            guide.priors(reasoner, state, choice.role, &legal, &mut priors);
            priors.into()
        });
    }

    /// Replaces the contents of `utilities` by what the guide expects in these states; false without a guide.
    pub(super) fn guided_utilities(&mut self, reasoner: &R, states: &[R::State], utilities: &mut Vec<f32>) -> bool {
        let Some(guide) = &mut self.guide else { return false };
        utilities.clear();
        states.iter().for_each(|state| guide.utilities(reasoner, state, utilities));
        if let Some([one, other]) = self.opponents {
            // Opponents share the range, which a guide knows only approximately.
            for worth in utilities.chunks_exact_mut(self.roles) {
                let shared = f32::midpoint(worth[one.index()], self.range.rest(worth[other.index()]));
                worth[one.index()] = shared;
                worth[other.index()] = self.range.rest(shared);
            }
        }
        true
    }

    /// Mixes the priors of a role's moves in the first state with random ones, so that a game against oneself tries other
    /// moves too. `share` is the weight of the random ones, from 0 to 1. Does nothing before a search, or without a
    /// guide.
    ///
    /// - Source: Dirichlet noise at the root, as in Silver and others, 2018; approximated by powers of uniform numbers.
    #[expect(clippy::cast_possible_truncation, reason = "priors have 32 bits")]
    pub fn stir_priors(&mut self, share: f32, random: &mut Chance) {
        let root = self.tree.root();
        let Some(turn) = &mut self.tree.node_mut(root).turn else { return };
        for choice in turn.choices.iter_mut().filter(|choice| !choice.priors.is_empty()) {
            // A power of a uniform number is nearly distributed as the gamma distribution of shape 10 / moves, of which
            // Dirichlet noise is made: few moves get most of it.
            let power = choice.arms.len() as f64 / 10.0;
            let noise: Vec<f64> = choice.arms.iter().map(|_| random.fraction().powf(power.max(1.0))).collect();
            let sum: f64 = noise.iter().sum();
            for (prior, noise) in choice.priors.iter_mut().zip(noise) {
                let noise = if sum > 0.0 { (noise / sum) as f32 } else { *prior };
                *prior += share * (noise - *prior);
            }
        }
    }
}

/// The index of the move that PUCT selects. Of proven moves only the best is considered.
#[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
pub(super) fn most_promising(choice: &RoleChoice, range: UtilityRange) -> usize {
    let width = range.width() as f32;
    let best_proven = choice.proven.iter().map(|&worth| worth as f32).fold(f32::NEG_INFINITY, f32::max);
    let (mut visits, mut games, mut sum, mut known) = (0, 0, 0.0, 0.0);
    let prior = |index: usize| choice.priors.get(index).copied().unwrap_or(0.0);
    for (index, arm) in choice.arms.iter().enumerate().filter(|(_, arm)| arm.visits > 0) {
        visits += arm.visits;
        games += arm.played;
        sum += arm.mean * arm.played as f32;
        known += prior(index);
    }
    let mean = if games > 0 { sum / games as f32 } else { 0.0 };
    let unvisited = mean - UNVISITED * width * known.sqrt();
    let weight = PRIOR_WEIGHT * width * ((visits + 1) as f32).sqrt();
    let mut best = 0;
    let mut best_score = f32::NEG_INFINITY;
    for (index, arm) in choice.arms.iter().enumerate() {
        let proven = choice.proven.get(index).map(|&worth| worth as f32).filter(|worth| !worth.is_nan());
        let score = match proven {
            Some(worth) if worth < best_proven => continue,
            Some(worth) => worth,
            None => {
                let value = if arm.played > 0 { arm.mean } else { unvisited };
                value + weight * prior(index) / (1 + arm.visits) as f32
            }
        };
        if score > best_score {
            (best, best_score) = (index, score);
        }
    }
    best
}
