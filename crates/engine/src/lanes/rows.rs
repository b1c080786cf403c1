//! Bits by game instead of by proposition: a row holds all bits of one game in sequence, as a state does.
//!
//! A batch has a word for each proposition, so rows are transposed on the way in and out, in blocks of 64 games by 64
//! bits.

use crate::program::NetworkState;
use fixedbitset::FixedBitSet;

/// Rows of bits, one per game.
#[derive(Clone, Debug, Default)]
pub(super) struct Rows {
    /// The number of bits of a row.
    bits: usize,
    rows: usize,
    words: Vec<u64>,
}

/// A square of bits: 64 games by 64 bits, or its transpose.
pub(super) type Block = [u64; 64];

impl Rows {
    /// Replaces all rows by `rows` rows with no bit set; keeps the memory.
    pub(super) fn reset(&mut self, bits: usize, rows: usize) {
        (self.bits, self.rows) = (bits, rows);
        self.words.clear();
        self.words.resize(rows * self.words_of_row(), 0);
    }

    /// The number of bits of a row.
    pub(super) fn bits(&self) -> usize {
        self.bits
    }

    /// The words of all rows, row after row.
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// True if a bit of a row is set; bits beyond the last one are not.
    #[inline(always)]
    pub(super) fn contains(&self, row: usize, bit: usize) -> bool {
        self.row(row).get(bit / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }

    /// The number of words of a row.
    pub(super) fn words_of_row(&self) -> usize {
        self.bits.div_ceil(64)
    }

    pub(super) fn row(&self, row: usize) -> &[u64] {
        let stride = self.words_of_row();
        &self.words[row * stride..][..stride]
    }

    pub(super) fn row_mut(&mut self, row: usize) -> &mut [u64] {
        let stride = self.words_of_row();
        &mut self.words[row * stride..][..stride]
    }

    /// The first bit in which a row differs from the same row of others.
    pub(super) fn first_difference(&self, other: &Self, row: usize) -> Option<usize> {
        let words = self.row(row).iter().zip(other.row(row)).map(|(one, other)| one ^ other);
        let mut differing = words.enumerate().filter(|&(_, word)| word != 0);
        differing.next().map(|(index, word)| index * 64 + word.trailing_zeros() as usize)
    }

    /// The indices of the set bits of a row from `from` to below `to`.
    pub(super) fn ones(&self, row: usize, from: usize, to: usize) -> impl Iterator<Item = usize> {
        let row = self.row(row);
        (from / 64..to.div_ceil(64)).flat_map(move |index| {
            let below = if index * 64 < from { u64::MAX << (from % 64) } else { u64::MAX };
            let above = if to < (index + 1) * 64 { !(u64::MAX << (to % 64)) } else { u64::MAX };
            let mut word = row[index] & below & above;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| index * 64 + word.trailing_zeros() as usize);
                word &= word.wrapping_sub(1);
                bit
            })
        })
    }

    pub(super) fn len(&self) -> usize {
        self.rows
    }

    /// Replaces all rows by those of these states.
    pub(super) fn take<'a>(&mut self, bits: usize, states: impl IntoIterator<Item = &'a NetworkState>) {
        self.reset(bits, 0);
        states.into_iter().for_each(|state| self.push(state));
    }

    /// Adds the row of a state.
    fn push(&mut self, state: &NetworkState) {
        const BITS: usize = usize::BITS as usize;
        let start = self.words.len();
        self.rows += 1;
        self.words.resize(start + self.words_of_row(), 0);
        for (index, &block) in state.bits().as_slice().iter().enumerate() {
            self.words[start + index * BITS / 64] |= (block as u64) << (index * BITS % 64);
        }
    }

    /// Replaces all rows by rows of these words.
    pub(super) fn take_words(&mut self, bits: usize, words: &[u64]) {
        self.words.clear();
        self.words.extend_from_slice(words);
        self.bits = bits;
        self.rows = words.len() / self.words_of_row();
    }

    /// Replaces all rows by some rows of `words`, given by their indices.
    pub(super) fn take_some(&mut self, bits: usize, words: &[u64], rows: &[u32]) {
        (self.bits, self.rows) = (bits, rows.len());
        let stride = self.words_of_row();
        self.words.clear();
        match stride {
            // One word is the most frequent length, and is copied without a call.
            1 => self.words.extend(rows.iter().map(|&row| words[row as usize])),
            _ => rows.iter().for_each(|&row| self.words.extend_from_slice(&words[row as usize * stride..][..stride])),
        }
    }

    /// The state of a row, built in the memory of `spare` if it has the same number of bits.
    pub(super) fn state(&self, row: usize, spare: Option<NetworkState>) -> NetworkState {
        const BITS: usize = usize::BITS as usize;
        let spare = spare.filter(|spare| spare.bits().len() == self.bits);
        let mut state = spare.unwrap_or_else(|| NetworkState::new(FixedBitSet::with_capacity(self.bits)));
        let row = self.row(row);
        for (index, block) in state.bits_mut().as_mut_slice().iter_mut().enumerate() {
            #[expect(clippy::cast_possible_truncation, reason = "a block is as many bits as its word has")]
            let bits = (row[index * BITS / 64] >> (index * BITS % 64)) as usize;
            *block = bits;
        }
        state
    }

    /// Transposes 64 bits of 64 rows: returns a word for each of the bits from `64 * index` on, with one bit per row
    /// from `first` on. Missing rows have no bit set.
    #[inline(always)]
    pub(super) fn read(&self, first: usize, index: usize) -> Block {
        let stride = self.words_of_row();
        let mut block = [0; 64];
        for (bits, row) in block.iter_mut().zip(self.words[first * stride..].chunks_exact(stride)) {
            *bits = row[index];
        }
        turn(&mut block);
        block
    }

    /// Writes a block as [`Rows::read`] returns it; omits bits after the last one, and games without a row.
    #[inline(always)]
    pub(super) fn write(&mut self, first: usize, index: usize, mut block: Block) {
        turn(&mut block);
        let end = self.bits - index * 64;
        let mask = if end < 64 { !(u64::MAX << end) } else { u64::MAX };
        let stride = self.words_of_row();
        for (bits, row) in block.iter().zip(self.words[first * stride..].chunks_exact_mut(stride)) {
            row[index] = bits & mask;
        }
    }
}

/// Transposes a square: bit `j` of word `i` becomes bit `i` of word `j`. Halves are exchanged recursively (Warren,
/// *Hacker's Delight*, 7-3).
#[inline(always)]
pub(super) fn turn(block: &mut Block) {
    let mut width = 32;
    let mut mask = u64::from(u32::MAX);
    while width > 0 {
        for pair in block.chunks_exact_mut(2 * width) {
            let (upper, lower) = pair.split_at_mut(width);
            for (upper, lower) in upper.iter_mut().zip(lower) {
                let exchanged = (*upper >> width ^ *lower) & mask;
                *upper ^= exchanged << width;
                *lower ^= exchanged;
            }
        }
        width /= 2;
        mask ^= mask << width;
    }
}
