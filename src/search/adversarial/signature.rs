//! The signature of a state: a hash of 128 bits, by which tables identify states without storing them.
//!
//! Two numbers of 64 bits take in word after word by a multiplication whose halves are added without carry. Among 10^9
//! states the probability that any two have one signature is about 10^-21 if the numbers behave like random ones.
//!
//! - Source: Wang Yi, *wyhash*, 2019, for the folded multiplication and for one of the factors; Zobrist, *A New Hashing
//!   Method with Application for Game Playing*, 1970, for tables that do without the states.

use std::hash::{Hash, Hasher};

/// The hash by which a table identifies a state.
pub(super) type StateHash = (u64, u64);

/// The signature of a state.
pub(super) fn signature<S: Hash>(state: &S) -> StateHash {
    let mut folds = Folds { first: 0x243f_6a88_85a3_08d3, second: 0x1319_8a2e_0370_7344 };
    state.hash(&mut folds);
    // The last word is mixed as well.
    folds.write_u64(0xa409_3822_299f_31d0);
    (folds.first, folds.second)
}

struct Folds {
    first: u64,
    second: u64,
}

/// The product of two numbers, its upper half added to the lower one without carry.
fn fold(one: u64, other: u64) -> u64 {
    let (lower, upper) = one.carrying_mul(other, 0);
    lower ^ upper
}

impl Hasher for Folds {
    fn write_u64(&mut self, word: u64) {
        self.first = fold(self.first ^ word, 0xe703_7ed1_a0b4_28db);
        self.second = fold(self.second ^ word.rotate_left(32), 0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|word| self.write_u64(u64::from_le_bytes(*word)));
        if !rest.is_empty() {
            let mut last = [0; 8];
            last[..rest.len()].copy_from_slice(rest);
            self.write_u64(u64::from_le_bytes(last));
        }
        self.write_u64(bytes.len() as u64);
    }

    fn finish(&self) -> u64 {
        self.first
    }
}
