//! The set of states of a game whose engine has no keys, packed and numbered in the order in which they are found.

use super::key_set::KeySet;
use super::packing::Packing;
use super::state_store::NumberedStates;
use crate::budget::Meter;
use crate::outcome::Halt;
use ggp_game::{Chance, Fluent, ReasonError, Reasoner};
use std::borrow::Cow;

/// A set of states, numbered from 0.
#[derive(Debug, Default)]
pub(super) struct PackedStates {
    packing: Packing,
    pub(super) set: KeySet,
    /// Buffers for the fluents of a state, and its key.
    fluents: Vec<Fluent>,
    key: Vec<u64>,
}

impl PackedStates {
    /// The number of random lines from which the packing learns before the exploration, and their greatest length in
    /// joint moves.
    const SAMPLES: (usize, usize) = (100, 200);

    /// No states, and a packing that has learned from random lines, so that states have to be packed again less often.
    pub(super) fn sampled<R: Reasoner>(reasoner: &mut R, first: &R::State, meter: &Meter<'_>) -> Result<Self, Halt> {
        let mut states = Self::default();
        let mut random = Chance::new(0);
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

    /// Replaces the contents of `fluents` by the facts of a state.
    pub(super) fn fluents(&self, number: usize, fluents: &mut Vec<Fluent>) {
        self.packing.unpack(self.set.keys(number..number + 1), fluents);
    }

    /// Packs all states again with groups that take into account what has been learned.
    fn repack<R: Reasoner>(&mut self, reasoner: &R) {
        let before = self.packing.clone();
        let mut fluents = Vec::new();
        self.packing.regroup(|fluent| reasoner.fluent_term(fluent));
        let states = std::mem::replace(&mut self.set, KeySet::new(self.packing.words()));
        for number in 0..states.len() {
            before.unpack(states.keys(number..number + 1), &mut fluents);
            let fits = self.packing.pack(&fluents, &mut self.key);
            debug_assert!(fits, "what was learned from every state fits every state");
            self.set.number_one(&self.key, u64::MAX);
        }
    }
}

impl<R: Reasoner> NumberedStates<R> for PackedStates {
    fn len(&self) -> usize {
        self.set.len()
    }

    fn get(&self, reasoner: &mut R, number: usize) -> Result<Cow<'_, R::State>, ReasonError> {
        let mut fluents = Vec::new();
        self.fluents(number, &mut fluents);
        reasoner.state_from_fluents(&fluents).map(Cow::Owned)
    }

    /// If a state does not fit, all states are packed anew.
    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, coming: &[R::State]) -> Option<u32> {
        reasoner.fluents(&state, &mut self.fluents);
        while !self.packing.pack(&self.fluents, &mut self.key) {
            std::iter::once(&*state).chain(coming).for_each(|state| self.learn(reasoner, state));
            self.repack(reasoner);
            reasoner.fluents(&state, &mut self.fluents);
        }
        let before = self.set.len();
        let number = self.set.number_one(&self.key, most);
        if self.set.len() > before {
            self.packing.learn(&self.fluents);
        }
        number
    }

    fn bytes_for(&self, more: usize, _: usize) -> (u64, u64) {
        (self.set.bytes_for_next(more) as u64, self.packing.bytes())
    }
}
