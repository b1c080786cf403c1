//! A table of states that have been searched, for when they are reached again another way.

use super::value::Value;
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

/// A table that keeps to its limit of memory by forgetting: where two states want the same place, the one that was searched
/// deeper stays, and the last one comes to the place beside it.
///
/// States are told apart by 128 bits of hash (two keyed SipHash values), not stored. Among a thousand million states the
/// probability that any two are mistaken for each other is below 10^-20.
///
/// - Source: Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program*, 1967; Breuker, Uiterwijk and van den Herik,
///   *Replacement Schemes for Transposition Tables*, 1994, where this one is TwoDeep.
#[derive(Debug)]
pub(super) struct Transpositions {
    /// Pairs of places; their number is a power of two.
    places: Vec<[Option<Entry>; 2]>,
    used: usize,
    most_pairs: usize,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    signature: Signature,
    known: Known,
}

type Signature = (u64, u64);

impl Transpositions {
    const FIRST_PAIRS: usize = 1 << 10;

    /// An empty table, which never takes more than so many bytes, or a few dozen KiB if that is more.
    pub(super) fn new(bytes: u64) -> Self {
        // While it grows there are two tables.
        let fitting = (bytes / size_of::<[Option<Entry>; 2]>() as u64 * 2 / 3).max(Self::FIRST_PAIRS as u64);
        let most_pairs = 1 << fitting.ilog2();
        Self { places: vec![[None; 2]; Self::FIRST_PAIRS], used: 0, most_pairs }
    }

    /// How many states it knows.
    pub(super) fn len(&self) -> usize {
        self.used
    }

    /// What is known of a state.
    pub(super) fn get<S: Hash>(&self, state: &S) -> Option<Known> {
        let signature = signature(state);
        let pair = &self.places[self.place(signature)];
        pair.iter().flatten().find(|entry| entry.signature == signature).map(|entry| entry.known)
    }

    /// Remembers what is known of a state.
    pub(super) fn set<S: Hash>(&mut self, state: &S, known: Known) {
        self.put(Entry { signature: signature(state), known });
        if self.used > self.places.len() && self.places.len() < self.most_pairs {
            let larger = vec![[None; 2]; 2 * self.places.len()];
            let entries = std::mem::replace(&mut self.places, larger);
            self.used = 0;
            entries.into_iter().flatten().flatten().for_each(|entry| self.put(entry));
        }
    }

    fn place(&self, signature: Signature) -> usize {
        signature.0 as usize & (self.places.len() - 1)
    }

    fn put(&mut self, entry: Entry) {
        let place = self.place(entry.signature);
        let pair = &mut self.places[place];
        let same = pair.iter().position(|old| old.is_some_and(|old| old.signature == entry.signature));
        let free = pair.iter().position(Option::is_none);
        let deeper = pair[0].is_some_and(|old| old.known.remaining > entry.known.remaining);
        let chosen = same.or(free).unwrap_or(usize::from(deeper));
        self.used += usize::from(pair[chosen].is_none());
        pair[chosen] = Some(entry);
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
