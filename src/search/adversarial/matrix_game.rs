//! Matrix games: one simultaneous choice of two sides, as [`super::nash()`] meets it in every state.

use microlp::{ComparisonOp, LinearExpr, OptimizationDirection, Problem, Variable};

/// What one side gains and the other loses for each pair of moves.
pub(super) struct Matrix {
    /// The number of moves of the side that gains.
    pub(super) rows: usize,
    /// The number of moves of the side that loses.
    pub(super) columns: usize,
    /// The gains, row by row.
    pub(super) entries: Vec<f64>,
}

/// An equilibrium: neither side can do better against the other's strategy.
pub(super) struct Mixed {
    /// The mean gain of the row side.
    pub(super) value: f64,
    /// The probability of each row.
    pub(super) row: Vec<f64>,
    /// The probability of each column.
    pub(super) column: Vec<f64>,
}

impl Matrix {
    /// The greatest difference between what the two strategies guarantee, with entries scaled to 0 to 1.
    const TOLERANCE: f64 = 1e-6;

    /// An equilibrium, of pure strategies if one exists (the first); `None` if the linear programs cannot be solved
    /// within the tolerance. The value that each side's strategy guarantees is computed from the matrix itself, so the
    /// answer does not depend on the solver.
    ///
    /// - Source: von Neumann, *Zur Theorie der Gesellschaftsspiele*, 1928; the linear program: Dantzig, 1951.
    pub(super) fn solve(&self) -> Option<Mixed> {
        if let Some(saddle) = self.saddle() {
            return Some(saddle);
        }
        let least = self.entries.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scaled = |entry: f64| (entry - least) / (most - least);
        let row = strategy(self.rows, self.columns, |row, column| scaled(self.at(row, column)))?;
        let column = strategy(self.columns, self.rows, |column, row| 1.0 - scaled(self.at(row, column)))?;
        let sure = (0..self.columns).map(|column| self.column_mean(&row, column)).fold(f64::INFINITY, f64::min);
        let held = (0..self.rows).map(|row| self.row_mean(&column, row)).fold(f64::NEG_INFINITY, f64::max);
        (held - sure <= Self::TOLERANCE * (most - least)).then(|| Mixed {
            value: f64::midpoint(sure, held),
            row,
            column,
        })
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    /// The mean gain in a column against a mixture of rows.
    fn column_mean(&self, rows: &[f64], column: usize) -> f64 {
        rows.iter().enumerate().map(|(row, probability)| probability * self.at(row, column)).sum()
    }

    /// The mean gain in a row against a mixture of columns.
    fn row_mean(&self, columns: &[f64], row: usize) -> f64 {
        columns.iter().enumerate().map(|(column, probability)| probability * self.at(row, column)).sum()
    }

    /// The first equilibrium of pure strategies, if there is one.
    fn saddle(&self) -> Option<Mixed> {
        let worst = |row: usize| (0..self.columns).map(|column| self.at(row, column)).fold(f64::INFINITY, f64::min);
        let best = |column: usize| (0..self.rows).map(|row| self.at(row, column)).fold(f64::NEG_INFINITY, f64::max);
        let (row, sure) = first_least(self.rows, |row| -worst(row));
        let (column, held) = first_least(self.columns, best);
        let pure = |chosen: usize, moves: usize| (0..moves).map(|index| f64::from(u8::from(index == chosen))).collect();
        (-sure == held).then(|| Mixed { value: held, row: pure(row, self.rows), column: pure(column, self.columns) })
    }
}

/// The first index with the least value, and the value.
fn first_least(count: usize, value: impl Fn(usize) -> f64) -> (usize, f64) {
    let values = (0..count).map(|index| (index, value(index)));
    values.reduce(|best, next| if next.1 < best.1 { next } else { best }).expect("each side has a move")
}

/// The mixture of `own` moves with the greatest gain against the best reply among `other` moves: maximise v, where each
/// reply yields v or more.
fn strategy(own: usize, other: usize, gain: impl Fn(usize, usize) -> f64) -> Option<Vec<f64>> {
    let mut program = Problem::new(OptimizationDirection::Maximize);
    let worth = program.add_var(1.0, (0.0, 1.0));
    let shares: Vec<Variable> = (0..own).map(|_| program.add_var(0.0, (0.0, 1.0))).collect();
    let mut whole = LinearExpr::empty();
    shares.iter().for_each(|&share| whole.add(share, 1.0));
    program.add_constraint(whole, ComparisonOp::Eq, 1.0);
    for reply in 0..other {
        let mut over = LinearExpr::empty();
        over.add(worth, -1.0);
        shares.iter().enumerate().for_each(|(chosen, &share)| over.add(share, gain(chosen, reply)));
        program.add_constraint(over, ComparisonOp::Ge, 0.0);
    }
    let solution = program.solve().ok()?.into_solution().ok()?;
    let shares = shares.iter().map(|&share| solution.var_value(share));
    // Probabilities within the rounding error are set to 0.
    let shares: Vec<f64> = shares.map(|share| if share < 1e-9 { 0.0 } else { share }).collect();
    let sum: f64 = shares.iter().sum();
    (sum > 0.0).then(|| shares.iter().map(|share| share / sum).collect())
}
