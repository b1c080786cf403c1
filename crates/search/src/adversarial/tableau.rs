//! The tableau of linear programs, which [`super::matrix_game`] and [`super::bimatrix`] pivot in their own ways: a row of
//! numbers for each bound, with the limit in its last column, and the variable that each bound determines.

/// Bounds on variables, none of which is negative.
pub(super) struct Tableau {
    /// The rows of the bounds, and behind them those that only follow: an objective.
    entries: Vec<f64>,
    /// The number of entries of a row.
    width: usize,
    /// The variable that each bound determines.
    pub(super) basis: Vec<usize>,
}

impl Tableau {
    /// What counts as 0.
    pub(super) const ROUNDING: f64 = 1e-11;

    /// Zeros in rows for this many variables and the limit; the bounds come first, and determine the variables of `basis`.
    #[inline]
    pub(super) fn new(rows: usize, variables: usize, basis: Vec<usize>) -> Self {
        let width = variables + 1;
        Self { entries: vec![0.0; rows * width], width, basis }
    }

    /// The number of variables.
    #[inline]
    pub(super) fn variables(&self) -> usize {
        self.width - 1
    }

    #[inline]
    pub(super) fn row(&self, row: usize) -> &[f64] {
        &self.entries[row * self.width..][..self.width]
    }

    #[inline]
    pub(super) fn row_mut(&mut self, row: usize) -> &mut [f64] {
        &mut self.entries[row * self.width..][..self.width]
    }

    /// The limit of a row.
    #[inline]
    pub(super) fn limit(&self, row: usize) -> f64 {
        self.row(row)[self.width - 1]
    }

    /// The bounds that limit a variable as it grows.
    #[inline]
    pub(super) fn limiting(&self, variable: usize) -> impl Iterator<Item = usize> {
        (0..self.basis.len()).filter(move |&row| self.row(row)[variable] > Self::ROUNDING)
    }

    /// Lets a bound determine another variable. Returns the one that it has determined.
    pub(super) fn exchange(&mut self, bound: usize, entering: usize) -> usize {
        let width = self.width;
        let pivot = self.row(bound)[entering];
        self.row_mut(bound).iter_mut().for_each(|entry| *entry /= pivot);
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
    pub(super) fn values(&self, variables: std::ops::Range<usize>) -> Vec<f64> {
        let mut values = vec![0.0; variables.len()];
        for (row, variable) in self.basis.iter().enumerate().filter(|&(_, variable)| variables.contains(variable)) {
            values[variable - variables.start] = self.limit(row).max(0.0);
        }
        values
    }
}
