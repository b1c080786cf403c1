//! A row of squares that is closed to a ring, drawn around a rectangle.

/// Where the squares of a ring are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ring {
    /// The number of columns of the rectangle.
    pub(super) width: usize,
    /// The number of its rows.
    pub(super) height: usize,
    /// The row and column of each square, clockwise from the upper left corner.
    pub(super) squares: Vec<(usize, usize)>,
}

impl Ring {
    /// A ring of this many squares around a rectangle that is as close to a square as this number of columns allows
    /// (two at least); `None` for an odd number of squares and for fewer than four, which fill the edge of no
    /// rectangle.
    pub(super) fn with_squares(squares: usize, most_columns: usize) -> Option<Self> {
        if squares < 4 || !squares.is_multiple_of(2) {
            return None;
        }
        // The corners belong to two sides.
        let width_and_height = squares / 2 + 2;
        let width = width_and_height.div_ceil(2).min(most_columns.max(2));
        let height = width_and_height - width;
        let top = (0..width).map(|column| (0, column));
        let right = (1..height - 1).map(|row| (row, width - 1));
        let bottom = (0..width).rev().map(|column| (height - 1, column));
        let left = (1..height - 1).rev().map(|row| (row, 0));
        Some(Self { width, height, squares: top.chain(right).chain(bottom).chain(left).collect() })
    }
}
