//! Matrix games: one simultaneous choice of two sides, as [`super::nash()`] meets it in every state.

use super::tableau::Tableau;

/// What one side gains and the other loses for each pair of moves.
pub(crate) struct Matrix {
    /// The number of moves of the side that gains.
    pub(crate) rows: usize,
    /// The number of moves of the side that loses.
    pub(crate) columns: usize,
    /// The gains, row by row.
    pub(crate) entries: Vec<f64>,
}

/// An equilibrium: neither side can do better against the other's strategy.
pub(crate) struct MixedPlay {
    /// The mean gain of the row side.
    pub(crate) value: f64,
    /// The probability of each row.
    pub(crate) row: Vec<f64>,
    /// The probability of each column.
    pub(crate) column: Vec<f64>,
}

impl Matrix {
    /// The greatest difference between what the two strategies guarantee, with entries scaled to 0 to 1.
    const TOLERANCE: f64 = 1e-6;

    /// An equilibrium, of pure strategies if one exists (the first); `None` if the linear program cannot be solved
    /// within the tolerance. The value that each side's strategy guarantees is computed from the matrix itself, so the
    /// answer does not depend on the solver.
    ///
    /// - Source: von Neumann, *Zur Theorie der Gesellschaftsspiele*, 1928; the linear program: Dantzig, 1951.
    pub(crate) fn solve(&self) -> Option<MixedPlay> {
        if let Some(saddle) = self.saddle() {
            return Some(saddle);
        }
        let least = self.entries.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.entries.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let scaled = |entry: f64| (entry - least) / (most - least);
        let (row, column) =
            SharesProgram::new(self.rows, self.columns, |row, column| scaled(self.at(row, column))).solve()?;
        let sure = (0..self.columns).map(|column| self.column_mean(&row, column)).fold(f64::INFINITY, f64::min);
        let held = (0..self.rows).map(|row| self.row_mean(&column, row)).fold(f64::NEG_INFINITY, f64::max);
        (held - sure <= Self::TOLERANCE * (most - least)).then(|| MixedPlay {
            value: f64::midpoint(sure, held),
            row,
            column,
        })
    }

    #[inline]
    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.columns + column]
    }

    /// The mean gain in a column against a mixture of rows.
    #[inline]
    fn column_mean(&self, rows: &[f64], column: usize) -> f64 {
        rows.iter().enumerate().map(|(row, probability)| probability * self.at(row, column)).sum()
    }

    /// The mean gain in a row against a mixture of columns.
    #[inline]
    fn row_mean(&self, columns: &[f64], row: usize) -> f64 {
        columns.iter().enumerate().map(|(column, probability)| probability * self.at(row, column)).sum()
    }

    /// The first equilibrium of pure strategies, if there is one.
    fn saddle(&self) -> Option<MixedPlay> {
        let worst = |row: usize| (0..self.columns).map(|column| self.at(row, column)).fold(f64::INFINITY, f64::min);
        let best = |column: usize| (0..self.rows).map(|row| self.at(row, column)).fold(f64::NEG_INFINITY, f64::max);
        let (row, sure) = first_least(self.rows, |row| -worst(row));
        let (column, held) = first_least(self.columns, best);
        let pure = |chosen: usize, moves: usize| (0..moves).map(|index| f64::from(u8::from(index == chosen))).collect();
        (-sure == held).then(|| MixedPlay {
            value: held,
            row: pure(row, self.rows),
            column: pure(column, self.columns),
        })
    }
}

/// The first index with the least value, and the value.
#[inline]
fn first_least(count: usize, value: impl Fn(usize) -> f64) -> (usize, f64) {
    let values = (0..count).map(|index| (index, value(index)));
    values.reduce(|best, next| if next.1 < best.1 { next } else { best }).expect("each side has a move")
}

/// The two sides' strategies for a matrix of gains from 0 to 1 by the simplex method: with every gain raised by 1, so
/// that each is positive, the shares of the columns maximise their sum while no row yields more than 1, and the shares
/// of the rows are the prices of these bounds. The variables are a share for each column and the slack of each row; the
/// objective is the last row.
struct SharesProgram(Tableau);

impl SharesProgram {
    fn new(rows: usize, columns: usize, gain: impl Fn(usize, usize) -> f64) -> Self {
        let variables = columns + rows;
        let mut tableau = Tableau::new(rows + 1, variables, (columns..variables).collect());
        for row in 0..rows {
            let bound = tableau.row_mut(row);
            (0..columns).for_each(|column| bound[column] = 1.0 + gain(row, column));
            (bound[columns + row], bound[variables]) = (1.0, 1.0);
        }
        tableau.row_mut(rows)[..columns].fill(-1.0);
        Self(tableau)
    }

    /// The shares of the rows and of the columns; `None` if rounding errors keep the method from its end.
    fn solve(mut self) -> Option<(Vec<f64>, Vec<f64>)> {
        let rows = self.0.basis.len();
        let variables = self.0.variables();
        // The variable with the steepest objective first (Dantzig); that may go round in a circle, so after many steps
        // the first variable that improves (Bland), which never does.
        let steps = 8 * variables;
        for step in 0..64 * steps {
            let objective = &self.0.row(rows)[..variables];
            let improving = (0..variables).filter(|&variable| objective[variable] < -Tableau::ROUNDING);
            let steepest =
                improving.clone().reduce(|best, next| if objective[next] < objective[best] { next } else { best });
            let entering = if step < steps { steepest } else { improving.clone().next() };
            let Some(entering) = entering else { return Some(self.shares()) };
            let bound = self.first_bound(entering)?;
            self.0.exchange(bound, entering);
        }
        None
    }

    /// The bound that is met first as a variable grows; of several, that of the first variable.
    #[inline]
    fn first_bound(&self, entering: usize) -> Option<usize> {
        let tableau = &self.0;
        let room = |row: usize| tableau.limit(row) / tableau.row(row)[entering];
        let is_before = |&one: &usize, &other: &usize| {
            room(one).total_cmp(&room(other)).then(tableau.basis[one].cmp(&tableau.basis[other]))
        };
        tableau.limiting(entering).min_by(is_before)
    }

    #[inline]
    fn shares(&self) -> (Vec<f64>, Vec<f64>) {
        let rows = self.0.basis.len();
        let columns = self.0.variables() - rows;
        (mixture(&self.0.row(rows)[columns..][..rows]), mixture(&self.0.values(0..columns)))
    }
}

/// Shares as probabilities; those within the rounding error are 0.
#[inline]
pub(super) fn mixture(shares: &[f64]) -> Vec<f64> {
    let sum: f64 = shares.iter().sum();
    let shares: Vec<f64> = shares.iter().map(|share| if share / sum < 1e-9 { 0.0 } else { share / sum }).collect();
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}
