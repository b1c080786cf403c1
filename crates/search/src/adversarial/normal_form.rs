//! One simultaneous choice of any number of sides.

use super::bimatrix::Bimatrix;

/// What each side gains for each joint move.
pub(super) struct NormalForm {
    /// The number of moves of each side.
    counts: Vec<usize>,
    /// The gains of all sides for each joint move. The move of the last side changes fastest.
    pub(super) gains: Vec<f64>,
}

/// How all sides play, and what each gains on average.
pub(super) struct StagePlay {
    /// The probability of each move, side by side.
    pub(super) mixtures: Vec<Vec<f64>>,
    /// The mean gain of each side.
    pub(super) means: Vec<f64>,
}

impl NormalForm {
    /// What counts as no gain, with the gains of a side scaled to 0 to 1: gains may be rounded means.
    const ROUNDING: f64 = 1e-9;

    /// No gains yet.
    #[inline]
    pub(super) fn new(counts: Vec<usize>) -> Self {
        let gains = Vec::with_capacity(counts.iter().product::<usize>().saturating_mul(counts.len()));
        Self { counts, gains }
    }

    /// Keeps the joint moves with the first moves of the first side.
    #[inline]
    pub(super) fn keep_first(&mut self, moves: usize) {
        self.counts[0] = moves;
        self.gains.truncate(self.len() * self.sides());
    }

    #[inline]
    pub(super) fn sides(&self) -> usize {
        self.counts.len()
    }

    /// The number of moves of a side.
    #[inline]
    pub(super) fn count(&self, side: usize) -> usize {
        self.counts[side]
    }

    /// The number of joint moves.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.counts.iter().product()
    }

    /// The sides that have a choice.
    #[inline]
    pub(super) fn choosing(&self) -> Vec<usize> {
        (0..self.sides()).filter(|&side| self.counts[side] > 1).collect()
    }

    /// The number of joint moves from one move of a side to the next.
    #[inline]
    fn stride(&self, side: usize) -> usize {
        self.counts[side + 1..].iter().product()
    }

    /// The move of a side in a joint move.
    #[inline]
    pub(super) fn chosen(&self, joint_move: usize, side: usize) -> usize {
        joint_move / self.stride(side) % self.counts[side]
    }

    /// The gains of all sides in a joint move.
    #[inline]
    pub(super) fn gains_of(&self, joint_move: usize) -> &[f64] {
        &self.gains[joint_move * self.sides()..][..self.sides()]
    }

    /// What counts as no gain for a side.
    #[inline]
    fn rounding(&self, side: usize) -> f64 {
        let gains = || self.gains.iter().skip(side).step_by(self.sides()).copied();
        Self::ROUNDING * (gains().fold(f64::NEG_INFINITY, f64::max) - gains().fold(f64::INFINITY, f64::min))
    }

    /// The joint moves from which no side gains by making another move alone: the equilibria of pure strategies, in
    /// their order.
    pub(super) fn pure_equilibria(&self) -> Vec<usize> {
        let sides = self.sides();
        let len = self.len();
        let mut is_stable = vec![true; len];
        let mut best = vec![f64::NEG_INFINITY; len];
        for side in self.choosing() {
            let stride = self.stride(side);
            let rounding = self.rounding(side);
            // The joint move in which the others' moves are the same and the side makes its first.
            let first = |joint_move: usize| joint_move - self.chosen(joint_move, side) * stride;
            best.fill(f64::NEG_INFINITY);
            for joint_move in 0..len {
                let best = &mut best[first(joint_move)];
                *best = best.max(self.gains[joint_move * sides + side]);
            }
            for joint_move in 0..len {
                is_stable[joint_move] &= self.gains[joint_move * sides + side] >= best[first(joint_move)] - rounding;
            }
        }
        (0..len).filter(|&joint_move| is_stable[joint_move]).collect()
    }

    /// Of some joint moves the first in which the sum of all gains is greatest.
    #[inline]
    pub(super) fn most_together(&self, joint_moves: &[usize]) -> Option<usize> {
        let rounding = (0..self.sides()).map(|side| self.rounding(side)).fold(0.0, f64::max);
        let sum = |joint_move: usize| self.gains_of(joint_move).iter().sum::<f64>();
        let joint_moves = joint_moves.iter().copied();
        joint_moves.reduce(|best, next| if sum(next) > sum(best) + rounding { next } else { best })
    }

    /// The play in which each side makes its move of a joint move.
    #[inline]
    pub(super) fn pure_play(&self, joint_move: usize) -> StagePlay {
        let pure = |side: usize| {
            let chosen = self.chosen(joint_move, side);
            (0..self.counts[side]).map(|index| f64::from(u8::from(index == chosen))).collect()
        };
        StagePlay { mixtures: (0..self.sides()).map(pure).collect(), means: self.gains_of(joint_move).to_vec() }
    }

    /// An equilibrium of mixed strategies of the two sides that have a choice; `None` if it cannot be computed
    /// precisely enough.
    pub(super) fn mixed_play(&self, [first, second]: [usize; 2]) -> Option<StagePlay> {
        let gains = |side: usize| self.gains.iter().skip(side).step_by(self.sides()).copied().collect();
        let rows = self.counts[first];
        let columns = self.counts[second];
        let [row, column] = Bimatrix { rows, columns, first: gains(first), second: gains(second) }.equilibrium()?;
        let mut means = vec![0.0; self.sides()];
        for joint_move in 0..self.len() {
            let probability = row[self.chosen(joint_move, first)] * column[self.chosen(joint_move, second)];
            means.iter_mut().zip(self.gains_of(joint_move)).for_each(|(mean, gain)| *mean += probability * gain);
        }
        let mut mixtures = vec![vec![1.0]; self.sides()];
        (mixtures[first], mixtures[second]) = (row, column);
        Some(StagePlay { mixtures, means })
    }
}
