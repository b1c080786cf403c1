//! The set of states of a game, packed and numbered in the order in which they are found.

use super::packing::Packing;
use super::state_store::Table;
use crate::game::{Chance, Fluent, ReasonError, Reasoner};
use crate::number::to_u32;
use crate::search::budget::Meter;
use crate::search::memory::{NumberIndex, list_bytes, push};
use crate::search::outcome::Halt;
use rustc_hash::FxHasher;
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

/// A set of states, numbered from 0.
#[derive(Debug, Default)]
pub(super) struct PackedStates {
    packing: Packing,
    /// The states in a row, each of [`Packing::words`] words.
    words: Vec<u32>,
    /// The number of each state, by hash.
    index: NumberIndex,
    /// Buffers for a packed state, and for its fluents.
    buffer: Vec<u32>,
    fluents: Vec<Fluent>,
}

impl PackedStates {
    /// The greatest number of states.
    pub(super) const LIMIT: usize = u32::MAX as usize;
    /// The number of random lines from which the packing learns before the exploration, and their greatest length in
    /// joint moves.
    const SAMPLES: (usize, usize) = (100, 200);

    /// No states, and a packing that has learned from random lines, so that states have to be packed again less often.
    pub(super) fn sampled<R: Reasoner>(reasoner: &mut R, first: &R::State, meter: &Meter<'_>) -> Result<Self, Halt> {
        let (mut states, mut random) = (Self::default(), Chance::new(0));
        for _ in 0..Self::SAMPLES.0 {
            let mut state = first.clone();
            for _ in 0..Self::SAMPLES.1 {
                meter.pause()?;
                states.learn(reasoner, &state);
                if !reasoner.random_step(&mut state, &mut |count| random.below(count))? {
                    break;
                }
            }
        }
        Ok(states)
    }

    /// Lets the packing learn from a state.
    fn learn<R: Reasoner>(&mut self, reasoner: &R, state: &R::State) {
        reasoner.fluents(state, &mut self.fluents);
        self.packing.learn(&self.fluents);
    }

    /// Packs a state into the buffer. Returns false if it does not fit the packing as it is.
    fn pack(&mut self, state: &[Fluent]) -> bool {
        self.packing.words() > 0 && self.packing.pack(state, &mut self.buffer)
    }

    /// The number of the state of these fluents, which is in the buffer and is added if it is new; `None` if there are
    /// `most` others.
    fn number_of_packed(&mut self, state: &[Fluent], most: u64) -> Option<u32> {
        let (width, words, packed) = (self.packing.words(), &self.words, &self.buffer);
        let stored = |number: u32| &words[number as usize * width..][..width];
        let next = to_u32(self.index.len());
        let same = |number| stored(number) == packed;
        if u64::from(next) >= most {
            return self.index.find(hash(packed), same);
        }
        let number = self.index.find_or_add(hash(packed), same, |number| hash(stored(number)));
        if number == next {
            self.buffer.iter().for_each(|&word| push(&mut self.words, word));
            self.packing.learn(state);
        }
        Some(number)
    }

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(super) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
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

impl<R: Reasoner> Table<R> for PackedStates {
    fn len(&self) -> usize {
        self.index.len()
    }

    fn get(&self, reasoner: &mut R, number: usize) -> Result<Cow<'_, R::State>, ReasonError> {
        let mut fluents = Vec::new();
        self.fluents(number, &mut fluents);
        reasoner.state_from_fluents(&fluents).map(Cow::Owned)
    }

    /// If a state does not fit, all states are packed anew.
    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, coming: &[R::State]) -> Option<u32> {
        let mut fluents = std::mem::take(&mut self.fluents);
        reasoner.fluents(&state, &mut fluents);
        while !self.pack(&fluents) {
            self.packing.learn(&fluents);
            coming.iter().for_each(|state| self.learn(reasoner, state));
            self.repack(reasoner);
        }
        let number = self.number_of_packed(&fluents, most);
        self.fluents = fluents;
        number
    }

    fn bytes_for(&self, more: usize, _: usize) -> (u64, u64) {
        let words = list_bytes(&self.words);
        ((words + words / 8 + self.index.bytes_for_next(more)) as u64, self.packing.bytes())
    }
}

fn hash(words: &[u32]) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}
