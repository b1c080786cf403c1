//! Keys as they stand in files: rows of words of which the first is the most significant, sorted as numbers, and
//! divided into shards; up to symmetry, if a game has symmetries.
//!
//! The shard of a row is a hash of its upper bits, so rows that differ only in their lower bits stay together: their
//! differences are small, which is what keeps files short.

use crate::{KeyParts, WordOrder};
use ggp_game::{Fluent, KeyGroup};
use rustc_hash::FxHashMap;

/// The length of rows, and the bits that decide on their shards.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowForm {
    /// The number of words of a row.
    pub(super) width: usize,
    /// The number of the lowest bits that do not decide on the shard, so that similar rows stay together.
    together: u32,
}

impl RowForm {
    /// The form of keys of this many bits.
    pub(super) fn new(bits: u32) -> Self {
        Self { width: (bits as usize).div_ceil(64).max(1), together: (bits * 2 / 5).min(32) }
    }

    /// The shard of a row, of this many, which is a power of two.
    pub(super) fn shard(self, row: &[u64], shards: u32) -> u32 {
        if shards == 1 {
            return 0;
        }
        let last = row[self.width - 1] >> self.together;
        let hash = row[..self.width - 1].iter().fold(mix(last), |hash, &word| mix(hash ^ word));
        // The upper bits, so that shards are ranges of hashes whatever their number.
        #[expect(clippy::cast_possible_truncation, reason = "there are at most 1024 shards")]
        let shard = (hash >> (64 - shards.trailing_zeros())) as u32;
        shard
    }

    /// Turns keys into rows, or rows into keys: the order of their words is reversed.
    pub(super) fn reverse(self, words: &mut [u64]) {
        if self.width > 1 {
            words.chunks_exact_mut(self.width).for_each(<[u64]>::reverse);
        }
    }
}

/// Mixes the bits of a number (the finaliser of SplitMix64). Files depend on it, so it never changes.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// Permutations of fluents that together are a group, as maps from rows to rows.
///
/// - Cost: for each row and each symmetry a look-up for each eight bits of the key.
#[derive(Clone, Debug)]
pub(super) struct RowSymmetries {
    width: usize,
    parts: KeyParts,
    /// For each symmetry and each part of a key: the images of the part's fluents, as rows, for each value of the part.
    tables: Vec<Vec<Vec<u64>>>,
}

impl RowSymmetries {
    /// The most key bits of a part.
    const BITS: u32 = 8;

    /// The symmetries that map fluents to these [`images`].
    pub(super) fn new(images: &[Vec<usize>], groups: &[KeyGroup], form: RowForm) -> Self {
        let parts = KeyParts::new(groups, WordOrder::HighestFirst, Self::BITS);
        // For each fluent, the word of a row and the bits in it that say that the fluent holds.
        let mut places: FxHashMap<usize, (u32, u64)> = FxHashMap::default();
        for group in groups {
            let numbered = group.fluents.iter().zip(1..);
            places.extend(numbered.map(|(fluent, number)| (fluent.index(), (group.bits.start, number))));
        }
        let tables = images.iter().map(|images| {
            let row = |fluents: &mut dyn Iterator<Item = Fluent>| {
                let mut row = vec![0; form.width];
                for fluent in fluents {
                    let (start, number) = places[&images[fluent.index()]];
                    let word = form.width - 1 - start as usize / 64;
                    let shift = start % 64;
                    row[word] |= number << shift;
                    // A group may begin in one word and end in the next.
                    if let Some(rest) = number.checked_shr(64 - shift).filter(|&rest| rest > 0) {
                        row[word - 1] |= rest;
                    }
                }
                row
            };
            parts.tables(row).into_iter().map(|table| table.concat()).collect()
        });
        Self { width: form.width, tables: tables.collect(), parts }
    }

    /// Replaces each row by the least of its images.
    pub(super) fn reduce(&self, rows: &mut [u64]) {
        let mut image = vec![0; self.width];
        let mut numbers = Vec::new();
        for row in rows.chunks_exact_mut(self.width) {
            numbers.clear();
            numbers.extend(self.parts.numbers(row));
            for tables in &self.tables {
                image.fill(0);
                for (table, &number) in tables.iter().zip(&numbers) {
                    let part = &table[number * self.width..][..self.width];
                    image.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
                }
                if image[..] < *row {
                    row.copy_from_slice(&image);
                }
            }
        }
    }
}
