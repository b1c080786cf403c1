//! Joint moves and ranges of a program, for all who answer about many states.

use crate::game::Role;
use crate::program::Program;
use std::ops::Range;

/// Adds all combinations of these legal moves, the last role's changing fastest; returns their number.
pub(super) fn add_joint_moves(legal: &[Vec<u32>], joint_moves: &mut Vec<u32>) -> usize {
    let count = legal.iter().map(Vec::len).product();
    for number in 0..count {
        let (start, mut rest) = (joint_moves.len(), number);
        joint_moves.resize(start + legal.len(), 0);
        for (chosen, legal) in joint_moves[start..].iter_mut().zip(legal).rev() {
            *chosen = legal[rest % legal.len()];
            rest /= legal.len();
        }
    }
    count
}

/// The range of each role's moves in the program.
pub(super) fn move_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.moves_of(Role::new(role))).collect()
}

/// The range of each role's goal values in the program.
pub(super) fn goal_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.goals_of(Role::new(role))).collect()
}
