//! Words of a batch: one proposition of all its games, as `W` times 64 bits; lane `64 * j + i` is bit `i` of word `j`.
//! Here are the operations on them, where a proposition is stored, and the memory of a batch.
//!
//! The compiler turns loops over the `W` words into vector instructions. The 64 lanes of one word are a *column*.

/// A word of a batch.
pub(super) type Word<const W: usize> = [u64; W];

/// A word in which no bit is set.
pub(super) const fn none<const W: usize>() -> Word<W> {
    [0; W]
}

/// Applies `f` to each pair of columns.
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

/// The same index, hidden from the compiler. A loop over an array of words needs it where the index is not read from
/// memory: with AVX-512 it would become one over columns, which gathers a vector from the same column of eight words
/// and is ten times as slow.
#[inline(always)]
pub(super) fn opaque(index: usize) -> usize {
    std::hint::black_box(index)
}

/// The number of lanes whose bit is set.
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

/// Copies these lanes of `from` into words in which their bits are not set.
#[inline(always)]
pub(super) fn copy<const W: usize>(to: &mut [Word<W>], from: &[Word<W>], lanes: &Word<W>) {
    for index in 0..to.len() {
        let index = opaque(index);
        to[index] = or(&to[index], &and(&from[index], lanes));
    }
}

/// The index of a word in the memory of a batch.
pub(super) type Slot = u32;

/// A word of a batch, or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WordSource {
    pub(super) slot: Slot,
    pub(super) is_negated: bool,
}

/// The value of a source in all lanes.
#[inline(always)]
pub(super) fn read<const W: usize>(slots: &[Word<W>], source: WordSource) -> Word<W> {
    let negation = if source.is_negated { u64::MAX } else { 0 };
    map(&slots[source.slot as usize], &[negation; W], |value, negation| value ^ negation)
}

/// The alignment of words, in bytes.
const ALIGNMENT: usize = 64;

/// The words of a batch of `64 * W` lanes.
#[derive(Debug)]
pub(super) struct BatchMemory<const W: usize> {
    memory: Vec<u64>,
    /// The index of the first scratch word.
    scratch: usize,
    /// The index of the first word of the batch.
    first: usize,
}

impl<const W: usize> BatchMemory<W> {
    /// Memory for `slots` words of the batch and `scratch` words of 64 bits. All bits are 0, except those of the word
    /// `always`, which are 1.
    pub(super) fn new(slots: u32, scratch: usize, always: u32) -> Self {
        let padding = ALIGNMENT / size_of::<u64>();
        let scratch_words = scratch.next_multiple_of(padding);
        let memory = vec![0; scratch_words + slots as usize * W + padding];
        // The padding leaves room to begin at a multiple of the alignment, wherever the allocator puts the memory.
        let scratch = (ALIGNMENT - memory.as_ptr() as usize % ALIGNMENT) % ALIGNMENT / size_of::<u64>();
        let mut new = Self { memory, scratch, first: scratch + scratch_words };
        new.slots()[always as usize] = [u64::MAX; W];
        new
    }

    /// The words of the batch.
    pub(super) fn slots(&mut self) -> &mut [Word<W>] {
        self.memory[self.first..].as_chunks_mut().0
    }

    /// The words of the batch and those of the scratch memory, as words of 64 bits.
    pub(super) fn split(&mut self) -> (&mut [u64], &mut [u64]) {
        let (before, words) = self.memory.split_at_mut(self.first);
        (words, &mut before[self.scratch..])
    }
}

/// The indices of the set bits of a column, ascending.
pub(super) fn lanes(mut column: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lane = (column != 0).then(|| column.trailing_zeros());
        // Clears the lowest set bit.
        column &= column.wrapping_sub(1);
        lane
    })
}

/// The indices of the lanes whose bit is set, ascending.
pub(super) fn lane_indices<const W: usize>(word: &Word<W>) -> impl Iterator<Item = usize> {
    word.iter().enumerate().flat_map(|(column, &set)| lanes(set).map(move |lane| column * 64 + lane as usize))
}
