//! A table of states that have been searched, for when they are reached again another way.

use super::value::Value;
use rustc_hash::FxHashMap;
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
    entries: FxHashMap<Signature, Known>,
    most: usize,
}

type Signature = (u64, u64);

impl Transpositions {
    /// An empty table, which never takes more than so many bytes.
    pub(super) fn new(bytes: u64) -> Self {
        // A byte beside each entry, up to half of the room free, and a second table while it grows.
        let entry = 3 * (size_of::<(Signature, Known)>() as u64 + 1);
        Self { entries: FxHashMap::default(), most: (bytes / entry).max(1) as usize }
    }

    /// How many states it knows.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// What is known of a state.
    pub(super) fn get<S: Hash>(&self, state: &S) -> Option<Known> {
        self.entries.get(&signature(state)).copied()
    }

    /// Remembers what is known of a state.
    pub(super) fn set<S: Hash>(&mut self, state: &S, known: Known) {
        if self.entries.len() >= self.most {
            self.entries.clear();
        }
        self.entries.insert(signature(state), known);
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
