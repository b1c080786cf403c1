//! The transposition table: values of searched states, for when they are reached again on another line. States are not
//! stored but identified by a hash of 128 bits.

use super::turn::JointIndex;
use crate::value::Value;
use gdl::limits::heap_block;
use gdl::number::to_index;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{Hash, Hasher};

/// The entry of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    pub(super) value: Value,
    pub(super) bound: TableBound,
    /// The number of plies that were left to the horizon.
    pub(super) remaining: u32,
    /// True if the horizon cut off nothing below the state.
    pub(super) is_complete: bool,
    /// The best joint move, by its index in canonical order.
    pub(super) best: JointIndex,
}

/// The relation of a value that was found within a window to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TableBound {
    /// The true value is equal.
    Exact,
    /// The true value is at least as great.
    Least,
    /// The true value is at most as great.
    Most,
}

impl TableEntry {
    /// True if the entry goes as deep as a search with `remaining` plies left.
    #[inline]
    pub(super) fn reaches(self, remaining: u32) -> bool {
        self.remaining == remaining || self.is_complete && self.remaining <= remaining
    }

    /// True if the entry decides a state with `remaining` plies left and the window from `alpha` to `beta`, so that it need
    /// not be searched again.
    #[inline]
    pub(super) fn decides(self, remaining: u32, alpha: Value, beta: Value) -> bool {
        self.reaches(remaining)
            && match self.bound {
                TableBound::Exact => true,
                TableBound::Least => self.value >= beta,
                TableBound::Most => self.value <= alpha,
            }
    }
}

/// A table of a limited number of states. When it is full it forgets all of them, so that its contents depend only on
/// the search, and node counts are the same on every engine.
///
/// - Source: Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program*, 1967.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// The hash of a state selects its part. Small parts make the memory a multiple of a small number, and only
    /// one of them grows at a time.
    parts: Vec<HashTable<(StateHash, TableEntry)>>,
    len: usize,
    most: usize,
}

impl Transpositions {
    /// The capacity of a part in states, approximately.
    const PART: usize = 1 << 12;

    /// An empty table that never uses more than `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let full = HashTable::<(StateHash, TableEntry)>::with_capacity(Self::PART);
        // While a part grows to its full size, its old table of half the size exists as well.
        let parts =
            to_index(bytes.saturating_sub(full.allocation_size() as u64 / 2)) / heap_block(full.allocation_size());
        if parts == 0 {
            // Too little memory for one part: a single one, which is full at half of what would make it grow.
            let most = to_index(bytes) / (4 * size_of::<(StateHash, TableEntry)>());
            return Self { parts: vec![HashTable::new()], len: 0, most: most.max(1) };
        }
        // States are spread unevenly, by the square root of a part; the table forgets its states before a part grows
        // beyond its size.
        let most = parts * (full.capacity() - 4 * full.capacity().isqrt());
        Self { parts: (0..parts).map(|_| HashTable::new()).collect(), len: 0, most }
    }

    /// The number of states in the table.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The entry of a state, if it has one.
    #[inline]
    pub(super) fn get(&self, hash: StateHash) -> Option<TableEntry> {
        let part = &self.parts[self.part(hash)];
        part.find(hash.1, |(other, _)| *other == hash).map(|&(_, known)| known)
    }

    /// Stores the entry of a state, in place of an older one.
    pub(super) fn set(&mut self, hash: StateHash, known: TableEntry) {
        if self.len >= self.most {
            self.parts.iter_mut().for_each(HashTable::clear);
            self.len = 0;
        }
        let part = self.part(hash);
        let same = |&(other, _): &(StateHash, TableEntry)| other == hash;
        match self.parts[part].entry(hash.1, same, |&(other, _)| other.1) {
            Entry::Occupied(mut entry) => entry.get_mut().1 = known,
            Entry::Vacant(entry) => {
                entry.insert((hash, known));
                self.len += 1;
            }
        }
    }

    #[inline]
    fn part(&self, hash: StateHash) -> usize {
        to_index(hash.0 % self.parts.len() as u64)
    }
}

/// The hash by which a table identifies a state.
pub(super) type StateHash = (u64, u64);

/// The hash of a state: two numbers of 64 bits take in word after word by a multiplication whose halves are added
/// without carry. Among 10^9 states the probability that any two have one hash is about 10^-21 if the numbers behave
/// like random ones.
///
/// - Source: Wang Yi, *wyhash*, 2019, for the folded multiplication and for one of the factors; Zobrist, *A New Hashing
///   Method with Application for Game Playing*, 1970, for tables that do without the states.
pub(super) fn state_hash<S: Hash>(state: &S) -> StateHash {
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
#[inline]
fn fold(one: u64, other: u64) -> u64 {
    let (lower, upper) = one.carrying_mul(other, 0);
    lower ^ upper
}

impl Hasher for Folds {
    #[inline]
    fn write_u64(&mut self, word: u64) {
        self.first = fold(self.first ^ word, 0xe703_7ed1_a0b4_28db);
        // Rotated, so that the two folds mix different bits of a word.
        self.second = fold(self.second ^ word.rotate_left(32), 0x9e37_79b9_7f4a_7c15);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
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
        // Without the length, bytes that end with zeros would have the hash of shorter ones.
        self.write_u64(bytes.len() as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.first
    }
}
