//! The answers that are kept while their scope lasts: tables of calls, so that nothing is asked twice in the same
//! state, and the tuples of recursive components with the queue of those that have not triggered their rules.

use super::index::{GrowingIndex, TupleSet, make_room, set_bytes};
use super::plan::PredicateId;
use super::program::RecursiveComponent;
use super::terms::{TermId, hash_tuple};
use gdl::number::to_u32;
use hashbrown::HashTable;
use std::collections::VecDeque;

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
    /// The calls without inputs, by predicate: the generation in which they were answered, plus one, and the answers.
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
        // A new generation makes all calls without inputs unknown at once. It has 31 bits, so that one more fits.
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
    /// True if the last of the open sets has all tuples so far; false while they are few enough for a linear search.
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

/// The tuples of one relation of a component.
#[derive(Clone, Debug)]
struct ComponentTuples {
    tuples: TupleSet,
    /// The number of tuples, from the start, that have triggered their rules and are visible to rules that other tuples
    /// trigger.
    visible: u32,
    indexes: Vec<GrowingIndex>,
}

/// The working memory of one component: its tuples, kept as long as its scope lasts. A new question continues from
/// them.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixpoint {
    stores: Vec<ComponentTuples>,
    queue: VecDeque<(u32, u32)>,
    used: bool,
}

impl Fixpoint {
    /// Adds the relations and indexes that the component has received since the last call. The memory may have more
    /// relations than the component: those of another extension of the program that was asked in between.
    pub(super) fn add_relations(&mut self, component: &RecursiveComponent) {
        for (number, relation) in component.relations.iter().enumerate() {
            if self.stores.len() == number {
                let tuples = TupleSet::new(relation.arity);
                self.stores.push(ComponentTuples { tuples, visible: 0, indexes: Vec::new() });
            }
            let store = &mut self.stores[number];
            for columns in relation.indexes.iter().skip(store.indexes.len()) {
                let mut index = GrowingIndex::new(columns.clone());
                (0..store.visible).for_each(|number| index.insert(store.tuples.tuple(number as usize), number));
                store.indexes.push(index);
            }
        }
    }

    /// Adds a tuple, and enqueues it if it is new.
    pub(super) fn add(&mut self, relation: u32, tuple: &[TermId]) {
        let store = &mut self.stores[relation as usize];
        if store.tuples.insert(tuple) {
            self.queue.push_back((relation, to_u32(store.tuples.len()) - 1));
            self.used = true;
        }
    }

    /// Dequeues the next tuple and makes it visible.
    pub(super) fn take(&mut self) -> Option<(u32, u32)> {
        let (relation, number) = self.queue.pop_front()?;
        let store = &mut self.stores[relation as usize];
        debug_assert_eq!(store.visible, number);
        store.visible = number + 1;
        for index in &mut store.indexes {
            index.insert(store.tuples.tuple(number as usize), number);
        }
        Some((relation, number))
    }

    #[inline]
    pub(super) fn tuple(&self, relation: u32, number: u32) -> &[TermId] {
        self.stores[relation as usize].tuples.tuple(number as usize)
    }

    /// True if a tuple of a relation is visible.
    #[inline]
    pub(super) fn sees(&self, relation: u32, tuple: &[TermId]) -> bool {
        let store = &self.stores[relation as usize];
        store.tuples.find(tuple).is_some_and(|number| number < store.visible)
    }

    /// The number of visible tuples of a relation.
    pub(super) fn visible(&self, relation: u32) -> u32 {
        self.stores[relation as usize].visible
    }

    #[inline]
    pub(super) fn index(&self, relation: u32, index: u32) -> &GrowingIndex {
        &self.stores[relation as usize].indexes[index as usize]
    }

    /// The number of tuples of a relation.
    pub(super) fn len(&self, relation: u32) -> usize {
        self.stores[relation as usize].tuples.len()
    }

    /// The approximate peak size in bytes while each relation gets this many more tuples.
    pub(super) fn bytes_for_next(&self, more: usize) -> usize {
        let of_store = |store: &ComponentTuples| {
            let indexes = store.indexes.iter().map(|index| index.bytes(store.visible as usize));
            store.tuples.bytes_for_next(more) + indexes.sum::<usize>()
        };
        self.stores.iter().map(of_store).sum::<usize>() + self.queue.capacity() * size_of::<(u32, u32)>()
    }

    /// The number of tuples of all relations.
    pub(super) fn count(&self) -> usize {
        self.stores.iter().map(|store| store.tuples.len()).sum()
    }

    /// The number of terms in all tuples.
    pub(super) fn size(&self) -> usize {
        self.stores.iter().map(|store| store.tuples.tuples.len()).sum()
    }

    /// Discards the tuples of a relation, and frees their memory.
    pub(super) fn empty(&mut self, relation: u32) {
        let store = &mut self.stores[relation as usize];
        let indexes = store.indexes.iter().map(|index| GrowingIndex::new(index.columns.clone())).collect();
        *store = ComponentTuples { tuples: TupleSet::new(store.tuples.arity), visible: 0, indexes };
    }

    pub(super) fn clear(&mut self) {
        if !self.used {
            return;
        }
        self.used = false;
        self.queue.clear();
        for store in &mut self.stores {
            store.tuples.clear();
            store.visible = 0;
            store.indexes.iter_mut().for_each(GrowingIndex::clear);
        }
    }
}
