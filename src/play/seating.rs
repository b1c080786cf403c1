//! Who plays which role in the matches of a series.

use std::collections::BTreeSet;

/// All ways to give `seats` roles to different players, by their indices. Each one is followed by its rotations, so
/// that a few matches treat all players alike.
pub(crate) fn arrangements(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    for order in orders(players, seats) {
        if !seen.contains(&order) {
            let turns: Vec<Vec<usize>> = (0..seats.max(1)).map(|shift| rotated(&order, shift)).collect();
            seen.extend(turns.iter().cloned());
            found.extend(turns);
        }
    }
    found
}

/// All ways to give roles to different players, in the order of their indices.
fn orders(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let Some(fewer) = seats.checked_sub(1) else { return vec![Vec::new()] };
    let longer = |order: Vec<usize>| {
        let others: Vec<usize> = (0..players).filter(|player| !order.contains(player)).collect();
        others.into_iter().map(move |player| [&order[..], &[player]].concat())
    };
    orders(players, fewer).into_iter().flat_map(longer).collect()
}

/// The players of an arrangement, each `shift` roles further.
pub(super) fn rotated(order: &[usize], shift: usize) -> Vec<usize> {
    (0..order.len()).map(|role| order[(role + shift) % order.len()]).collect()
}
