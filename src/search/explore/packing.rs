//! States as short numbers: fluents that exclude each other share one digit.
//!
//! Which fluents exclude each other is learned from the states themselves ([`Packing::learn`]). A state that
//! contradicts what was learned cannot be packed before the groups have been made again, so correctness never depends
//! on a guess. Only the candidates for groups are guessed: fluents of one relation that differ in one argument, such as
//! the marks of one cell.

use crate::game::Fluent;
use crate::number::to_u32;
use crate::rules::GroundTerm;
use std::collections::BTreeMap;

/// An encoding of states as mixed-radix numbers in 32-bit words. Each group of fluents that exclude each other is a
/// digit, which is 0 if none of them holds.
///
/// - Source: Helmert, *Concise Finite-Domain Representations for PDDL Planning Tasks*, Artificial Intelligence 173,
///   2009, where the groups are proved from the rules; here they are learned from the states, and corrected when a
///   state contradicts them.
#[derive(Clone, Debug, Default)]
pub(super) struct Packing {
    /// The known fluents, in the order in which they were met.
    fluents: Vec<Fluent>,
    /// The number of each fluent in that order, indexed by the engine's number; [`UNKNOWN`] for fluents not met.
    numbers: Vec<u32>,
    /// For each known fluent, the set of fluents that have been true together with it, as bits.
    together: Vec<Vec<u64>>,
    /// For each known fluent, its digit and its value there.
    indices: Vec<(u32, u32)>,
    digits: Vec<Digit>,
    words: usize,
    /// For each digit, the `round` in which it was last set.
    taken: Vec<u64>,
    round: u64,
    /// A buffer for a set of fluents.
    bits: Vec<u64>,
}

#[derive(Clone, Debug)]
struct Digit {
    /// The fluents of the values 1, 2, …
    fluents: Vec<Fluent>,
    word: usize,
    /// The factor of the digit in its word.
    unit: u32,
}

/// Not the number of a fluent, nor an index into `indices`.
const UNKNOWN: u32 = u32::MAX;

impl Packing {
    /// The number of words of a packed state.
    pub(super) fn words(&self) -> usize {
        self.words
    }

    /// The bytes of the lists, approximately.
    pub(super) fn bytes(&self) -> u64 {
        let together: usize = self.together.iter().map(|row| row.capacity() * size_of::<u64>()).sum();
        let lists = self.numbers.capacity() * size_of::<u32>() + self.taken.capacity() * size_of::<u64>();
        (together + lists + self.fluents.len() * size_of::<(Fluent, (u32, u32))>()) as u64
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
            row.resize(length, 0);
            row.iter_mut().zip(&bits).for_each(|(known, new)| *known |= new);
        }
        self.bits = bits;
    }

    fn number(&self, fluent: Fluent) -> u32 {
        self.numbers.get(fluent.index()).copied().unwrap_or(UNKNOWN)
    }

    /// Groups the known fluents greedily; candidates for a group are found by the terms of the fluents.
    pub(super) fn regroup(&mut self, term: impl Fn(Fluent) -> GroundTerm) {
        let terms: Vec<GroundTerm> = self.fluents.iter().map(|&fluent| term(fluent)).collect();
        let mut free = vec![true; terms.len()];
        let mut groups: Vec<Vec<u32>> = Vec::new();
        let mut families: Vec<Vec<u32>> = families(&terms).into_values().collect();
        // Repeatedly takes the largest remaining group; families only shrink.
        while let Some((index, group)) = self.largest(&mut families, &free) {
            families.swap_remove(index);
            group.iter().for_each(|&number| free[number as usize] = false);
            groups.push(group);
        }
        groups.extend((0..to_u32(terms.len())).filter(|&number| free[number as usize]).map(|number| vec![number]));
        groups.iter_mut().for_each(|group| group.sort_unstable());
        groups.sort_unstable();
        self.lay_out(&groups);
    }

    /// The index of the family with the most free fluents that all exclude each other, and those fluents; `None` if
    /// every such group has fewer than two.
    fn largest(&self, families: &mut [Vec<u32>], free: &[bool]) -> Option<(usize, Vec<u32>)> {
        let mut best: Option<(usize, Vec<u32>)> = None;
        for (index, family) in families.iter_mut().enumerate() {
            family.retain(|&number| free[number as usize]);
            if best.as_ref().is_some_and(|(_, best)| best.len() >= family.len()) {
                continue;
            }
            let group = self.exclusive(family);
            if group.len() > best.as_ref().map_or(1, |(_, best)| best.len()) {
                best = Some((index, group));
            }
        }
        best
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

    /// Assigns a digit to each group, and each digit to the first word that has room for it.
    fn lay_out(&mut self, groups: &[Vec<u32>]) {
        self.indices = vec![(0, 0); self.fluents.len()];
        self.digits.clear();
        let mut room: Vec<u64> = Vec::new();
        for group in groups {
            let radix = group.len() as u64 + 1;
            let word = room.iter().position(|used| used * radix <= 1 << 32).unwrap_or(room.len());
            if word == room.len() {
                room.push(1);
            }
            for (value, &number) in (1..).zip(group) {
                self.indices[number as usize] = (to_u32(self.digits.len()), value);
            }
            let fluents = group.iter().map(|&number| self.fluents[number as usize]).collect();
            #[expect(
                clippy::cast_possible_truncation,
                reason = "a digit of two values or more had room, so less than 2^32 was used"
            )]
            let unit = room[word] as u32;
            self.digits.push(Digit { fluents, word, unit });
            room[word] *= radix;
        }
        self.words = room.len().max(1);
        self.taken = vec![0; self.digits.len()];
    }

    /// Writes a state to `words`. Returns false if it has a fluent without a digit, or two with the same digit: then
    /// [`Packing::learn`] and [`Packing::regroup`] have to be called.
    pub(super) fn pack(&mut self, state: &[Fluent], words: &mut Vec<u32>) -> bool {
        words.clear();
        words.resize(self.words, 0);
        self.round += 1;
        for &fluent in state {
            let Some(&(digit, value)) = self.indices.get(self.number(fluent) as usize) else { return false };
            if std::mem::replace(&mut self.taken[digit as usize], self.round) == self.round {
                return false;
            }
            let Digit { word, unit, .. } = self.digits[digit as usize];
            words[word] += value * unit;
        }
        true
    }

    /// Replaces the contents of `state` by the state in `words`, which this packing has written.
    pub(super) fn unpack(&self, words: &[u32], state: &mut Vec<Fluent>) {
        state.clear();
        for Digit { fluents, word, unit } in &self.digits {
            let value = words[*word] / unit % (to_u32(fluents.len()) + 1);
            if value > 0 {
                state.push(fluents[value as usize - 1]);
            }
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
