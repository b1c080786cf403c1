//! Tables of answers, so that nothing is asked twice in the same state.

use super::index::{TupleSet, make_room, set_bytes};
use super::plan::PredicateId;
use super::terms::{TermId, hash_tuple};
use gdl::number::to_u32;
use hashbrown::HashTable;

/// The answers of a call: tuples of outputs, adjacent in [`AnswerTables::answers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CallAnswers {
    /// The offset of the first term.
    pub(super) first: u32,
    /// The number of tuples; for a predicate without outputs, 1 if it holds.
    pub(super) count: u32,
}

#[derive(Clone, Copy, Debug)]
struct CallEntry {
    predicate: PredicateId,
    first_of_key: u32,
    inputs: u32,
    answers: CallAnswers,
}

/// All answers of one scope.
#[derive(Clone, Debug, Default)]
pub(super) struct AnswerTables {
    pub(super) answers: Vec<TermId>,
    keys: Vec<TermId>,
    entries: Vec<CallEntry>,
    ids: HashTable<u32>,
    /// The calls without inputs, by predicate: the generation in which they were answered, and the answers.
    without_inputs: Vec<(u32, CallAnswers)>,
    generation: u32,
}

fn hash(predicate: PredicateId, key: &[TermId]) -> u64 {
    hash_tuple((predicate.index() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), key)
}

impl AnswerTables {
    #[inline]
    pub(super) fn find(&self, predicate: PredicateId, key: &[TermId]) -> Option<CallAnswers> {
        if key.is_empty() {
            let &(generation, answers) = self.without_inputs.get(predicate.index())?;
            return (generation == self.generation + 1).then_some(answers);
        }
        let same = |&number: &u32| {
            let entry = &self.entries[number as usize];
            entry.predicate == predicate && self.key_of(entry) == key
        };
        self.ids.find(hash(predicate, key), same).map(|&number| self.entries[number as usize].answers)
    }

    fn key_of(&self, entry: &CallEntry) -> &[TermId] {
        &self.keys[entry.first_of_key as usize..(entry.first_of_key + entry.inputs) as usize]
    }

    pub(super) fn insert(&mut self, predicate: PredicateId, key: &[TermId], answers: CallAnswers) {
        if key.is_empty() {
            if self.without_inputs.len() <= predicate.index() {
                self.without_inputs.resize(predicate.index() + 1, (0, answers));
            }
            self.without_inputs[predicate.index()] = (self.generation + 1, answers);
            return;
        }
        let entry = CallEntry { predicate, first_of_key: to_u32(self.keys.len()), inputs: to_u32(key.len()), answers };
        self.keys.extend_from_slice(key);
        self.entries.push(entry);
        let number = to_u32(self.entries.len()) - 1;
        let entries = &self.entries;
        let keys = &self.keys;
        let rehash = |&other: &u32| {
            let entry = &entries[other as usize];
            hash(entry.predicate, &keys[entry.first_of_key as usize..(entry.first_of_key + entry.inputs) as usize])
        };
        self.ids.insert_unique(hash(predicate, key), number, rehash);
    }

    /// Discards everything. Linear in the number of entries.
    pub(super) fn clear(&mut self) {
        self.answers.clear();
        self.keys.clear();
        self.entries.clear();
        if !self.ids.is_empty() {
            self.ids.clear();
        }
        self.generation = self.generation.wrapping_add(1) & 0x7fff_ffff;
        if self.generation == 0 {
            self.without_inputs.clear();
        }
    }

    /// The number of terms in answers and keys.
    pub(super) fn size(&self) -> usize {
        self.answers.len() + self.keys.len()
    }

    pub(super) fn bytes(&self) -> usize {
        let terms = (self.answers.capacity() + self.keys.capacity()) * size_of::<TermId>();
        let calls = self.without_inputs.capacity() * size_of::<(u32, CallAnswers)>();
        terms + calls + self.entries.capacity() * size_of::<CallEntry>() + set_bytes(&self.ids)
    }
}

/// The sets of tuples that collectors use: those of the open calls, the innermost last, and spare ones.
#[derive(Clone, Debug, Default)]
pub(super) struct TupleSetStack {
    open: Vec<TupleSet>,
    spare: Vec<TupleSet>,
}

impl TupleSetStack {
    /// The size in bytes while this many more tuples are added to the sets of the open calls.
    pub(super) fn bytes_for_next(&self, more: usize) -> usize {
        let open = self.open.iter().map(|set| set.bytes_for_next(more));
        open.chain(self.spare.iter().map(TupleSet::bytes)).sum()
    }
}

/// Collects the answers of one call, without duplicates, at the end of a stack that all open calls share.
#[derive(Debug)]
pub(super) struct Collector {
    start: usize,
    arity: usize,
    /// Whether the last of the open sets contains all tuples so far; false while they are few enough for a linear
    /// search.
    has_set: bool,
}

impl Collector {
    /// Up to this many terms, a linear search is faster than hashing.
    const FEW: usize = 48;

    pub(super) fn new(pending: &[TermId], arity: usize) -> Self {
        Self { start: pending.len(), arity, has_set: false }
    }

    /// The index on the stack at which its answers begin.
    pub(super) fn start(&self) -> usize {
        self.start
    }

    /// Adds the tuple at the end of the stack, or drops it if it is a duplicate.
    pub(super) fn take_last(&mut self, pending: &mut Vec<TermId>, sets: &mut TupleSetStack) {
        let (old, new) = pending[self.start..].split_at(pending.len() - self.start - self.arity);
        // Calls that began later have ended, so the last open set belongs to this one.
        let seen = if self.has_set { sets.open.last_mut() } else { None };
        let repeated = match (seen, new) {
            (Some(seen), _) => !seen.insert(new),
            (None, [only]) => old.contains(only),
            (None, _) => old.chunks_exact(self.arity).any(|tuple| tuple == new),
        };
        if repeated {
            pending.truncate(pending.len() - self.arity);
        } else if !self.has_set && old.len() >= Self::FEW {
            let mut seen = sets.spare.pop().unwrap_or_default();
            seen.reset(self.arity);
            for tuple in pending[self.start..].chunks_exact(self.arity) {
                seen.insert(tuple);
            }
            sets.open.push(seen);
            self.has_set = true;
        }
    }

    /// Moves the answers from the stack to a table.
    pub(super) fn finish(
        self,
        pending: &mut Vec<TermId>,
        sets: &mut TupleSetStack,
        answers: &mut Vec<TermId>,
    ) -> CallAnswers {
        let first = to_u32(answers.len());
        let count = to_u32((pending.len() - self.start) / self.arity);
        make_room(answers, pending.len() - self.start);
        answers.extend(pending.drain(self.start..));
        if self.has_set {
            sets.spare.extend(sets.open.pop());
        }
        CallAnswers { first, count }
    }
}
