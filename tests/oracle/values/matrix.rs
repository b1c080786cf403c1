//! Games of two opponents who choose at the same time: the value of a matrix game in each position.

use super::{View, indices, lead};
use crate::space::Space;
use std::collections::BTreeMap;

/// The mean utility of a role in equilibrium against the only other player; chance is uniform.
pub(crate) struct Equilibrium<'s> {
    space: &'s Space,
    role: usize,
    other: usize,
    known: BTreeMap<(usize, Option<usize>), f64>,
}

impl<'s> Equilibrium<'s> {
    /// Of a game of two players besides chance.
    pub(crate) fn new(space: &'s Space, role: usize) -> Self {
        let other = *space.players().iter().find(|&&other| other != role).expect("there is an opponent");
        Self { space, role, other, known: BTreeMap::new() }
    }

    pub(crate) fn value(&mut self, number: usize, view: View) -> f64 {
        let position = &self.space.positions[number];
        if position.is_terminal {
            return view.utility(position, self.role);
        }
        if view.cuts(position) {
            let estimate = if view.evaluates { lead(position, self.role) as f64 } else { 0.0 };
            return (view.middle() + estimate).clamp(view.range.0, view.range.1);
        }
        if let Some(known) = self.known.get(&(number, view.depth)) {
            return *known;
        }
        let (rows, columns) = (position.legal[self.role].len(), position.legal[self.other].len());
        let mut matrix = vec![vec![0.0; columns]; rows];
        for joint_move in indices(position) {
            let value = self.value(position.after(&joint_move), view.after(position));
            let share = (rows * columns) as f64 / position.next.len() as f64;
            matrix[joint_move[self.role]][joint_move[self.other]] += value * share;
        }
        let value = matrix_value(&matrix);
        self.known.insert((number, view.depth), value);
        value
    }
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
        for (row, equation) in equations.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let _ = row;
            let factor = equation[column] / top[column];
            equation.iter_mut().zip(&top).for_each(|(entry, above)| *entry -= factor * above);
        }
    }
    Some((0..count).map(|row| equations[row][count] / equations[row][row]).collect())
}
