//! All that best play may come to where roles are indifferent: the shares of the pure equilibria of a turn-taking game.

use super::View;
use crate::space::Space;
use std::collections::BTreeMap;

/// The greatest number of different shares of a position that are followed.
const MOST: usize = 60;

/// The shares of all equilibria of a position, whatever roles do among equal moves; nothing if there are too many, or
/// roles choose at the same time. The game has no cycle.
pub(crate) fn shares(space: &Space, number: usize, view: View) -> Option<Vec<Vec<f64>>> {
    type Known = BTreeMap<usize, Vec<Vec<f64>>>;
    fn of(space: &Space, number: usize, view: View, known: &mut Known) -> Option<Vec<Vec<f64>>> {
        if let Some(shares) = known.get(&number) {
            return Some(shares.clone());
        }
        let position = &space.positions[number];
        let mut shares: Vec<Vec<f64>> = Vec::new();
        let mut add = |share: Vec<f64>| {
            let is_same = |other: &Vec<f64>| other.iter().zip(&share).all(|(a, b)| (a - b).abs() < 1e-9);
            if !shares.iter().any(is_same) {
                shares.push(share);
            }
        };
        if position.is_terminal {
            let utility = |role: usize| if Some(role) == space.chance { 0.0 } else { view.utility(position, role) };
            add((0..space.roles.len()).map(utility).collect());
        } else {
            let after: Vec<Vec<Vec<f64>>> =
                position.next.iter().map(|&next| of(space, next, view, known)).collect::<Option<_>>()?;
            match position.choosing()[..] {
                [] => after[0].iter().cloned().for_each(add),
                [role] if Some(role) == space.chance => means(&after)?.into_iter().for_each(add),
                [role] => {
                    // An equilibrium may answer every other move by what is worst for the role.
                    let least =
                        |shares: &Vec<Vec<f64>>| shares.iter().map(|share| share[role]).fold(f64::INFINITY, f64::min);
                    let owed = after.iter().map(least).fold(f64::NEG_INFINITY, f64::max);
                    after.iter().flatten().filter(|share| share[role] >= owed - 1e-9).cloned().for_each(add);
                }
                _ => return None,
            }
        }
        if shares.len() > MOST {
            return None;
        }
        known.insert(number, shares.clone());
        Some(shares)
    }
    of(space, number, view, &mut BTreeMap::new())
}

/// The means of one share of each successor.
fn means(after: &[Vec<Vec<f64>>]) -> Option<Vec<Vec<f64>>> {
    let mut sums = vec![vec![0.0; after[0][0].len()]];
    for shares in after {
        let plus = |sum: &Vec<f64>, share: &Vec<f64>| {
            sum.iter().zip(share).map(|(a, b)| a + b / after.len() as f64).collect::<Vec<f64>>()
        };
        sums = sums.iter().flat_map(|sum| shares.iter().map(|share| plus(sum, share))).collect();
        if sums.len() > MOST * MOST {
            return None;
        }
    }
    Some(sums)
}
