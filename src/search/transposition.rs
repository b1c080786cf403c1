//! A table of states that have been searched, for when they are reached again another way.

use super::value::Value;
use crate::limits::heap_block;
use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use std::hash::{DefaultHasher, Hash, Hasher};

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// How many plies were left to the horizon.
    pub(super) remaining: u32,
    /// Whether nothing was left off at the horizon.
    pub(super) is_complete: bool,
    /// The place of the best joint move in canonical order.
    pub(super) best: u32,
}

/// How a value that was found within a window stands to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is this or more.
    Least,
    /// The true one is this or less.
    Most,
}

/// A table of at most so many states. When it is full it forgets them all and begins anew, so that what it knows depends only on the search,
/// and node counts are the same on every engine.
///
/// States are told apart by 128 bits of hash (two keyed SipHash values), not stored. Among a thousand million states the
/// probability that any two are mistaken for each other is below 10^-20.
///
/// - Source: Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program*, 1967.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// Each state is in the part that its signature names. Small parts make the memory a multiple of a small number, and only one of
    /// them grows at a time.
    parts: Vec<HashTable<(Signature, Known)>>,
    len: usize,
    most: usize,
}

type Signature = (u64, u64);

impl Transpositions {
    /// How many states a part of the table holds, about.
    const PART: usize = 1 << 12;

    /// An empty table, which never takes more than so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        let full = HashTable::<(Signature, Known)>::with_capacity(Self::PART);
        // While a part grows to its full size there is one of half the size beside it.
        let parts =
            bytes.saturating_sub(full.allocation_size() as u64 / 2) as usize / heap_block(full.allocation_size());
        if parts == 0 {
            // Less than one part: a single one, which is full at half of what a table has room for when it grows.
            let most = bytes as usize / (4 * size_of::<(Signature, Known)>());
            return Self { parts: vec![HashTable::new()], len: 0, most: most.max(1) };
        }
        // States are spread unevenly, by the square root of a part: forgotten is what is there before a part grows beyond its size.
        let most = parts * (full.capacity() - 4 * full.capacity().isqrt());
        Self { parts: (0..parts).map(|_| HashTable::new()).collect(), len: 0, most }
    }

    /// How many states it knows.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// What is known of a state.
    pub(super) fn get<S: Hash>(&self, state: &S) -> Option<Known> {
        let signature = signature(state);
        let part = &self.parts[self.part(signature)];
        part.find(signature.1, |(other, _)| *other == signature).map(|&(_, known)| known)
    }

    /// Remembers what is known of a state.
    pub(super) fn set<S: Hash>(&mut self, state: &S, known: Known) {
        if self.len >= self.most {
            self.parts.iter_mut().for_each(HashTable::clear);
            self.len = 0;
        }
        let signature = signature(state);
        let part = self.part(signature);
        let same = |&(other, _): &(Signature, Known)| other == signature;
        match self.parts[part].entry(signature.1, same, |&(other, _)| other.1) {
            Entry::Occupied(mut entry) => entry.get_mut().1 = known,
            Entry::Vacant(entry) => {
                entry.insert((signature, known));
                self.len += 1;
            }
        }
    }

    fn part(&self, signature: Signature) -> usize {
        (signature.0 % self.parts.len() as u64) as usize
    }
}

fn signature<S: Hash>(state: &S) -> Signature {
    let hash = |key: u8| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(key);
        state.hash(&mut hasher);
        hasher.finish()
    };
    (hash(0), hash(1))
}
