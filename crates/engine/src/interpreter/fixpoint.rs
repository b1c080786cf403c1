//! The working memory of a recursive component: its tuples, and the queue of those that have not triggered their rules
//! yet.

use super::index::{GrowingIndex, TupleSet};
use super::program::RecursiveComponent;
use super::terms::TermId;
use gdl::number::to_u32;
use std::collections::VecDeque;

/// The tuples of one relation of a component.
#[derive(Clone, Debug)]
struct ComponentTuples {
    tuples: TupleSet,
    /// The number of tuples, from the start, that have triggered their rules and are visible to rules that other tuples
    /// trigger.
    visible: u32,
    indexes: Vec<GrowingIndex>,
}

/// The tuples of one component, kept as long as its scope lasts: a new question continues from them.
#[derive(Clone, Debug, Default)]
pub(super) struct Fixpoint {
    stores: Vec<ComponentTuples>,
    queue: VecDeque<(u32, u32)>,
    used: bool,
}

impl Fixpoint {
    /// Adds the relations and indexes that the component has been given since the last call. There may be more than it
    /// has: those of an extension of the program that was asked in between.
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

    /// Whether a tuple of a relation is visible.
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
