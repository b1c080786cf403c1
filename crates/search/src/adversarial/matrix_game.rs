//! Equilibria of mixed strategies in one simultaneous choice of two sides, as [`super::nash()`] meets it in a state.
//!
//! If the sum of both gains is constant ([`Matrix`]), two linear programs find one; otherwise ([`Bimatrix`]) the method
//! of Lemke and Howson does. Both pivot a [`Tableau`], each in its own way.

/// A game of one choice with a constant sum: the gains of one side, which the other loses, for each pair of moves.
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
        let (row, column) = optimal_shares(self.rows, self.columns, |row, column| scaled(self.at(row, column)))?;
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
        // Both are entries of the matrix, so equal ones are equal exactly.
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

/// The shares of the rows and of the columns in the two sides' strategies, for gains from 0 to 1, by the simplex
/// method; `None` if rounding errors keep the method from its end.
///
/// With every gain raised by 1, so that each is positive, the shares of the columns maximise their sum while no row
/// yields more than 1, and the shares of the rows are the prices of these bounds. The variables are a share for each
/// column and the slack of each row; the objective is the last row.
fn optimal_shares(rows: usize, columns: usize, gain: impl Fn(usize, usize) -> f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let variables = columns + rows;
    let mut tableau = Tableau::new(rows + 1, variables, (columns..variables).collect());
    for row in 0..rows {
        let bound = tableau.row_mut(row);
        (0..columns).for_each(|column| bound[column] = 1.0 + gain(row, column));
        bound[columns + row] = 1.0;
        bound[variables] = 1.0;
    }
    tableau.row_mut(rows)[..columns].fill(-1.0);
    // The variable with the steepest objective first (Dantzig); that may go round in a circle, so after many steps the
    // first variable that improves (Bland), which never does.
    let steps = 8 * variables;
    // Bland's rule comes to an end, but rounding errors may keep it from there.
    for step in 0..64 * steps {
        let objective = &tableau.row(rows)[..variables];
        let improving = (0..variables).filter(|&variable| objective[variable] < -Tableau::ROUNDING);
        let steepest =
            improving.clone().reduce(|best, next| if objective[next] < objective[best] { next } else { best });
        let entering = if step < steps { steepest } else { improving.clone().next() };
        let Some(entering) = entering else {
            let prices = &tableau.row(rows)[columns..][..rows];
            return Some((mixture(prices), mixture(&tableau.values(0..columns))));
        };
        // The bound that is met first as the variable grows; of several, that of the first variable.
        let room = |row: usize| tableau.limit(row) / tableau.row(row)[entering];
        let is_before = |&one: &usize, &other: &usize| {
            room(one).total_cmp(&room(other)).then(tableau.basis[one].cmp(&tableau.basis[other]))
        };
        let bound = tableau.limiting(entering).min_by(is_before)?;
        tableau.exchange(bound, entering);
    }
    None
}

/// Shares as probabilities; those within the rounding error are 0.
#[inline]
fn mixture(shares: &[f64]) -> Vec<f64> {
    let sum: f64 = shares.iter().sum();
    let shares: Vec<f64> = shares.iter().map(|share| if share / sum < 1e-9 { 0.0 } else { share / sum }).collect();
    // What counts as 0 is missing from the sum.
    let sum: f64 = shares.iter().sum();
    shares.iter().map(|share| share / sum).collect()
}

/// A game of one choice without a constant sum: the gains of both sides for each pair of moves.
pub(super) struct Bimatrix {
    /// The number of moves of the first side.
    pub(super) rows: usize,
    /// The number of moves of the second side.
    pub(super) columns: usize,
    /// The gains of the first side, row by row.
    pub(super) first: Vec<f64>,
    /// The gains of the second side, row by row.
    pub(super) second: Vec<f64>,
}

impl Bimatrix {
    /// The most that a side may gain by another move, with gains scaled to 0 to 1.
    const TOLERANCE: f64 = 1e-6;
    /// A play whose error is not greater is taken at once; otherwise other ways to one are tried.
    const PRECISE: f64 = 1e-10;

    /// An equilibrium: the probabilities of the rows and of the columns. `None` if rounding errors keep the method from
    /// every one.
    ///
    /// Each move, dropped first, leads to an equilibrium, not always to the same one. The first whose error, computed
    /// from the gains themselves, is small enough is the answer, so that it does not depend on the pivots.
    ///
    /// - Source: Lemke and Howson, *Equilibrium Points of Bimatrix Games*, SIAM 12, 1964; von Stengel, *Computing
    ///   Equilibria for Two-Person Games*, Handbook of Game Theory 3, 2002.
    pub(super) fn equilibrium(&self) -> Option<[Vec<f64>; 2]> {
        let first = scaled(&self.first);
        let second = scaled(&self.second);
        let game = Self { rows: self.rows, columns: self.columns, first, second };
        let mut best: Option<(f64, [Vec<f64>; 2])> = None;
        for dropped in 0..self.rows + self.columns {
            let Some(play) = game.follow(dropped) else { continue };
            let error = game.error(&play);
            if best.as_ref().is_none_or(|best| error < best.0) {
                best = Some((error, play));
            }
            if error <= Self::PRECISE {
                break;
            }
        }
        best.filter(|best| best.0 <= Self::TOLERANCE).map(|best| best.1)
    }

    /// The most that a side gains by another move against the other's mixture. Not a number if the mixtures are none.
    fn error(&self, [row, column]: &[Vec<f64>; 2]) -> f64 {
        let mean = |gains: &[f64], row: usize| -> f64 {
            column.iter().zip(&gains[row * self.columns..]).map(|(probability, gain)| probability * gain).sum()
        };
        let rows: Vec<f64> = (0..self.rows).map(|row| mean(&self.first, row)).collect();
        let columns: Vec<f64> = (0..self.columns)
            .map(|column| (0..self.rows).map(|at| row[at] * self.second[at * self.columns + column]).sum())
            .collect();
        let gain = |probabilities: &[f64], means: &[f64]| {
            let mean: f64 = probabilities.iter().zip(means).map(|(probability, mean)| probability * mean).sum();
            means.iter().copied().fold(f64::NEG_INFINITY, f64::max) - mean
        };
        let first = gain(row, &rows);
        let second = gain(column, &columns);
        if first.is_nan() || second.is_nan() { f64::INFINITY } else { first.max(second) }
    }

    /// The equilibrium at the end of the path on which one label, that of a row or behind them of a column, is missing.
    fn follow(&self, dropped: usize) -> Option<[Vec<f64>; 2]> {
        let Self { rows, columns, .. } = *self;
        // Each side's shares are bounded by what the other side gains from its moves.
        let of_rows = Polytope::new(rows + columns, rows..rows + columns, 0..rows, |column, row| {
            1.0 + self.second[row * columns + column]
        });
        let of_columns = Polytope::new(rows + columns, 0..rows, rows..rows + columns, |row, column| {
            1.0 + self.first[row * columns + column]
        });
        let mut sides = [of_rows, of_columns];
        let mut side = usize::from(dropped >= rows);
        let mut entering = dropped;
        for _ in 0..Polytope::MOST_STEPS {
            let leaving = sides[side].enter(entering)?;
            if leaving == dropped {
                let [of_rows, of_columns] = sides;
                return Some([mixture(&of_rows.shares(0..rows)), mixture(&of_columns.shares(rows..rows + columns))]);
            }
            // What one side has given up, the other takes up.
            (side, entering) = (1 - side, leaving);
        }
        None
    }
}

/// Gains from 0 to 1.
#[inline]
fn scaled(gains: &[f64]) -> Vec<f64> {
    let least = gains.iter().copied().fold(f64::INFINITY, f64::min);
    let most = gains.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let width = if most > least { most - least } else { 1.0 };
    gains.iter().map(|gain| (gain - least) / width).collect()
}

/// The shares of one side's moves for which no move of the other side gains more than 1: a tableau with a column for
/// each label and a row for each bound. A label is the share of one of the side's own moves, or what is left to the
/// bound of a move of the other side.
struct Polytope {
    tableau: Tableau,
    /// The labels that are the bounds' own in the beginning.
    slacks: std::ops::Range<usize>,
}

impl Polytope {
    /// The number of pivots after which a path is given up: there are games whose paths are exponential.
    const MOST_STEPS: usize = 10_000;

    /// No share at all. `gain(bound, share)` counts both from 0 on.
    fn new(
        labels: usize,
        slacks: std::ops::Range<usize>,
        shares: std::ops::Range<usize>,
        gain: impl Fn(usize, usize) -> f64,
    ) -> Self {
        let mut tableau = Tableau::new(slacks.len(), labels, slacks.clone().collect());
        for bound in 0..slacks.len() {
            let row = tableau.row_mut(bound);
            for (index, label) in shares.clone().enumerate() {
                row[label] = gain(bound, index);
            }
            row[slacks.start + bound] = 1.0;
            row[labels] = 1.0;
        }
        Self { tableau, slacks }
    }

    /// Lets a label enter the basis and returns the one that leaves it.
    #[inline]
    fn enter(&mut self, entering: usize) -> Option<usize> {
        let limiting = self.tableau.limiting(entering);
        let bound = limiting.reduce(|best, row| if self.is_met_first(row, best, entering) { row } else { best })?;
        Some(self.tableau.exchange(bound, entering))
    }

    /// True if one bound is met before another as a label grows. Bounds that are met at once are told apart as if each
    /// limit were greater by a number that is infinitely small beside that of the bound before it (lexicographically):
    /// without that, a path may go round in a circle.
    fn is_met_first(&self, one: usize, other: usize, entering: usize) -> bool {
        let one = self.tableau.row(one);
        let other = self.tableau.row(other);
        let columns = std::iter::once(self.tableau.variables()).chain(self.slacks.clone());
        for column in columns {
            let room = one[column] / one[entering];
            let others = other[column] / other[entering];
            if (room - others).abs() > Tableau::ROUNDING {
                return room < others;
            }
        }
        false
    }

    /// The shares with these labels.
    #[inline]
    fn shares(&self, labels: std::ops::Range<usize>) -> Vec<f64> {
        self.tableau.values(labels)
    }
}

/// Bounds on variables, none of which is negative.
struct Tableau {
    /// The rows of the bounds, and behind them those that only follow: an objective.
    entries: Vec<f64>,
    /// The number of entries of a row.
    width: usize,
    /// The variable that each bound determines.
    basis: Vec<usize>,
}

impl Tableau {
    /// Numbers up to this absolute value count as 0.
    const ROUNDING: f64 = 1e-11;

    /// Zeros in rows for this many variables and the limit; the bounds come first, and determine the variables of
    /// `basis`.
    #[inline]
    fn new(rows: usize, variables: usize, basis: Vec<usize>) -> Self {
        let width = variables + 1;
        Self { entries: vec![0.0; rows * width], width, basis }
    }

    /// The number of variables.
    #[inline]
    fn variables(&self) -> usize {
        self.width - 1
    }

    #[inline]
    fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.width..][..self.width]
    }

    #[inline]
    fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.width..][..self.width]
    }

    /// The limit of a row.
    #[inline]
    fn limit(&self, row: usize) -> f64 {
        self.row(row)[self.width - 1]
    }

    /// The bounds that limit a variable as it grows.
    #[inline]
    fn limiting(&self, variable: usize) -> impl Iterator<Item = usize> {
        (0..self.basis.len()).filter(move |&row| self.row(row)[variable] > Self::ROUNDING)
    }

    /// Lets a bound determine another variable. Returns the one that it has determined.
    fn exchange(&mut self, bound: usize, entering: usize) -> usize {
        let width = self.width;
        let pivot = self.row(bound)[entering];
        self.row_mut(bound).iter_mut().for_each(|entry| *entry /= pivot);
        // A copy, since the other rows change in the same list.
        let own = self.row(bound).to_vec();
        for (row, entries) in self.entries.chunks_exact_mut(width).enumerate() {
            let factor = entries[entering];
            if row != bound && factor != 0.0 {
                entries.iter_mut().zip(&own).for_each(|(entry, own)| *entry -= factor * own);
            }
        }
        std::mem::replace(&mut self.basis[bound], entering)
    }

    /// The values of these variables.
    #[inline]
    fn values(&self, variables: std::ops::Range<usize>) -> Vec<f64> {
        let mut values = vec![0.0; variables.len()];
        for (row, variable) in self.basis.iter().enumerate().filter(|&(_, variable)| variables.contains(variable)) {
            // Rounding may make a limit slightly negative.
            values[variable - variables.start] = self.limit(row).max(0.0);
        }
        values
    }
}
