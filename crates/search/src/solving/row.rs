//! Keys as they stand in files: rows of words of which the first is the most significant, sorted as numbers, and
//! divided into shards.
//!
//! The shard of a row is a hash of its upper bits, so rows that differ only in their lower bits stay together: their
//! differences are small, which is what keeps files short.

/// The greatest number of shards of a layer.
pub(super) const MOST_SHARDS: u32 = 1024;

/// How rows of a certain length are divided into shards.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowForm {
    /// The number of words of a row.
    pub(super) width: usize,
    /// The number of the lowest bits that do not count for the shard.
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

    /// Sorts rows and drops duplicates.
    pub(super) fn sort(self, words: &mut Vec<u64>) {
        match self.width {
            1 => {
                words.sort_unstable();
                return words.dedup();
            }
            2 => words.as_chunks_mut::<2>().0.sort_unstable(),
            3 => words.as_chunks_mut::<3>().0.sort_unstable(),
            4 => words.as_chunks_mut::<4>().0.sort_unstable(),
            5 => words.as_chunks_mut::<5>().0.sort_unstable(),
            6 => words.as_chunks_mut::<6>().0.sort_unstable(),
            _ => {
                let mut rows: Vec<&[u64]> = words.chunks_exact(self.width).collect();
                rows.sort_unstable();
                *words = rows.concat();
            }
        }
        self.drop_duplicates(words);
    }

    /// Drops rows that are equal to the one before.
    fn drop_duplicates(self, words: &mut Vec<u64>) {
        let width = self.width;
        let mut kept = width.min(words.len());
        for row in (width..words.len()).step_by(width) {
            if words[row..row + width] != words[kept - width..kept] {
                words.copy_within(row..row + width, kept);
                kept += width;
            }
        }
        words.truncate(kept);
    }
}

/// Mixes the bits of a number (the finaliser of SplitMix64). Files depend on it, so it never changes.
fn mix(word: u64) -> u64 {
    let word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}

/// The number of shards for about this many rows: one file for few, so that small layers cost few writes.
pub(super) fn shards_for(rows: u64) -> u32 {
    const ROWS: u64 = 1 << 14;
    u32::try_from(rows.div_ceil(ROWS)).unwrap_or(u32::MAX).min(MOST_SHARDS).next_power_of_two()
}
