//! Random words: each column has a generator of its own, so what it plays does not depend on the columns next to it.
//!
//! The generator is SFC64 (Doty-Humphrey, PractRand; period at least 2^64). All its bits pass all known tests, and it
//! needs only additions, shifts and exclusive ors, so a vector unit runs the generators of several columns at the same
//! time.

use super::word::{Word, and, map, none, or, part, part_mut, without, xor};

/// A generator for each column.
#[derive(Clone, Copy, Debug)]
pub(super) struct ColumnRandom<const W: usize> {
    a: Word<W>,
    b: Word<W>,
    c: Word<W>,
    counter: Word<W>,
}

/// The number of values that are discarded after seeding, as the author of the generator recommends.
const WARM_UP: usize = 18;

impl<const W: usize> ColumnRandom<W> {
    pub(super) fn new() -> Self {
        Self { a: none(), b: none(), c: none(), counter: none() }
    }

    /// Begins the stream of a seed and a column number, in the generator at index `column`.
    pub(super) fn seed(&mut self, column: usize, seed: u64, number: u64) {
        let mut one = ColumnRandom::<1> { a: [number], b: [seed], c: [0x6a09_e667_f3bc_c908], counter: [1] };
        (0..WARM_UP).for_each(|_| _ = one.draw());
        (self.a[column], self.b[column]) = (one.a[0], one.b[0]);
        (self.c[column], self.counter[column]) = (one.c[0], one.counter[0]);
    }

    /// The generators of `C` columns, from index `first` on.
    #[inline(always)]
    pub(super) fn part<const C: usize>(&self, first: usize) -> ColumnRandom<C> {
        ColumnRandom {
            a: *part(&self.a, first),
            b: *part(&self.b, first),
            c: *part(&self.c, first),
            counter: *part(&self.counter, first),
        }
    }

    /// Replaces the generators of `C` columns, from index `first` on.
    #[inline(always)]
    pub(super) fn set_part<const C: usize>(&mut self, first: usize, part: &ColumnRandom<C>) {
        *part_mut(&mut self.a, first) = part.a;
        *part_mut(&mut self.b, first) = part.b;
        *part_mut(&mut self.c, first) = part.c;
        *part_mut(&mut self.counter, first) = part.counter;
    }

    /// A random word: every lane holds with probability one half.
    #[inline(always)]
    pub(super) fn draw(&mut self) -> Word<W> {
        let drawn = plus(&plus(&self.a, &self.b), &self.counter);
        self.counter = plus(&self.counter, &[1; W]);
        self.a = xor(&self.b, &shifted(&self.b, |column| column >> 11));
        self.b = plus(&self.c, &shifted(&self.c, |column| column << 3));
        // Rotated to the left by 24. Written as a rotation it would be done column by column with AVX2, which has none.
        let left = shifted(&self.c, |column| column << 24);
        let right = shifted(&self.c, |column| column >> 40);
        self.c = plus(&plus(&left, &drawn), &right);
        drawn
    }

    /// Takes over the generators of the columns that had a lane waiting `before` and have none `after`. So a generator
    /// may go on drawing for its neighbours once its own column is done, and nothing waits until it is restored.
    #[inline(always)]
    pub(super) fn keep(&mut self, now: &Self, before: &Word<W>, after: &Word<W>) {
        let keep = map(before, after, |before, after| if before != 0 && after == 0 { u64::MAX } else { 0 });
        let blend = |then: &Word<W>, now: &Word<W>| or(&without(then, &keep), &and(now, &keep));
        self.a = blend(&self.a, &now.a);
        self.b = blend(&self.b, &now.b);
        self.c = blend(&self.c, &now.c);
        self.counter = blend(&self.counter, &now.counter);
    }
}

#[inline(always)]
fn plus<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, u64::wrapping_add)
}

#[inline(always)]
fn shifted<const W: usize>(word: &Word<W>, f: impl Fn(u64) -> u64) -> Word<W> {
    map(word, word, |column, _| f(column))
}
