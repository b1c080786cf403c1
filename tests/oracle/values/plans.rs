//! What one player can reach, and how soon.

use super::View;
use crate::space::Space;
use std::collections::BTreeSet;

/// The ends that one player can reach: the utility of each and the least number of moves to it, breadth first, within
/// a number of moves.
pub(crate) fn reached(space: &Space, view: View) -> Vec<(f64, usize)> {
    reached_from(space, 0, view)
}

/// As [`reached`], from another position.
pub(crate) fn reached_from(space: &Space, first: usize, view: View) -> Vec<(f64, usize)> {
    let mut seen = BTreeSet::from([first]);
    let mut layer = vec![first];
    let mut ends = Vec::new();
    let mut moves = 0;
    while !layer.is_empty() {
        let here = layer.iter().map(|&number| &space.positions[number]).filter(|position| position.is_terminal);
        ends.extend(here.map(|end| (view.utility(end, 0), moves)));
        if view.depth == Some(moves) {
            break;
        }
        let next = layer.iter().flat_map(|&number| &space.positions[number].next).copied();
        layer = next.filter(|&number| seen.insert(number)).collect();
        moves += 1;
    }
    ends
}

/// The greatest utility, if some end is reached.
pub(crate) fn best(ends: &[(f64, usize)]) -> Option<f64> {
    ends.iter().map(|end| end.0).max_by(f64::total_cmp)
}

/// The least number of moves to an end of at least this utility.
pub(crate) fn shortest(ends: &[(f64, usize)], utility: f64) -> Option<usize> {
    ends.iter().filter(|end| end.0 >= utility).map(|end| end.1).min()
}

/// The number of lines of exactly so many moves to ends of exactly this utility.
pub(crate) fn count(space: &Space, number: usize, utility: f64, moves: usize) -> u64 {
    let position = &space.positions[number];
    if position.is_terminal {
        return u64::from(moves == 0 && position.utilities[0] == Some(utility));
    }
    if moves == 0 { 0 } else { position.next.iter().map(|&next| count(space, next, utility, moves - 1)).sum() }
}
