//! A row of squares that is closed to a ring, drawn around a rectangle.

/// Where the squares of a ring are drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ring {
    /// The number of columns of the rectangle.
    pub(super) width: usize,
    /// The number of its rows.
    pub(super) height: usize,
    /// The row and column of each square, clockwise from the upper left corner.
    pub(super) squares: Vec<(usize, usize)>,
}

impl Ring {
    /// A ring of this many squares; `None` for an odd number and for fewer than four, which do not fill the edge of a
    /// rectangle.
    pub(super) fn of(squares: usize) -> Option<Self> {
        if squares < 4 || !squares.is_multiple_of(2) {
            return None;
        }
        let both = squares / 2 + 2;
        let (width, height) = (both.div_ceil(2), both / 2);
        let top = (0..width).map(|column| (0, column));
        let right = (1..height - 1).map(|row| (row, width - 1));
        let bottom = (0..width).rev().map(|column| (height - 1, column));
        let left = (1..height - 1).rev().map(|row| (row, 0));
        Some(Self { width, height, squares: top.chain(right).chain(bottom).chain(left).collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::Ring;

    #[test]
    fn every_square_of_the_edge_is_used_once() {
        for squares in (4..=40).step_by(2) {
            let ring = Ring::of(squares).expect("the number is even");
            let mut sorted = ring.squares.clone();
            sorted.sort_unstable();
            sorted.dedup();
            assert_eq!(sorted.len(), squares);
            let is_edge = |&(row, column): &(usize, usize)| {
                row == 0 || column == 0 || row + 1 == ring.height || column + 1 == ring.width
            };
            assert!(sorted.iter().all(is_edge), "{ring:?}");
            let is_next = |pair: &[(usize, usize)]| pair[0].0.abs_diff(pair[1].0) + pair[0].1.abs_diff(pair[1].1) == 1;
            assert!(ring.squares.windows(2).all(is_next), "{ring:?}");
        }
        assert_eq!((Ring::of(2), Ring::of(7)), (None, None));
    }
}
