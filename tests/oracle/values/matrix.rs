//! Games of roles who choose at the same time: in each position an equilibrium of one choice.

use super::{View, indices, lead};
use crate::space::Space;
use std::collections::BTreeMap;

/// The mean utilities of all players in equilibrium, where the first of them is the role that asks; chance is uniform.
///
/// Where the sum of two players is constant they come from the matrix game. Otherwise they are those of the equilibrium
/// of pure strategies with the greatest sum.
pub(crate) struct Equilibrium<'s> {
    space: &'s Space,
    players: Vec<usize>,
    known: BTreeMap<(usize, Option<usize>), Option<Vec<f64>>>,
}

impl<'s> Equilibrium<'s> {
    pub(crate) fn new(space: &'s Space, role: usize) -> Self {
        let mut players = vec![role];
        players.extend(space.players().into_iter().filter(|&other| other != role));
        Self { space, players, known: BTreeMap::new() }
    }

    /// The means; nothing if a position has no equilibrium of pure strategies, or several with the greatest sum.
    pub(crate) fn values(&mut self, number: usize, view: View) -> Option<Vec<f64>> {
        let position = &self.space.positions[number];
        if position.is_terminal {
            return Some(self.players.iter().map(|&role| view.utility(position, role)).collect());
        }
        if view.cuts(position) {
            let estimate = if view.evaluates { lead(position, self.players[0]) as f64 } else { 0.0 };
            let value = (view.middle() + estimate).clamp(view.range.0, view.range.1);
            // What one of two players gains the other loses.
            let sum = self.space.constant_sum()?;
            return Some(vec![value, sum - value]);
        }
        if let Some(known) = self.known.get(&(number, view.depth)) {
            return known.clone();
        }
        let mut stage: BTreeMap<Vec<usize>, Vec<f64>> = BTreeMap::new();
        let joint_moves = indices(position);
        let chosen =
            |joint_move: &Vec<usize>| self.players.iter().map(|&role| joint_move[role]).collect::<Vec<usize>>();
        let of_chance = joint_moves.iter().filter(|joint_move| chosen(joint_move) == chosen(&joint_moves[0])).count();
        let keys: Vec<Vec<usize>> = joint_moves.iter().map(chosen).collect();
        for (joint_move, key) in joint_moves.iter().zip(keys) {
            let values = self.values(position.after(joint_move), view.after(position))?;
            let means = stage.entry(key).or_insert_with(|| vec![0.0; values.len()]);
            means.iter_mut().zip(values).for_each(|(mean, value)| *mean += value / of_chance as f64);
        }
        let values = stage_values(&stage);
        self.known.insert((number, view.depth), values.clone());
        values
    }
}

/// The means of one choice of all players.
fn stage_values(stage: &BTreeMap<Vec<usize>, Vec<f64>>) -> Option<Vec<f64>> {
    let first = stage.values().next()?;
    let sum: f64 = first.iter().sum();
    if first.len() == 2 && stage.values().all(|means| (means.iter().sum::<f64>() - sum).abs() < 1e-6) {
        let columns = stage.keys().filter(|key| key[0] == 0).count();
        let gains: Vec<f64> = stage.values().map(|means| means[0]).collect();
        let matrix: Vec<Vec<f64>> = gains.chunks(columns).map(<[f64]>::to_vec).collect();
        let value = matrix_value(&matrix);
        return Some(vec![value, sum - value]);
    }
    // No player can do better alone.
    let is_stable = |key: &Vec<usize>, means: &Vec<f64>| {
        stage.iter().all(|(other, others)| {
            let differing: Vec<usize> = (0..key.len()).filter(|&player| key[player] != other[player]).collect();
            differing.len() != 1 || others[differing[0]] <= means[differing[0]] + 1e-9
        })
    };
    let stable: Vec<&Vec<f64>> =
        stage.iter().filter(|(key, means)| is_stable(key, means)).map(|found| found.1).collect();
    let total = |means: &Vec<f64>| means.iter().sum::<f64>();
    let most = stable.iter().map(|means| total(means)).fold(f64::NEG_INFINITY, f64::max);
    let mut best = stable.into_iter().filter(|means| total(means) > most - 1e-6);
    let chosen = best.next()?;
    best.all(|other| other.iter().zip(chosen).all(|(a, b)| (a - b).abs() < 1e-6)).then(|| chosen.clone())
}

/// The value of a matrix game: the greatest mean that a mixture of rows guarantees. It is also the least to which a
/// mixture of columns can hold it, which is checked.
pub(crate) fn matrix_value(matrix: &[Vec<f64>]) -> f64 {
    let turned: Vec<Vec<f64>> =
        (0..matrix[0].len()).map(|column| matrix.iter().map(|row| -row[column]).collect()).collect();
    let (value, against) = (guaranteed(matrix), -guaranteed(&turned));
    assert!((value - against).abs() < 1e-7 * (1.0 + value.abs()), "{value} and {against} of {matrix:?}");
    value
}

/// The greatest mean that a mixture of rows guarantees. One of the best mixtures equalises as many columns as it has
/// rows (Shapley and Snow 1950), so all pairs of so many rows and columns are tried.
fn guaranteed(matrix: &[Vec<f64>]) -> f64 {
    let mut best = f64::NEG_INFINITY;
    for rows in subsets(matrix.len()) {
        for columns in subsets(matrix[0].len()).into_iter().filter(|columns| columns.len() == rows.len()) {
            // The unknowns are the probabilities of the rows and the value that all columns give.
            let mut equations: Vec<Vec<f64>> = columns
                .iter()
                .map(|&column| rows.iter().map(|&row| matrix[row][column]).chain([-1.0, 0.0]).collect())
                .collect();
            equations.push(rows.iter().map(|_| 1.0).chain([0.0, 1.0]).collect());
            let Some(solution) = solved(equations) else { continue };
            let mixture: Vec<f64> = solution[..rows.len()].iter().map(|share| share.max(0.0)).collect();
            let whole: f64 = mixture.iter().sum();
            let mean = |column: usize| {
                rows.iter().zip(&mixture).map(|(&row, share)| matrix[row][column] * share / whole).sum::<f64>()
            };
            // Whatever the mixture is, it guarantees this.
            best = best.max((0..matrix[0].len()).map(mean).fold(f64::INFINITY, f64::min));
        }
    }
    best
}

fn subsets(count: usize) -> Vec<Vec<usize>> {
    (1..1_usize << count).map(|bits| (0..count).filter(|index| bits >> index & 1 == 1).collect()).collect()
}

/// Solves linear equations, each with its right side at its end, by elimination.
fn solved(mut equations: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let count = equations.len();
    for column in 0..count {
        let pivot =
            (column..count).max_by(|&a, &b| equations[a][column].abs().total_cmp(&equations[b][column].abs()))?;
        if equations[pivot][column].abs() < 1e-9 {
            return None;
        }
        equations.swap(column, pivot);
        let top = equations[column].clone();
        for (_, equation) in equations.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = equation[column] / top[column];
            equation.iter_mut().zip(&top).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    Some((0..count).map(|row| equations[row][count] / equations[row][row]).collect())
}
