//! Values of turn-taking games in which positions repeat, so that play may never end.

use super::{after_move, indices};
use crate::space::{Position, Space};

/// What a role can force against all others, if play without end counts `endless` for it.
pub(crate) fn forced(space: &Space, role: usize, endless: f64) -> f64 {
    forced_everywhere(space, role, endless)[0]
}

/// The same in each position.
pub(crate) fn forced_everywhere(space: &Space, role: usize, endless: f64) -> Vec<f64> {
    let mut utilities: Vec<f64> = space.ends().filter_map(|end| end.utilities[role]).chain([endless]).collect();
    utilities.sort_by(f64::total_cmp);
    let mut values = vec![f64::NEG_INFINITY; space.positions.len()];
    for least in utilities {
        let is_forced: Vec<bool> = if least > endless {
            reaches(space, role, true, |utility| utility >= least)
        } else {
            reaches(space, role, false, |utility| utility < least)
                .into_iter()
                .map(|is_prevented| !is_prevented)
                .collect()
        };
        values.iter_mut().zip(is_forced).filter(|(_, is_forced)| *is_forced).for_each(|(value, _)| *value = least);
    }
    values
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

/// The mean that a role can force, if play without end counts `endless`, which is the least or the greatest utility:
/// what its values converge to from there.
pub(crate) fn mean(space: &Space, role: usize, uniform: bool, endless: f64) -> f64 {
    let end =
        |position: &Position| if position.is_terminal { position.utilities[role].unwrap_or(endless) } else { endless };
    let mut values: Vec<f64> = space.positions.iter().map(end).collect();
    loop {
        let mean = |number: usize| {
            let position = &space.positions[number];
            let value = |own: usize| after_move(space, role, uniform, number, own, |next| values[next]);
            let moves = 0..position.legal[role].len();
            if position.is_terminal { values[number] } else { moves.map(value).fold(f64::NEG_INFINITY, f64::max) }
        };
        let next: Vec<f64> = (0..values.len()).map(mean).collect();
        let change = values.iter().zip(&next).map(|(old, new)| (old - new).abs()).fold(0.0, f64::max);
        values = next;
        if change < 1e-7 {
            return values[0];
        }
    }
}
