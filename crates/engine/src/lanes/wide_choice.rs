//! Wide choices: choices among very many moves of which few are legal. The last part of the descent is done lane by
//! lane.
//!
//! Gates count the legal moves of each group of 31 neighbours, and descend to the group that contains the rank, as
//! a narrow choice does; below the groups, each gate would serve a single move. Instead each lane reads the 31 bits of
//! its own group, selects the one with the remaining rank, and sets its bit in the words of that move
//! ([`super::classes`]). It is the same move to which the tree would descend: the ranks are drawn alike, and the order
//! is that of the moves.

use super::circuit::{Circuit, NodeLiteral};
use super::rows::turn;
use super::source::{Slot, WordSource, read};
use super::word::{Word, and};
use std::ops::Range;

/// The number of moves that are counted together; like one, three, seven and fifteen, it is the largest count of its
/// number of bits.
pub(super) const GROUP: usize = 31;
/// The number of bits of a rank within a group.
pub(super) const GROUP_BITS: usize = 5;

/// A choice among at least this many moves is wide, unless its moves belong to too many sets.
pub(super) const WIDE: usize = 2_500;
/// The most sets to which the moves of a wide choice belong on average: each set costs a write to memory for each lane.
pub(super) const MOST_NOTES: usize = 8;

/// A wide choice, with literals or with the slots of words.
#[derive(Clone, Debug)]
pub(super) struct WideChoice<L> {
    /// The words of the lanes in which each move is legal, move after move.
    pub(super) legal: Range<Slot>,
    /// The lanes in which any move is legal.
    pub(super) some: L,
    /// The rank within the group, followed by the number of the group; lowest bit first.
    pub(super) rank: Vec<L>,
    /// For each member, the lanes in which it chooses, and its moves as indices into the program.
    pub(super) members: Vec<(L, Vec<u32>)>,
}

impl<L> WideChoice<L> {
    /// All literals of the choice.
    pub(super) fn literals(&self) -> impl Iterator<Item = &L> {
        self.rank.iter().chain([&self.some]).chain(self.members.iter().map(|(guard, _)| guard))
    }

    /// The same choice with another value for each literal.
    pub(super) fn map<M>(&self, mut f: impl FnMut(&L) -> M) -> WideChoice<M> {
        WideChoice {
            legal: self.legal.clone(),
            some: f(&self.some),
            rank: self.rank.iter().map(&mut f).collect(),
            members: self.members.iter().map(|(guard, moves)| (f(guard), moves.clone())).collect(),
        }
    }
}

/// Counts the literals that hold, with a tree of adders, each of which takes one literal as its carry.
pub(super) fn count(circuit: &mut Circuit, leaves: &[NodeLiteral]) -> Vec<NodeLiteral> {
    if let [only] = leaves {
        return vec![*only];
    }
    let (left, right) = leaves.split_at((leaves.len() - 1) / 2);
    let mut carry = right[0];
    let right = &right[1..];
    let left = if left.is_empty() { Vec::new() } else { count(circuit, left) };
    let right = count(circuit, right);
    let mut sum = Vec::new();
    for (index, &one) in right.iter().enumerate() {
        let other = left.get(index).copied().unwrap_or(NodeLiteral::FALSE);
        let half = circuit.xor(one, other);
        sum.push(circuit.xor(half, carry));
        let both = circuit.and(one, other);
        let passed = circuit.and(half, carry);
        carry = circuit.or(both, passed);
    }
    let bits = (usize::BITS - leaves.len().leading_zeros()) as usize;
    sum.push(carry);
    sum.truncate(bits);
    sum
}

/// The words that record each move, as rows of equal length, padded with a word that is never read.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    length: usize,
    slots: Vec<Slot>,
}

impl Notes {
    /// Builds the rows from the words of each move.
    pub(super) fn new(of_move: &[Vec<Slot>], unread: Slot) -> Self {
        let length = of_move.iter().map(Vec::len).max().unwrap_or_default();
        let row = |words: &Vec<Slot>| words.iter().copied().chain(std::iter::repeat(unread)).take(length).collect();
        let rows: Vec<Vec<Slot>> = of_move.iter().map(row).collect();
        Self { length, slots: rows.concat() }
    }

    fn row(&self, index: u32) -> &[Slot] {
        &self.slots[index as usize * self.length..][..self.length]
    }
}

impl WideChoice<WordSource> {
    /// Records the moves that the lanes of `live` choose.
    #[inline(always)]
    pub(super) fn choose<const W: usize>(&self, slots: &mut [Word<W>], live: &Word<W>, notes: &Notes) {
        let choosing = and(live, &read(slots, self.some));
        for (column, &choosing) in choosing.iter().enumerate() {
            let mut selected = [0; 64];
            for (bits, &source) in selected.iter_mut().zip(&self.rank) {
                *bits = read(slots, source)[column];
            }
            turn(&mut selected);
            // First all lanes find their moves, then all record them, so that they do not wait for each other's memory.
            let mut rest = choosing;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                selected[lane as usize] = u64::from(self.chosen(slots, column, lane, selected[lane as usize]));
            }
            let mut rest = choosing;
            while rest != 0 {
                let lane = rest.trailing_zeros();
                rest &= rest - 1;
                #[expect(clippy::cast_possible_truncation, reason = "`chosen` gave 32 bits")]
                let chosen = selected[lane as usize] as u32;
                for &slot in notes.row(chosen) {
                    slots[slot as usize][column] |= 1 << lane;
                }
            }
        }
    }

    /// The move that a lane chooses, as an index into the program; `place` is the group and the rank within it.
    #[inline(always)]
    fn chosen<const W: usize>(&self, slots: &[Word<W>], column: usize, lane: u32, rank: u64) -> u32 {
        let first = (rank >> GROUP_BITS) as usize * GROUP;
        let legal = &slots[self.legal.start as usize + first..][..GROUP];
        let mut bits = 0;
        for (at, word) in legal.iter().enumerate() {
            bits |= (word[column] >> lane & 1) << at;
        }
        #[expect(
            clippy::cast_possible_truncation,
            reason = "a group is a word of 32 bits, and the rank within it is less"
        )]
        let bits = bits as u32;
        let rank = (rank & ((1 << GROUP_BITS) - 1)) as u32;
        let leaf = first + nth(bits, rank) as usize;
        let mut chosen = 0;
        for &(guard, ref moves) in &self.members {
            let is_guarded = (slots[guard.slot as usize][column] >> lane & 1 == 1) != guard.is_negated;
            chosen = if is_guarded { moves[leaf] } else { chosen };
        }
        chosen
    }
}

/// The index of the bit that has `rank` set bits below it.
#[inline(always)]
fn nth(mut bits: u32, mut rank: u32) -> u32 {
    let mut index = 0;
    for width in [16, 8, 4, 2, 1] {
        let below = (bits & ((1 << width) - 1)).count_ones();
        let is_above = rank >= below;
        (rank, bits, index) = match is_above {
            true => (rank - below, bits >> width, index + width),
            false => (rank, bits, index),
        };
    }
    index
}
