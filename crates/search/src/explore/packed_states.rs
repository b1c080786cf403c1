//! States as keys for engines that have none: fluents that exclude each other share key bits.
//!
//! The groups of fluents that exclude each other are learned from the states themselves ([`Packing::learn`]). A state
//! that contradicts what was learned cannot be packed before the groups have been made again, so correctness never
//! depends on a guess. Only the candidates for groups are guessed: fluents of one relation that differ in one argument,
//! such as the marks of one cell.

use super::key_set::KeySet;
use super::layers::NumberedStates;
use crate::budget::Meter;
use crate::outcome::Halt;
use gdl::number::to_u32;
use gdl::rules::GroundTerm;
use ggp_game::{Chance, Coding, Fluent, ReasonError, Reasoner};
use std::borrow::Cow;
use std::collections::BTreeMap;

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

    /// A set without states, whose packing has learned from random lines, so that states have to be packed again less
    /// often.
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

    /// Packs all states again if this one does not fit.
    fn number(&mut self, reasoner: &R, state: Cow<'_, R::State>, most: u64, coming: &[R::State]) -> Option<u32> {
        reasoner.fluents(&state, &mut self.fluents);
        while !self.packing.pack(&self.fluents, &mut self.key) {
            // The packing learns from all states that come next, so that one repacking serves them all.
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

/// A code for the fluents that have been seen.
///
/// - Source: Helmert, *Concise Finite-Domain Representations for PDDL Planning Tasks*, Artificial Intelligence 173,
///   2009, where the groups are proved from the rules; here they are learned from the states, and corrected when a
///   state contradicts them.
#[derive(Clone, Debug, Default)]
struct Packing {
    /// The known fluents, in the order in which they were seen.
    fluents: Vec<Fluent>,
    /// The number of each fluent in that order, indexed by the engine's number; [`UNKNOWN`] for fluents not seen.
    numbers: Vec<u32>,
    /// For each known fluent, the set of fluents that have been true together with it, as bits.
    together: Vec<Vec<u64>>,
    /// The bytes of these sets.
    together_bytes: usize,
    /// The code of these sets; `None` before there are groups.
    coding: Option<Coding>,
    /// A buffer for a set of fluents.
    bits: Vec<u64>,
}

/// The number of no fluent.
const UNKNOWN: u32 = u32::MAX;

impl Packing {
    /// The number of words of a packed state.
    pub(super) fn words(&self) -> usize {
        self.coding.as_ref().map_or(0, Coding::words).max(1)
    }

    /// The bytes of the lists, approximately.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * size_of::<u32>();
        (self.together_bytes + numbers + self.fluents.len() * size_of::<(Fluent, (u32, u32))>()) as u64
    }

    /// Learns from a state which fluents can be true together.
    pub(super) fn learn(&mut self, state: &[Fluent]) {
        for &fluent in state {
            if self.number(fluent) == UNKNOWN {
                let length = self.numbers.len().max(fluent.index() + 1);
                self.numbers.resize(length, UNKNOWN);
                self.numbers[fluent.index()] = to_u32(self.fluents.len());
                self.fluents.push(fluent);
                self.together.push(Vec::new());
            }
        }
        let length = self.fluents.len().div_ceil(64);
        let mut bits = std::mem::take(&mut self.bits);
        bits.clear();
        bits.resize(length, 0);
        for &fluent in state {
            let number = self.number(fluent);
            bits[number as usize / 64] |= 1 << (number % 64);
        }
        for &fluent in state {
            let number = self.number(fluent);
            let row = &mut self.together[number as usize];
            let before = row.capacity();
            row.resize(length, 0);
            self.together_bytes += (row.capacity() - before) * size_of::<u64>();
            row.iter_mut().zip(&bits).for_each(|(known, new)| *known |= new);
        }
        self.bits = bits;
    }

    fn number(&self, fluent: Fluent) -> u32 {
        self.numbers.get(fluent.index()).copied().unwrap_or(UNKNOWN)
    }

    /// Groups the known fluents; candidates for a group are found by the terms of the fluents.
    fn regroup(&mut self, term: impl Fn(Fluent) -> GroundTerm) {
        let terms: Vec<GroundTerm> = self.fluents.iter().map(|&fluent| term(fluent)).collect();
        let groups: Vec<Vec<u32>> = families(&terms).into_values().map(|family| self.exclusive(&family)).collect();
        self.coding = Some(Coding::new(self.fluents.len(), &groups));
    }

    /// The fluents of a family that exclude each other, collected greedily.
    fn exclusive(&self, family: &[u32]) -> Vec<u32> {
        let mut group: Vec<u32> = Vec::new();
        // What has been true together with a member, as bits.
        let mut with_members: Vec<u64> = Vec::new();
        for &number in family {
            let bits = with_members.get(number as usize / 64).copied().unwrap_or(0);
            if bits >> (number % 64) & 1 == 0 {
                let row = &self.together[number as usize];
                with_members.resize(with_members.len().max(row.len()), 0);
                with_members.iter_mut().zip(row).for_each(|(all, own)| *all |= own);
                group.push(number);
            }
        }
        group
    }

    /// Writes a state to `key`. Returns false if it has a fluent that is not known, or two of one group: then
    /// [`Packing::learn`] and [`Packing::regroup`] have to be called.
    fn pack(&self, state: &[Fluent], key: &mut Vec<u64>) -> bool {
        let Some(coding) = &self.coding else { return false };
        key.resize(self.words(), 0);
        let numbers = || state.iter().map(|&fluent| self.number(fluent));
        numbers().all(|number| number != UNKNOWN) && coding.write(numbers().map(|number| number as usize), key)
    }

    /// Replaces the contents of `state` by the state with this key, which this packing has written.
    fn unpack(&self, key: &[u64], state: &mut Vec<Fluent>) {
        state.clear();
        if let Some(coding) = &self.coding {
            coding.read(key, |number| state.push(self.fluents[number]));
        }
    }
}

/// Candidates for groups: the fluents of one relation, and those that differ in one argument only.
fn families(terms: &[GroundTerm]) -> BTreeMap<(String, Option<usize>), Vec<u32>> {
    let mut families: BTreeMap<(String, Option<usize>), Vec<u32>> = BTreeMap::new();
    for (number, term) in (0..).zip(terms) {
        let relation = format!("{}/{}", term.name, term.arguments.len());
        families.entry((relation.clone(), None)).or_default().push(number);
        for index in 0..term.arguments.len() {
            let others = term.arguments.iter().enumerate().filter(|&(other, _)| other != index);
            let others: Vec<String> = others.map(|(_, argument)| argument.to_string()).collect();
            families.entry((format!("{relation} {}", others.join(" ")), Some(index))).or_default().push(number);
        }
    }
    families
}
