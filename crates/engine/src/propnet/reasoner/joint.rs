//! Joint moves and ranges of a program, for all who answer about many states.

use crate::program::Program;
use ggp_game::Role;
use std::ops::Range;

/// Adds all combinations of these legal moves, the last role's changing fastest; returns their number.
pub(super) fn add_joint_moves(legal: &[Vec<u32>], joint_moves: &mut Vec<u32>) -> usize {
    let count: usize = legal.iter().map(Vec::len).product();
    match legal.iter().position(|legal| legal.len() == count) {
        Some(chooser) => add_moves(legal, chooser, joint_moves),
        None => add_combinations(legal, count, joint_moves),
    }
    count
}

/// Adds a joint move for each move of a role, where the others have one move.
fn add_moves(legal: &[Vec<u32>], chooser: usize, joint_moves: &mut Vec<u32>) {
    for &chosen in &legal[chooser] {
        let start = joint_moves.len();
        joint_moves.extend(legal.iter().map(|legal| legal[0]));
        joint_moves[start + chooser] = chosen;
    }
}

fn add_combinations(legal: &[Vec<u32>], count: usize, joint_moves: &mut Vec<u32>) {
    let start = joint_moves.len();
    let roles = legal.len();
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
}

/// The range of each role's moves in the program.
pub(super) fn move_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.moves_of(Role::new(role))).collect()
}

/// The range of each role's goal values in the program.
pub(super) fn goal_ranges(program: &Program) -> Vec<Range<usize>> {
    (0..program.roles.len()).map(|role| program.goals_of(Role::new(role))).collect()
}
