//! Games of two sides without a constant sum: one equilibrium by the method of Lemke and Howson.

use super::matrix_game::mixture;
use super::tableau::Tableau;

/// What each of two sides gains for each pair of moves.
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

/// The shares of one side's moves for which no move of the other side gains more than 1: a tableau with a column for each
/// label and a row for each bound. A label is the share of one of the side's own moves, or what is left to the bound of a
/// move of the other side.
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

    /// Whether one bound is met before another as a label grows. Bounds that are met at once are told apart as if each
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
