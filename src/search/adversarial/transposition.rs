//! The transposition table: values of searched states, for when they are reached again on another line.

use super::signature::StateHash;
use super::value::Value;
use crate::limits::heap_block;
use crate::number::to_index;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;

/// What the table knows of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TableEntry {
    pub(super) value: Value,
    pub(super) bound: TableBound,
    /// The number of plies that were left to the horizon.
    pub(super) remaining: u32,
    /// Whether the horizon cut off nothing below the state.
    pub(super) is_complete: bool,
    /// The index of the best joint move in canonical order.
    pub(super) best: u32,
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

/// A table with a limited number of states. When it is full it forgets all of them, so that its contents depend only on
/// the search, and node counts are the same on every engine.
///
/// States are not stored but identified by a hash of 128 bits (`signature.rs`).
///
/// - Source: Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program*, 1967.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// The signature of a state selects its part. Small parts make the memory a multiple of a small number, and only
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
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What is known of a state, if anything.
    pub(super) fn get(&self, signature: StateHash) -> Option<TableEntry> {
        let part = &self.parts[self.part(signature)];
        part.find(signature.1, |(other, _)| *other == signature).map(|&(_, known)| known)
    }

    /// Stores what is known of a state.
    pub(super) fn set(&mut self, signature: StateHash, known: TableEntry) {
        if self.len >= self.most {
            self.parts.iter_mut().for_each(HashTable::clear);
            self.len = 0;
        }
        let part = self.part(signature);
        let same = |&(other, _): &(StateHash, TableEntry)| other == signature;
        match self.parts[part].entry(signature.1, same, |&(other, _)| other.1) {
            Entry::Occupied(mut entry) => entry.get_mut().1 = known,
            Entry::Vacant(entry) => {
                entry.insert((signature, known));
                self.len += 1;
            }
        }
    }

    fn part(&self, signature: StateHash) -> usize {
        to_index(signature.0 % self.parts.len() as u64)
    }
}
