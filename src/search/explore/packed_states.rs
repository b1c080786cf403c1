//! The set of states of a game, packed and numbered in the order in which they are found.

use super::packing::Packing;
use crate::game::{Fluent, Reasoner};
use crate::number::to_u32;
use crate::search::memory::{NumberIndex, list_bytes, push};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// A set of states, numbered from 0.
#[derive(Debug, Default)]
pub(super) struct PackedStates {
    packing: Packing,
    /// The states in a row, each of [`Packing::words`] words.
    words: Vec<u32>,
    /// The number of each state, by hash.
    index: NumberIndex,
    buffer: Vec<u32>,
}

impl PackedStates {
    /// The greatest number of states.
    pub(super) const LIMIT: usize = u32::MAX as usize;

    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Lets the packing learn from a state without adding it.
    pub(super) fn prepare(&mut self, state: &[Fluent]) {
        self.packing.learn(state);
    }

    /// The number of a state, which is added if it is new; if it does not fit, all states are packed anew.
    pub(super) fn number<R: Reasoner>(&mut self, state: &[Fluent], reasoner: &R) -> u32 {
        loop {
            if let Some(number) = self.number_as_packed(state) {
                return number;
            }
            self.packing.learn(state);
            self.repack(reasoner);
        }
    }

    /// The number of a state, which is added if it is new; `None` if it does not fit the packing as it is.
    pub(super) fn number_as_packed(&mut self, state: &[Fluent]) -> Option<u32> {
        if !self.packing.pack(state, &mut self.buffer) || self.packing.words() == 0 {
            return None;
        }
        let (width, words, packed) = (self.packing.words(), &self.words, &self.buffer);
        let stored = |number: u32| &words[number as usize * width..][..width];
        let next = to_u32(self.index.len());
        let same = |number| stored(number) == packed;
        let number = self.index.find_or_add(hash(packed), same, |number| hash(stored(number)));
        if number == next {
            self.buffer.iter().for_each(|&word| push(&mut self.words, word));
            self.packing.learn(state);
        }
        Some(number)
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(super) fn get(&self, number: usize, fluents: &mut Vec<Fluent>) {
        let width = self.packing.words();
        self.packing.unpack(&self.words[number * width..][..width], fluents);
    }

    /// The bytes of one packed state.
    pub(super) fn state_bytes(&self) -> usize {
        self.packing.words() * size_of::<u32>()
    }

    /// The bytes of all states and their index, spare capacity included.
    pub(super) fn bytes(&self) -> u64 {
        (list_bytes(&self.words) + self.index.bytes()) as u64
    }

    /// The bytes of the description of the packing, which depend on how the engine numbers its fluents.
    pub(super) fn packing_bytes(&self) -> u64 {
        self.packing.bytes()
    }

    /// The bytes in use while `states` more states are added.
    pub(super) fn bytes_for_next(&self, states: usize) -> u64 {
        let words = list_bytes(&self.words);
        (words + words / 8 + self.index.bytes_for_next(states)) as u64
    }

    /// Drops the index; states cannot be found or added afterwards.
    pub(super) fn forget_index(&mut self) {
        self.index = NumberIndex::default();
        self.words.shrink_to_fit();
    }

    /// Packs all states again with groups that take into account what has been learned.
    fn repack<R: Reasoner>(&mut self, reasoner: &R) {
        let before = self.packing.clone();
        let mut fits = true;
        self.packing.regroup(|fluent| reasoner.fluent_term(fluent));
        let (count, width) = (self.index.len(), before.words());
        let (mut words, mut fluents, mut packed) = (Vec::new(), Vec::new(), Vec::new());
        for number in 0..count {
            before.unpack(&self.words[number * width..][..width], &mut fluents);
            fits &= self.packing.pack(&fluents, &mut packed);
            words.extend_from_slice(&packed);
        }
        debug_assert!(fits, "what was learned from every state fits every state");
        self.words = words;
        let width = self.packing.words();
        let stored = |number: u32| &self.words[number as usize * width..][..width];
        self.index = NumberIndex::default();
        for number in 0..to_u32(count) {
            // The states are distinct, so none is found.
            self.index.find_or_add(hash(stored(number)), |_| false, |number| hash(stored(number)));
        }
    }
}

fn hash(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}
