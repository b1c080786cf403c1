//! Estimates in the tree: a learned evaluation beside the random games.
//!
//! A node has an estimate from the moment at which it is added: what the evaluation expects in its state, and later the
//! minimax value of the estimates below it. Selection adds it to the mean of the games, so that a refutation counts at
//! once and not only when games have shown it often enough; and the result of the games from a leaf is mixed with the
//! estimate of the leaf.
//!
//! Source: Lanctot, Winands, Pepels and Sturtevant, *Monte Carlo Tree Search with Heuristic Evaluations using Implicit
//! Minimax Backups*, 2014.

use super::super::learned_evaluation::LearnedEvaluation;
use super::Uct;
use super::children::NodeIndex;
use super::grow::Lines;
use ggp_game::{Reasoner, Role};

impl<R: Reasoner> Uct<R> {
    /// Uses a learned evaluation with the weight of its options from now on. The evaluation is for games of two sides
    /// that take turns, and has been learned with the same engine; the tree should be new.
    #[inline]
    pub fn estimate_by(&mut self, learned: LearnedEvaluation) {
        self.learned = Some(learned);
    }

    /// Gives the node at the end of a line its estimate, if it is a new or a proven one, and hands it up the line.
    pub(super) fn estimate(&mut self, reasoner: &R, line: &Lines, end: NodeIndex) {
        let Some(learned) = &mut self.learned else { return };
        if !self.is_contest {
            return;
        }
        let node = self.tree.node(end);
        #[expect(clippy::cast_possible_truncation, reason = "estimates have 32 bits")]
        let mut estimate = match node.proven.as_ref().and_then(|proof| proof.of(Role::new(0))) {
            Some(value) => value as f32,
            None if node.visits > 0 => node.estimate,
            None => self.range.at(learned.share(reasoner, &node.state)),
        };
        self.tree.node_mut(end).estimate = estimate;
        for &(index, start) in line.open().iter().rev() {
            let node = self.tree.node_mut(index);
            let choices = node.turn.as_mut().map_or(&mut [][..], |turn| &mut turn.choices);
            if let [choice] = choices {
                let is_first = choice.role == Role::new(0);
                let side = |estimate: f32| if is_first { estimate } else { self.range.rest(estimate) };
                choice.arms[line.picks[start] as usize].estimate = side(estimate);
                estimate = side(choice.arms.iter().map(|arm| arm.estimate).fold(f32::NEG_INFINITY, f32::max));
            }
            if node.estimate == estimate {
                return;
            }
            node.estimate = estimate;
        }
    }

    /// Mixes the results of random games from leaves with the estimates of these leaves.
    pub(super) fn mix(&self, leaves: &[NodeIndex], utilities: &mut [f32]) {
        let weight = self.estimate_weight();
        if weight == 0.0 {
            return;
        }
        for (worth, &leaf) in utilities.chunks_exact_mut(self.roles).zip(leaves) {
            let estimate = self.tree.node(leaf).estimate;
            worth[0] += weight * (estimate - worth[0]);
            worth[1] += weight * (self.range.rest(estimate) - worth[1]);
        }
    }

    /// The weight of estimates against the results of random games, from 0 to 1; 0 without an evaluation.
    #[expect(clippy::cast_possible_truncation, reason = "estimates have 32 bits")]
    #[inline]
    pub(super) fn estimate_weight(&self) -> f32 {
        if self.learned.is_some() && self.is_contest { self.options.estimate as f32 } else { 0.0 }
    }
}
