//! Stage games: states in which several roles choose at once and proven values follow their joint moves.
//!
//! With two sides, what follows is a matrix; where one gains what the other loses, its equilibrium gives the value, and
//! the moves may have to be mixed to reach it.

use super::Uct;
use super::children::NodeIndex;
use super::prove::MOST_JOINT_MOVES;
use super::tree::NodeTurn;
use crate::game::{Chance, Reasoner, Role};
use crate::search::adversarial::{Matrix, MixedPlay};

/// The greatest number of joint moves of a matrix that is solved.
const LARGEST_MATRIX: u64 = 1024;

/// The greatest difference between sums of utilities that count as equal.
const ROUNDING: f32 = 0.01;

/// A stage game of two sides in which one gains what the other loses.
struct SolvedStage {
    /// The equilibrium; gains are the utilities of the first side.
    play: MixedPlay,
    /// The sum of the utilities of both.
    sum: f64,
}

impl<R: Reasoner> Uct<R> {
    /// The value of a node in which several roles choose, if a move decides it with these picks: one after which a role
    /// has the most there is whatever the others do, and they have the same.
    pub(super) fn forced_by_a_pick(&self, index: NodeIndex, turn: &NodeTurn, picks: &[u32]) -> Option<Box<[f32]>> {
        let worth = self.tree.proven(self.tree.child(index, turn.joint(picks))?)?;
        let most = self.range.most.to_f32();
        let forces = |side: usize| {
            let role = turn.choices[side].role;
            let is_same = |joint| self.proven_after(index, joint) == Some(worth);
            Some(role) != self.chance && worth[role.index()] >= most && turn.with_pick(side, picks[side]).all(is_same)
        };
        (turn.width() <= MOST_JOINT_MOVES && (0..turn.choices.len()).any(forces)).then(|| worth.into())
    }

    /// The value of a node in which two sides choose at once, if all that follows is proven.
    pub(super) fn stage_value(&self, index: NodeIndex, turn: &NodeTurn) -> Option<Box<[f32]>> {
        let SolvedStage { play, sum } = self.solve_stage(index, turn)?;
        #[expect(clippy::cast_possible_truncation, reason = "values have 32 bits")]
        let (first, second) = (play.value as f32, (sum - play.value) as f32);
        Some([first, second].into())
    }

    /// Whether the values that follow a node explain its value by an equilibrium.
    pub(super) fn is_solved_stage(&self, index: NodeIndex) -> bool {
        self.tree.node(index).turn.as_ref().is_some_and(|turn| self.solve_stage(index, turn).is_some())
    }

    /// The index of a move of a role in a node whose value is proven by an equilibrium, drawn with the probabilities of
    /// its strategy. The same tree gives the same move. `None` elsewhere, and for a role to which the equilibrium gives
    /// the least: then random games say which move is the hardest to answer.
    pub(super) fn drawn_from_equilibrium(&self, index: NodeIndex, role: Role) -> Option<usize> {
        let (node, worth) = (self.tree.node(index), self.tree.proven(index)?);
        let turn = node.turn.as_ref()?;
        if worth[role.index()] <= self.range.least.to_f32() {
            return None;
        }
        let side = turn.choices.iter().position(|choice| choice.role == role)?;
        let SolvedStage { play, .. } = self.solve_stage(index, turn)?;
        let strategy = if side == 0 { play.row } else { play.column };
        // Both sides draw for themselves, also where one tree advises both.
        let seed = self.options.seed ^ (u64::from(node.ply()) << 32) ^ ((role.index() as u64) << 56);
        let mut left = Chance::new(seed).fraction();
        let mut drawn = None;
        for (pick, probability) in strategy.into_iter().enumerate().filter(|&(_, probability)| probability > 0.0) {
            drawn = Some(pick);
            left -= probability;
            if left < 0.0 {
                break;
            }
        }
        drawn
    }

    /// The equilibrium in a node in which two sides choose, if all that follows is proven with the same sum of
    /// utilities.
    fn solve_stage(&self, index: NodeIndex, turn: &NodeTurn) -> Option<SolvedStage> {
        let [first, second] = &turn.choices[..] else { return None };
        if self.roles != 2 || self.chance.is_some() || turn.width() > LARGEST_MATRIX {
            return None;
        }
        let sum: f32 = self.proven_after(index, 0)?.iter().sum();
        let entry = |joint| {
            let worth = self.proven_after(index, joint)?;
            ((worth.iter().sum::<f32>() - sum).abs() <= ROUNDING).then(|| f64::from(worth[0]))
        };
        let entries = (0..turn.width()).map(entry).collect::<Option<Vec<f64>>>()?;
        let play = Matrix { rows: first.arms.len(), columns: second.arms.len(), entries }.solve()?;
        Some(SolvedStage { play, sum: sum.into() })
    }

    /// The exact value after a joint move, if it is proven.
    fn proven_after(&self, index: NodeIndex, joint: u64) -> Option<&[f32]> {
        self.tree.proven(self.tree.child(index, joint)?)
    }
}
