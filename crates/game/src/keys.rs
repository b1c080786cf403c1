//! States as keys: numbers of a fixed length, for searches that remember many millions of states.
//!
//! An engine that can name every fluent beforehand fixes how its states are written before the search begins
//! ([`Coding`]), and expands keys into keys; no list of fluents and no state is made in between. Two states are equal
//! if their keys are.

use crate::{Fluent, ReasonError, Utility};
use gdl::number::{to_index, to_u32};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

/// Expands states that are given as keys, with the answers of the [`BatchReasoner`](super::BatchReasoner) that made it.
pub trait KeyReasoner: Send {
    /// The number of words of a key, at least one.
    fn words(&self) -> usize;

    /// Adds the words of the key of a state to `keys`. The state must be reachable from the one for which the keys were
    /// made.
    ///
    /// # Errors
    /// [`ReasonError::NoKey`] if the state has none.
    fn push_key(&self, fluents: &[Fluent], keys: &mut Vec<u64>) -> Result<(), ReasonError>;

    /// Replaces the contents of `fluents` by those of the state with this key, in no certain order.
    fn fluents(&self, key: &[u64], fluents: &mut Vec<Fluent>);

    /// Replaces the contents of `expansions` by the expansion of each key, in order.
    fn expand(&mut self, keys: &[u64], expansions: &mut KeyExpansions);

    /// Replaces the contents of `expansions` by the end of each key, in order: a state that is not terminal has
    /// [`KeyTurn::default`], which costs less than an expansion.
    ///
    /// # Errors
    /// Those of [`Reasoner::is_terminal`](super::Reasoner::is_terminal).
    fn ends(&mut self, keys: &[u64], expansions: &mut KeyExpansions) -> Result<(), ReasonError>;

    /// The layout of keys: the key bits of each group of fluents. The groups are in order, and their bits have no gaps.
    fn groups(&self) -> Vec<KeyGroup>;

    /// Another reasoner for the same keys with its own working memory, for another thread.
    fn fork(&self) -> Box<dyn KeyReasoner>;
}

/// Fluents of which at most one holds in each state, and the key bits that say which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyGroup {
    /// The fluents: the number of the one that holds, from 1 on, stands in the key bits, and 0 if none does.
    pub fluents: Vec<Fluent>,
    /// The key bits, the lowest first: bit `i` is bit `i % 64` of word `i / 64`.
    pub bits: Range<u32>,
}

/// The expansions of many keys. The memory is reused when it is filled again.
#[derive(Clone, Debug, Default)]
pub struct KeyExpansions {
    expansions: Vec<KeyExpansion>,
    /// The goals of terminal states, in the order in which they are met.
    ends: Vec<Vec<Result<Utility, ReasonError>>>,
    /// The successors of all states, key after key, the last role's move changing fastest.
    successors: Vec<u64>,
    /// The error for the next key.
    error: Option<ReasonError>,
}

/// The expansion of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyExpansion {
    /// The state is terminal; its goals have this index in [`KeyExpansions::ends`].
    End(u32),
    /// The state is not terminal.
    Turn(KeyTurn),
}

/// The legal moves of a state that is not terminal, as counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTurn {
    /// The number of roles that have more than one legal move.
    pub choosing: u16,
    /// The index of the first role that has more than one legal move; 0 if there is none.
    pub chooser: u16,
    /// The number of joint moves; `usize::MAX` if there are more.
    pub joint_moves: usize,
    /// True if the successors are stored: with at most [`KeyExpansions::MOST`] joint moves.
    pub is_stored: bool,
}

impl KeyTurn {
    /// The turn in which the roles have these numbers of legal moves.
    pub fn from_lengths(lengths: impl Iterator<Item = usize>) -> Self {
        let mut turn = Self { joint_moves: 1, ..Self::default() };
        for (role, length) in (0_u16..).zip(lengths) {
            turn.joint_moves = turn.joint_moves.saturating_mul(length);
            if length > 1 {
                if turn.choosing == 0 {
                    turn.chooser = role;
                }
                turn.choosing += 1;
            }
        }
        turn.is_stored = turn.joint_moves <= KeyExpansions::MOST;
        turn
    }
}

impl KeyExpansions {
    /// The greatest number of joint moves of a state whose successors are stored.
    pub const MOST: usize = 1 << 12;

    /// The expansions of the keys before the first error.
    #[inline]
    pub fn all(&self) -> &[KeyExpansion] {
        &self.expansions
    }

    /// The error of the key after the expanded ones.
    pub fn error(&self) -> Option<&ReasonError> {
        self.error.as_ref()
    }

    /// The goals of the terminal states, by index.
    pub fn ends(&self) -> &[Vec<Result<Utility, ReasonError>>] {
        &self.ends
    }

    /// The keys of all stored successors, for state after state one for each joint move in canonical order.
    #[inline]
    pub fn successors(&self) -> &[u64] {
        &self.successors
    }

    /// The bytes of all lists.
    #[inline]
    pub fn bytes(&self) -> usize {
        self.expansions.capacity() * size_of::<KeyExpansion>() + self.successors.capacity() * size_of::<u64>()
    }

    /// Starts again.
    #[inline]
    pub fn clear(&mut self) {
        self.expansions.clear();
        self.ends.clear();
        self.successors.clear();
        self.error = None;
    }

    /// Adds the expansion of the next key; the successors are added apart.
    #[inline]
    pub fn push(&mut self, expansion: KeyExpansion) {
        self.expansions.push(expansion);
    }

    /// Adds the goals of a terminal state, which should be new, and returns their index.
    pub fn push_goals(&mut self, goals: Vec<Result<Utility, ReasonError>>) -> u32 {
        self.ends.push(goals);
        to_u32(self.ends.len() - 1)
    }

    /// The successors' keys, to which those of the next states are added.
    #[inline]
    pub fn successors_mut(&mut self) -> &mut Vec<u64> {
        &mut self.successors
    }

    /// Records the error of the next key.
    pub fn fail(&mut self, error: ReasonError) {
        self.error = Some(error);
    }
}

/// A binary code for states. Bits of which at most one is set in every reachable state form a group; a group of n bits
/// takes as many key bits as the number n has, which hold 0 or the number of the member that is set, from 1 on. A group
/// of one bit is that bit.
///
/// The key bits of a group are consecutive; a key has 64 of them in each word, the lowest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coding {
    /// The members of each group, and its key bits.
    groups: Vec<(Vec<u32>, Range<u32>)>,
    /// For each bit of the state, its group and its number there.
    codes: Vec<(u32, u32)>,
}

impl Coding {
    /// The code for states of `bits` bits. `exclusive` are sets of bits of which at most one is set in each state; they
    /// may overlap, and the largest are taken first. Bits that are in no group of others have a group of their own.
    pub fn new(bits: usize, exclusive: &[Vec<u32>]) -> Self {
        let mut is_free = vec![true; bits];
        let mut members: Vec<Vec<u32>> = Vec::new();
        // A set shrinks when its bits are taken, so it is measured anew when its turn has come.
        let mut waiting: BinaryHeap<_> = (0..).zip(exclusive).map(|(set, bits)| (bits.len(), Reverse(set))).collect();
        while let Some((length, Reverse(set))) = waiting.pop() {
            let free = exclusive[set].iter().copied().filter(|&bit| is_free[bit as usize]);
            let group: Vec<u32> = free.collect();
            match group.len() {
                0 | 1 => {}
                left if left < length => waiting.push((left, Reverse(set))),
                _ => {
                    group.iter().for_each(|&bit| is_free[bit as usize] = false);
                    members.push(group);
                }
            }
        }
        members.extend((0..to_u32(bits)).filter(|&bit| is_free[bit as usize]).map(|bit| vec![bit]));
        // Near bits stay near each other.
        members.sort_unstable();
        let mut codes = vec![(0, 0); bits];
        let mut start = 0;
        let mut place = |(index, members): (u32, Vec<u32>)| {
            for (number, &bit) in (1..).zip(&members) {
                codes[bit as usize] = (index, number);
            }
            // The number 0 stands for none, so n members need the bits of the number n.
            let end = start + usize::BITS - members.len().leading_zeros();
            (members, std::mem::replace(&mut start, end)..end)
        };
        let groups = (0..).zip(members).map(&mut place).collect();
        Self { groups, codes }
    }

    /// The number of bits of a key.
    #[inline]
    pub fn bits(&self) -> u32 {
        self.groups.last().map_or(0, |(_, bits)| bits.end)
    }

    /// The number of words of a key.
    #[inline]
    pub fn words(&self) -> usize {
        (self.bits() as usize).div_ceil(64)
    }

    /// The groups: the bits of the state that exclude each other, in the order of their numbers, which begin at 1, and
    /// the key bits of that number.
    #[inline]
    pub fn groups(&self) -> impl Iterator<Item = (&[u32], Range<u32>)> {
        self.groups.iter().map(|(members, bits)| (members.as_slice(), bits.clone()))
    }

    /// Writes the key of the state in which these bits are set to `key`. Returns false if two of them are of one group.
    pub fn write(&self, set: impl IntoIterator<Item = usize>, key: &mut [u64]) -> bool {
        key.fill(0);
        let mut fits = true;
        for bit in set {
            let (group, number) = self.codes[bit];
            let bits = &self.groups[group as usize].1;
            fits &= number_at(key, bits) == 0;
            add_number(key, bits, number);
        }
        fits
    }

    /// Calls `each` for the bits that are set in the state of a key.
    #[inline]
    pub fn read(&self, key: &[u64], mut each: impl FnMut(usize)) {
        for (members, bits) in &self.groups {
            let number = number_at(key, bits);
            if let Some(&bit) = (number as usize).checked_sub(1).and_then(|index| members.get(index)) {
                each(bit as usize);
            }
        }
    }
}

/// The number in these key bits, of which there are 32 at most.
fn number_at(key: &[u64], bits: &Range<u32>) -> u32 {
    let word = bits.start as usize / 64;
    let shift = bits.start % 64;
    let length = bits.end - bits.start;
    let mut number = key[word] >> shift;
    // The bits of a group may go over into the next word.
    if shift + length > 64 {
        number |= key[word + 1] << (64 - shift);
    }
    to_u32(to_index(number & ((1 << length) - 1)))
}

/// Sets those of these key bits that are set in a number.
fn add_number(key: &mut [u64], bits: &Range<u32>, number: u32) {
    let word = bits.start as usize / 64;
    let shift = bits.start % 64;
    let number = u64::from(number);
    key[word] |= number << shift;
    if shift + (bits.end - bits.start) > 64 {
        key[word + 1] |= number >> (64 - shift);
    }
}
