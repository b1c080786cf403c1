//! Linear programs by the simplex method, for programs whose origin is feasible.

use crate::SearchError;
use crate::budget::Meter;
use crate::outcome::Halt;
use ggp_game::Chance;

/// Maximises a linear function of variables that are not negative, under upper bounds, none of which is negative, on
/// linear functions of them.
///
/// The rows are kept solved for one variable each (a dictionary): row by row, the entries of the variables that are 0,
/// then the bound, then the perturbed bound. Most bounds of a sequence form are 0, where the method could go round in a
/// circle; so it follows bounds that are increased by small random amounts, and the values in the end are those of the
/// bounds themselves.
///
/// - Source: Dantzig, *Linear Programming and Extensions*, 1963; Harris, *Pivot Selection Methods of the Devex LP Code*,
///   Mathematical Programming 5, 1973, for the choice of columns; Charnes, *Optimality and Degeneracy in Linear
///   Programming*, Econometrica 20, 1952, for the perturbation.
pub(super) struct LinearProgram {
    columns: usize,
    rows: usize,
    /// The rows of the bounds, and last the row of the objective, negated.
    entries: Vec<f64>,
    /// The variable of each row, and behind them of each column: variables first, then the slacks of the bounds.
    variables: Vec<usize>,
    /// For each column the estimate of how much the other variables change with it, squared (devex).
    weights: Vec<f64>,
}

/// The solution of a linear program.
pub(super) struct LinearSolution {
    /// The values of the variables.
    pub(super) primal: Vec<f64>,
    /// The values of the bounds: how much the objective grows with each.
    pub(super) dual: Vec<f64>,
    /// The number of pivots.
    pub(super) pivots: u64,
}

impl LinearProgram {
    /// Entries up to this absolute value count as 0.
    const ROUNDING: f64 = 1e-11;
    /// The least size of an entry by which a row is divided.
    const LEAST_PIVOT: f64 = 1e-9;
    /// The size of the perturbation of a bound.
    const PERTURBATION: f64 = 1e-6;

    /// The bytes of a program of this size.
    pub(super) fn bytes(rows: usize, columns: usize) -> u64 {
        ((rows + 1) as u64).saturating_mul(columns as u64 + 2).saturating_mul(size_of::<f64>() as u64)
    }

    /// A program whose coefficients are all 0.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let variables = (columns..columns + rows).chain(0..columns).collect();
        Self { columns, rows, entries: vec![0.0; (rows + 1) * (columns + 2)], variables, weights: vec![1.0; columns] }
    }

    /// Adds to the coefficient of a variable in a bound.
    pub(super) fn add(&mut self, row: usize, column: usize, amount: f64) {
        let width = self.width();
        self.entries[row * width + column] += amount;
    }

    /// Adds to a bound.
    pub(super) fn add_bound(&mut self, row: usize, amount: f64) {
        let columns = self.columns;
        self.add(row, columns, amount);
    }

    /// Adds to the coefficient of a variable in the objective.
    pub(super) fn add_objective(&mut self, column: usize, amount: f64) {
        let rows = self.rows;
        self.add(rows, column, -amount);
    }

    fn width(&self) -> usize {
        self.columns + 2
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.entries[row * self.width() + column]
    }

    /// Solves the program.
    ///
    /// # Errors
    /// If a limit ends the work, or rounding errors keep the method from its end.
    pub(super) fn solve(mut self, meter: &Meter<'_>) -> Result<LinearSolution, Halt> {
        // A fixed seed: the same game has the same strategies.
        let mut random = Chance::new(0);
        for row in 0..self.rows {
            let bound = self.at(row, self.columns) + Self::PERTURBATION * (1.0 + random.fraction());
            let perturbed = row * self.width() + self.columns + 1;
            self.entries[perturbed] = bound;
        }
        // A bound, since rounding errors may keep the method from its end.
        let most_pivots = 64 * (self.rows + self.columns) as u64;
        let mut pivots = 0;
        while let Some(entering) = self.entering() {
            meter.pause()?;
            let leaving = self.leaving(entering).filter(|_| pivots < most_pivots);
            let leaving = leaving.ok_or(Halt::Refused(SearchError::Unsolved))?;
            self.pivot(leaving, entering);
            pivots += 1;
        }
        Ok(self.solution(pivots))
    }

    /// The variable by which the objective grows fastest for the change of all variables; of equal ones the first.
    fn entering(&self) -> Option<usize> {
        let objective = &self.entries[self.rows * self.width()..][..self.columns];
        let growth = |column: usize| objective[column].powi(2) / self.weights[column];
        let improving = (0..self.columns).filter(|&column| objective[column] < -Self::LEAST_PIVOT);
        improving.reduce(|best, next| if growth(next) > growth(best) { next } else { best })
    }

    /// The bound that is met first as a variable grows; of several that of the greatest entry.
    fn leaving(&self, entering: usize) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for row in 0..self.rows {
            let entry = self.at(row, entering);
            if entry <= Self::LEAST_PIVOT {
                continue;
            }
            // The perturbed bound decides; rounding may have made it slightly negative.
            let room = self.at(row, self.columns + 1).max(0.0) / entry;
            if best.is_none_or(|(_, least)| room < least) {
                best = Some((row, room));
            }
        }
        best.map(|(row, _)| row)
    }

    /// Solves a row for the variable of a column.
    fn pivot(&mut self, leaving: usize, entering: usize) {
        let width = self.width();
        let pivot = self.at(leaving, entering);
        let own = &mut self.entries[leaving * width..][..width];
        own.iter_mut().for_each(|entry| *entry /= pivot);
        own[entering] = 1.0 / pivot;
        let own = own.to_vec();
        self.update_weights(&own, entering, pivot);
        // Rows are sparse in the beginning: only entries that are not 0 change others. Later most of them do.
        let changing: Vec<usize> = (0..width).filter(|&column| own[column] != 0.0).collect();
        let is_sparse = changing.len() < width / 4;
        let change = |entry: &mut f64, amount: f64| {
            let changed = *entry - amount;
            // The difference of equal numbers is rounding error; as 0 it keeps the rows sparse.
            *entry = if changed.abs() < Self::ROUNDING { 0.0 } else { changed };
        };
        for (row, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[entering];
            if row == leaving || factor == 0.0 {
                continue;
            }
            entries[entering] = 0.0;
            if is_sparse {
                changing.iter().for_each(|&column| change(&mut entries[column], factor * own[column]));
            } else {
                entries.iter_mut().zip(&own).for_each(|(entry, own)| change(entry, factor * own));
            }
        }
        self.variables.swap(leaving, self.rows + entering);
    }

    /// Updates the weights of the columns for a pivot; `own` is the row after the division by the pivot.
    fn update_weights(&mut self, own: &[f64], entering: usize, pivot: f64) {
        /// Estimates beyond this are worthless: all begin again.
        const MOST: f64 = 1e9;
        let before = self.weights[entering];
        for (column, weight) in self.weights.iter_mut().enumerate().filter(|&(column, _)| column != entering) {
            *weight = weight.max(own[column].powi(2) * before);
        }
        self.weights[entering] = (before / pivot.powi(2)).max(1.0);
        if self.weights[entering] > MOST {
            self.weights.fill(1.0);
        }
    }

    fn solution(&self, pivots: u64) -> LinearSolution {
        let mut primal = vec![0.0; self.columns];
        let mut dual = vec![0.0; self.rows];
        for (row, &variable) in self.variables[..self.rows].iter().enumerate() {
            if variable < self.columns {
                // From the bounds themselves, not from the perturbed ones.
                primal[variable] = self.at(row, self.columns).max(0.0);
            }
        }
        for (column, &variable) in self.variables[self.rows..].iter().enumerate() {
            if variable >= self.columns {
                dual[variable - self.columns] = self.at(self.rows, column).max(0.0);
            }
        }
        LinearSolution { primal, dual, pivots }
    }
}
