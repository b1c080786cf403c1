//! Containers for what searches remember, whose size is known to the byte, including the moment of growth.
//!
//! Lists grow by an eighth instead of doubling: the allocator moves large blocks without copying, and at most an eighth
//! of a list is unused. States are stored once, in a list, and are found by a table of their numbers. So only a small
//! share doubles, and a search can use nearly all of its limit before it stops.

use gdl::number::to_u32;
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;
use std::hash::{BuildHasher, Hash};

/// The least growth of a list, in items.
const FIRST: usize = 64;

/// Appends to a list, which grows by an eighth when it is full.
pub(super) fn push<T>(list: &mut Vec<T>, item: T) {
    reserve(list, 1);
    list.push(item);
}

/// Appends items to a list, which grows by an eighth when it is full.
pub(super) fn push_all<T: Copy>(list: &mut Vec<T>, items: &[T]) {
    reserve(list, items.len());
    list.extend_from_slice(items);
}

/// [`push_all`] for few items, such as the words of a key: a loop is faster than a call that copies memory.
#[inline]
pub(super) fn push_few<T: Copy>(list: &mut Vec<T>, items: &[T]) {
    reserve(list, items.len());
    items.iter().for_each(|&item| list.push(item));
}

/// Makes room for this many more items.
#[inline]
fn reserve<T>(list: &mut Vec<T>, more: usize) {
    if list.capacity() - list.len() < more {
        list.reserve_exact(growth(list, more));
    }
}

/// The number of items by which a list grows that has no room for this many more: an eighth at least.
fn growth<T>(list: &[T], more: usize) -> usize {
    (list.len() / 8).max(FIRST).max(more)
}

/// The bytes that a list has allocated.
pub(super) fn list_bytes<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// The bytes that a list will have allocated when [`push`] has added one more item.
pub(super) fn list_bytes_for_next<T>(list: &Vec<T>) -> usize {
    list_bytes_for(list, 1)
}

/// As [`list_bytes_for_next`], for `more` items.
fn list_bytes_for<T>(list: &Vec<T>, more: usize) -> usize {
    let growth = if list.len() + more > list.capacity() { growth(list, more) } else { 0 };
    list_bytes(list) + growth * size_of::<T>()
}

/// The bytes that a table uses while `more` numbers are added: a full table exists beside one twice as large for a
/// moment.
pub(super) fn table_bytes_for(table: &HashTable<u32>, more: usize) -> usize {
    let now = table.allocation_size();
    if table.len() + more <= table.capacity() { now } else { (3 * now).max(64) }
}

/// The hash that tables of states use.
pub(super) fn hash<S: Hash>(state: &S) -> u64 {
    FxBuildHasher.hash_one(state)
}

/// Distinct states, numbered in the order in which they are added, with a value each.
#[derive(Debug)]
pub(super) struct StateTable<S, V> {
    entries: Vec<(S, V)>,
    numbers: HashTable<u32>,
    /// The heap bytes of the states.
    heap: usize,
}

impl<S, V> Default for StateTable<S, V> {
    fn default() -> Self {
        Self { entries: Vec::new(), numbers: HashTable::new(), heap: 0 }
    }
}

impl<S: Hash + Eq, V> StateTable<S, V> {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The number of a state, if it is in the table.
    pub(super) fn find(&self, state: &S) -> Option<u32> {
        self.find_like(state, |known| known == state)
    }

    /// The number of the state for which `same` is true, if it is in the table; `key` has the hash of that state.
    pub(super) fn find_like<Q: Hash>(&self, key: &Q, same: impl Fn(&S) -> bool) -> Option<u32> {
        self.numbers.find(hash(key), |&number| same(&self.entries[number as usize].0)).copied()
    }

    /// Adds a state that is not in the table and that has `heap` bytes on the heap; returns its number.
    pub(super) fn insert(&mut self, state: S, value: V, heap: usize) -> u32 {
        let number = to_u32(self.entries.len());
        let entries = &self.entries;
        self.numbers.insert_unique(hash(&state), number, |&other| hash(&entries[other as usize].0));
        push(&mut self.entries, (state, value));
        self.heap += heap;
        number
    }

    pub(super) fn state(&self, number: u32) -> &S {
        &self.entries[number as usize].0
    }

    pub(super) fn value(&self, number: u32) -> &V {
        &self.entries[number as usize].1
    }

    pub(super) fn value_mut(&mut self, number: u32) -> &mut V {
        &mut self.entries[number as usize].1
    }

    /// The states and values from a number on, in the order of their numbers.
    pub(super) fn from(&self, number: usize) -> &[(S, V)] {
        &self.entries[number..]
    }

    /// The bytes in use while one more state is added that has `heap` bytes on the heap.
    pub(super) fn bytes_for_next(&self, heap: usize) -> u64 {
        self.bytes_for(1, heap)
    }

    /// As [`StateTable::bytes_for_next`], for `more` states.
    pub(super) fn bytes_for(&self, more: usize, heap: usize) -> u64 {
        let lists = list_bytes_for(&self.entries, more) + table_bytes_for(&self.numbers, more);
        (lists + self.heap + more * heap) as u64
    }
}
