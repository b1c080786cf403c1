//! Stage games: states in which two players choose at once and proven values follow their joint moves.
//!
//! What follows is a matrix; where one gains what the other loses, its equilibrium gives the value, and the moves may
//! have to be mixed to reach it.

use super::Uct;
use super::children::NodeIndex;
use super::proof::OPEN;
use crate::adversarial::{Matrix, MixedPlay};
use ggp_game::{Chance, Reasoner, Role};

/// The greatest number of joint moves of a matrix that is solved.
const LARGEST_MATRIX: u64 = 1024;

/// The greatest difference between sums of utilities that count as equal, as a share of the range of utilities.
const ROUNDING: f64 = 1e-6;

/// A stage game of two players in which one gains what the other loses.
pub(super) struct StageSolution {
    /// The players, the one that gains first.
    sides: [Role; 2],
    /// The equilibrium; gains are the utilities of the first side.
    play: MixedPlay,
    /// The sum of the utilities of both.
    sum: f64,
}

impl StageSolution {
    /// The value for each of the players.
    #[inline]
    pub(super) fn values(&self) -> [(Role, f64); 2] {
        let [first, second] = self.sides;
        [(first, self.play.value), (second, self.sum - self.play.value)]
    }
}

impl<R: Reasoner> Uct<R> {
    /// The probabilities of the moves of a role in a node whose value is proven by an equilibrium. `None` elsewhere, and
    /// for a role to which the equilibrium gives the least: then random games say which move is the hardest to answer.
    #[inline]
    pub(super) fn equilibrium_strategy(&self, index: NodeIndex, role: Role) -> Option<Vec<f64>> {
        if self.known(index, role)? <= self.range.least.to_f64() {
            return None;
        }
        let StageSolution { sides, play, .. } = self.solved_stage(index)?;
        let side = sides.iter().position(|&own| own == role)?;
        Some(if side == 0 { play.row } else { play.column })
    }

    /// The index of a move of a role in a node, drawn with these probabilities. The same tree gives the same move.
    pub(super) fn drawn(&self, index: NodeIndex, role: Role, strategy: &[f64]) -> usize {
        // Both sides draw for themselves, also where one tree advises both.
        let seed = self.options.seed ^ (u64::from(self.tree.node(index).ply()) << 32) ^ ((role.index() as u64) << 56);
        let mut left = Chance::new(seed).fraction();
        let mut drawn = 0;
        for (pick, &probability) in strategy.iter().enumerate().filter(|&(_, &probability)| probability > 0.0) {
            drawn = pick;
            left -= probability;
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// The equilibrium in a node in which the two players of the game choose, if all that follows is proven with the same
    /// sum of their utilities.
    pub(super) fn solved_stage(&self, index: NodeIndex) -> Option<StageSolution> {
        let players = self.players_turn(index).filter(|players| players.width() <= LARGEST_MATRIX)?;
        let mut choices = players.choices();
        let (Some(first), Some(second), None) = (choices.next(), choices.next(), choices.next()) else { return None };
        if self.roles - usize::from(self.chance.is_some()) != 2 {
            return None;
        }
        let sides = [first.role, second.role];
        let mut sum = OPEN;
        let mut entries = Vec::new();
        for joint in 0..players.width() {
            let values = self.outcome(players, joint)?;
            let [gain, loss] = sides.map(|role| values[role.index()]);
            sum = if joint == 0 { gain + loss } else { sum };
            // What is not known has no sum.
            let is_shared = (gain + loss - sum).abs() <= ROUNDING * self.range.width();
            entries.push(is_shared.then_some(gain)?);
        }
        let play = Matrix { rows: first.arms.len(), columns: second.arms.len(), entries }.solve()?;
        Some(StageSolution { sides, play, sum })
    }
}
