//! Values of turn-taking games in which positions repeat, so that play may never end.

use super::indices;
use crate::space::Space;

/// What a role can force against all others, if play without end counts `endless` for it.
pub(crate) fn forced(space: &Space, role: usize, endless: f64) -> f64 {
    let mut utilities: Vec<f64> = space.ends().filter_map(|end| end.utilities[role]).chain([endless]).collect();
    utilities.sort_by(f64::total_cmp);
    let is_forced = |least: &&f64| {
        if **least > endless {
            reaches(space, role, true, |utility| utility >= **least)[0]
        } else {
            !reaches(space, role, false, |utility| utility < **least)[0]
        }
    };
    *utilities.iter().rev().find(is_forced).expect("the least is always forced")
}

/// The positions from which the role (or, if it is not `own`, the others together) can force an end with a utility of
/// the role for which `is_aim` holds. In each position the role chooses first, and the others reply.
fn reaches(space: &Space, role: usize, own: bool, is_aim: impl Fn(f64) -> bool) -> Vec<bool> {
    let mut reached: Vec<bool> = space
        .positions
        .iter()
        .map(|position| position.is_terminal && position.utilities[role].is_some_and(&is_aim))
        .collect();
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (number, position) in space.positions.iter().enumerate() {
            if reached[number] || position.is_terminal {
                continue;
            }
            let leads = |joint_move: &Vec<usize>| reached[position.after(joint_move)];
            let joint_moves = indices(position);
            let of_move = |index: usize| joint_moves.iter().filter(move |joint_move| joint_move[role] == index);
            let mut moves = 0..position.legal[role].len();
            let is_reached = if own {
                moves.any(|index| of_move(index).all(leads))
            } else {
                moves.all(|index| of_move(index).any(leads))
            };
            reached[number] = is_reached;
            goes_on |= is_reached;
        }
    }
    reached
}
