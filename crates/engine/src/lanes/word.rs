//! Words: one proposition of all games of a batch, as `W` times 64 bits; lane `64 * j + i` is bit `i` of word `j`.
//!
//! The compiler turns loops over the `W` words into vector instructions. The 64 lanes of one word are a *column*.

/// A word of a batch.
pub(super) type Word<const W: usize> = [u64; W];

/// A word in which no lane holds.
pub(super) const fn none<const W: usize>() -> Word<W> {
    [0; W]
}

/// Applies `f` to each column.
#[inline(always)]
pub(super) fn map<const W: usize>(left: &Word<W>, right: &Word<W>, f: impl Fn(u64, u64) -> u64) -> Word<W> {
    let mut result = none();
    for j in 0..W {
        result[j] = f(left[j], right[j]);
    }
    result
}

#[inline(always)]
pub(super) fn and<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, |left, right| left & right)
}

#[inline(always)]
pub(super) fn or<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, |left, right| left | right)
}

#[inline(always)]
pub(super) fn xor<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, |left, right| left ^ right)
}

/// `left & !right`.
#[inline(always)]
pub(super) fn without<const W: usize>(left: &Word<W>, right: &Word<W>) -> Word<W> {
    map(left, right, |left, right| left & !right)
}

#[inline(always)]
pub(super) fn any<const W: usize>(word: &Word<W>) -> bool {
    word.iter().fold(0, |all, &column| all | column) != 0
}

/// The same index, of which the compiler knows nothing. A loop over an array of words needs it where the index is not
/// read from memory: with AVX-512 it would become one over columns, which gathers a vector from the same column of
/// eight words and is ten times as slow.
#[inline(always)]
pub(super) fn opaque(index: usize) -> usize {
    std::hint::black_box(index)
}

/// The number of lanes that hold.
#[inline(always)]
pub(super) fn count<const W: usize>(word: &Word<W>) -> u64 {
    word.iter().map(|column| u64::from(column.count_ones())).sum()
}

/// `C` columns from index `first` on.
///
/// # Panics
/// If there are fewer than `first + C` columns.
#[inline(always)]
pub(super) fn part<const W: usize, const C: usize>(word: &Word<W>, first: usize) -> &Word<C> {
    word[first..].first_chunk().expect("a part lies within its word")
}

/// `C` columns from index `first` on, to be written.
///
/// # Panics
/// If there are fewer than `first + C` columns.
#[inline(always)]
pub(super) fn part_mut<const W: usize, const C: usize>(word: &mut Word<W>, first: usize) -> &mut Word<C> {
    word[first..].first_chunk_mut().expect("a part lies within its word")
}

/// Copies these lanes of `from` into words in which they are not set.
#[inline(always)]
pub(super) fn copy<const W: usize>(to: &mut [Word<W>], from: &[Word<W>], lanes: &Word<W>) {
    for index in 0..to.len() {
        let index = opaque(index);
        to[index] = or(&to[index], &and(&from[index], lanes));
    }
}
