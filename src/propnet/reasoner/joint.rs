//! Joint moves and ranges of a program, for all who answer about many states.

use crate::game::Role;
use crate::program::Program;
use std::ops::Range;

/// Adds all combinations of these legal moves, the last role's changing fastest; returns their number.
pub(super) fn add_joint_moves(legal: &[Vec<u32>], joint_moves: &mut Vec<u32>) -> usize {
    let count: usize = legal.iter().map(Vec::len).product();
    let (start, roles) = (joint_moves.len(), legal.len());
    joint_moves.resize(start + count * roles, 0);
    // Each role in turn: a move is repeated for all combinations of the later roles' moves.
    let mut repeated = count;
    for (role, legal) in legal.iter().enumerate() {
        repeated /= legal.len().max(1);
        let mut place = start + role;
        for &chosen in legal.iter().cycle().take(count / repeated.max(1)) {
            for _ in 0..repeated {
                joint_moves[place] = chosen;
                place += roles;
            }
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
