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
/// - Source: Dantzig, *Linear Programming and Extensions*, 1963; Charnes, *Optimality and Degeneracy in Linear
///   Programming*, Econometrica 20, 1952, for the perturbation.
pub(super) struct LinearProgram {
    columns: usize,
    rows: usize,
    /// The rows of the bounds, and last the row of the objective, negated.
    entries: Vec<f64>,
    /// The variable of each row, and behind them of each column: variables first, then the slacks of the bounds.
    variables: Vec<usize>,
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
    /// The size of the perturbation.
    const PERTURBATION: f64 = 1e-6;

    /// The bytes of a program of this size.
    pub(super) fn bytes(rows: usize, columns: usize) -> u64 {
        ((rows + 1) as u64).saturating_mul(columns as u64 + 2).saturating_mul(size_of::<f64>() as u64)
    }

    /// A program whose coefficients are all 0.
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        let variables = (columns..columns + rows).chain(0..columns).collect();
        Self { columns, rows, entries: vec![0.0; (rows + 1) * (columns + 2)], variables }
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
        let mut random = Chance::new(0);
        for row in 0..self.rows {
            let bound = self.at(row, self.columns) + Self::PERTURBATION * (1.0 + random.fraction());
            let perturbed = row * self.width() + self.columns + 1;
            self.entries[perturbed] = bound;
        }
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

    /// The variable by which the objective grows fastest.
    fn entering(&self) -> Option<usize> {
        let objective = &self.entries[self.rows * self.width()..][..self.columns];
        let steepest = |best: usize, next: usize| if objective[next] < objective[best] { next } else { best };
        (0..self.columns).reduce(steepest).filter(|&column| objective[column] < -Self::LEAST_PIVOT)
    }

    /// The bound that is met first as a variable grows; of several that of the greatest entry.
    fn leaving(&self, entering: usize) -> Option<usize> {
        let mut best: Option<(usize, f64)> = None;
        for row in 0..self.rows {
            let entry = self.at(row, entering);
            if entry <= Self::LEAST_PIVOT {
                continue;
            }
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
        // Rows are sparse in the beginning: only entries that are not 0 change others.
        let changes: Vec<(usize, f64)> = own.iter().copied().enumerate().filter(|&(_, entry)| entry != 0.0).collect();
        for (row, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[entering];
            if row == leaving || factor == 0.0 {
                continue;
            }
            entries[entering] = 0.0;
            for &(column, change) in &changes {
                let entry = &mut entries[column];
                *entry -= factor * change;
                if entry.abs() < Self::ROUNDING {
                    *entry = 0.0;
                }
            }
        }
        self.variables.swap(leaving, self.rows + entering);
    }

    fn solution(&self, pivots: u64) -> LinearSolution {
        let mut primal = vec![0.0; self.columns];
        let mut dual = vec![0.0; self.rows];
        for (row, &variable) in self.variables[..self.rows].iter().enumerate() {
            if variable < self.columns {
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
