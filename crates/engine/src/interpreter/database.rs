//! States, and stored relations: those that never change, and the facts of the current state.
//!
//! Facts are indexed once, not state by state: an index lists every fact that has ever been true under its key, and a
//! stamp marks those that are true now. Loading a state then takes one pass over its facts.

use super::index::{GrowingIndex, KeyColumns, SortedIndex, TupleSet};
use super::terms::{Functor, TermId, Terms};
use gdl::limits::heap_block;
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// A relation that depends on neither `true` nor `does`, with all its tuples.
#[derive(Clone, Debug)]
pub(super) struct StaticRelation {
    pub(super) tuples: TupleSet,
    pub(super) indexes: Vec<SortedIndex>,
}

impl StaticRelation {
    pub(super) fn new(tuples: TupleSet) -> Self {
        Self { tuples, indexes: Vec::new() }
    }

    /// The number of the index on these columns; builds it if there is none.
    pub(super) fn index_on(&mut self, columns: &[u32]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| *index.columns == *columns) {
            return found;
        }
        self.indexes.push(SortedIndex::new(columns.into(), &self.tuples.tuples, self.tuples.arity));
        self.indexes.len() - 1
    }
}

/// All facts of one functor that have ever been true, and those that are true now.
#[derive(Clone, Debug, Default)]
pub(super) struct FactRelation {
    /// The facts of the current state.
    pub(super) current: Vec<TermId>,
    /// The raw ids of all facts that have ever been true, by key.
    pub(super) indexes: Vec<GrowingIndex>,
}

/// The facts of the current state.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    pub(super) relations: Vec<FactRelation>,
    by_functor: FxHashMap<Functor, u32>,
    /// For each kept term, its fact relation, if the indexes contain it.
    memberships: Vec<Membership>,
    /// For each kept term, the number of the last load in which it was true.
    stamps: Vec<u32>,
    load: u32,
    /// All facts that are true now.
    pub(super) all: Vec<TermId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Membership {
    Unknown,
    Relation(u32),
    /// A fact with a functor that no rule asks for.
    Elsewhere,
}

impl Facts {
    /// The number of the fact relation of a functor.
    pub(super) fn relation_of(&mut self, functor: Functor) -> usize {
        if let Some(&found) = self.by_functor.get(&functor) {
            return found as usize;
        }
        self.relations.push(FactRelation::default());
        self.by_functor.insert(functor, to_u32(self.relations.len()) - 1);
        // Facts that were loaded before this functor was asked for must be classified again.
        self.memberships.fill(Membership::Unknown);
        self.relations.iter_mut().for_each(FactRelation::forget);
        self.unload();
        self.relations.len() - 1
    }

    /// The number of the index on these columns of a fact relation.
    pub(super) fn index_on(&mut self, relation: usize, columns: &[u32]) -> usize {
        let indexes = &mut self.relations[relation].indexes;
        if let Some(found) = indexes.iter().position(|index| *index.columns == *columns) {
            return found;
        }
        let columns: KeyColumns = columns.into();
        // The new index needs all facts that have ever been true, so all are learned again as they are loaded.
        indexes.push(GrowingIndex::new(columns));
        let last = indexes.len() - 1;
        self.memberships.fill(Membership::Unknown);
        self.relations.iter_mut().for_each(FactRelation::forget);
        self.unload();
        last
    }

    fn unload(&mut self) {
        self.load = self.load.wrapping_add(1);
        self.all.clear();
        self.relations.iter_mut().for_each(|relation| relation.current.clear());
    }

    /// Makes these facts the current state. Linear in their number, plus the cost of indexing facts that were never
    /// true before.
    pub(super) fn set(&mut self, facts: &[TermId], terms: &Terms) {
        self.relations.iter_mut().for_each(|relation| relation.current.clear());
        self.load = self.load.wrapping_add(1);
        // The counter has overflowed: old stamps would be equal to new ones.
        if self.load == 0 {
            self.stamps.fill(0);
            self.load = 1;
        }
        if self.stamps.len() < terms.kept_len() {
            self.stamps.resize(terms.kept_len(), 0);
            self.memberships.resize(terms.kept_len(), Membership::Unknown);
        }
        self.all.clear();
        self.all.extend_from_slice(facts);
        for &fact in facts {
            self.stamps[fact.index()] = self.load;
            let membership = match self.memberships[fact.index()] {
                Membership::Unknown => self.learn(fact, terms),
                known => known,
            };
            if let Membership::Relation(relation) = membership {
                self.relations[relation as usize].current.push(fact);
            }
        }
    }

    #[cold]
    fn learn(&mut self, fact: TermId, terms: &Terms) -> Membership {
        let membership = match self.by_functor.get(&terms.functor(fact)) {
            Some(&relation) => {
                for index in &mut self.relations[relation as usize].indexes {
                    index.insert(terms.arguments(fact), fact.raw());
                }
                Membership::Relation(relation)
            }
            None => Membership::Elsewhere,
        };
        self.memberships[fact.index()] = membership;
        membership
    }

    /// True if a fact holds in the current state.
    #[inline]
    pub(super) fn holds(&self, fact: TermId) -> bool {
        !fact.is_scratch() && self.stamps.get(fact.index()).is_some_and(|&stamp| stamp == self.load)
    }
}

impl FactRelation {
    fn forget(&mut self) {
        self.indexes.iter_mut().for_each(GrowingIndex::clear);
    }
}

/// A state: the facts that hold, as sorted ids. Cheap to clone; two states are equal exactly if the same facts hold.
///
/// It is valid only for the interpreter that made it and for its forks: others refuse it
/// ([`ReasonError::OtherGame`](ggp_game::ReasonError::OtherGame)).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The owner as a number, followed by the facts. The owner has no field of its own, which would make every state
    /// larger, also those of the network, which share a type with these.
    words: Arc<[TermId]>,
}

/// The identity of an interpreter and its forks, which share the ids of terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StateOwner(TermId);

impl StateOwner {
    /// A new owner. A number is reused only after 2^31 others.
    pub(super) fn new() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        Self(TermId::kept(NEXT.fetch_add(1, Ordering::Relaxed) as usize % TermId::LIMIT))
    }
}

impl State {
    /// The state in which these facts hold; repetitions are allowed.
    pub(super) fn new(owner: StateOwner, facts: &mut Vec<TermId>) -> Self {
        facts.sort_unstable();
        facts.dedup();
        Self { words: std::iter::once(owner.0).chain(facts.iter().copied()).collect() }
    }

    pub(super) fn owner(&self) -> StateOwner {
        StateOwner(self.words[0])
    }

    pub(super) fn facts(&self) -> &[TermId] {
        &self.words[1..]
    }

    /// The bytes on the heap.
    pub(super) fn heap_bytes(&self) -> usize {
        // The two counts of an `Arc` come before the words.
        heap_block(2 * size_of::<usize>() + size_of_val(&*self.words))
    }

    /// True if both states share their memory, which is faster to test than equality.
    pub(super) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.words, &other.words)
    }
}

/// The hash leaves out the owner, so that it does not depend on how many games have been loaded.
impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.facts().hash(hasher);
    }
}
