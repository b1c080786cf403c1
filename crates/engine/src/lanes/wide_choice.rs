//! Wide choices: choices among very many moves of which few are legal. The last part of the descent is done lane by
//! lane.
//!
//! Gates count the legal moves of each group of 31 neighbours, and descend to the group that contains the rank, as
//! a narrow choice does; below the groups, each gate would serve a single move. Instead each lane reads the 31 bits of
//! its own group, selects the one with the remaining rank, and sets its bit in the words of that move. It is the same
//! move to which the tree would descend: the ranks are drawn alike, and the order is that of the moves.
//!
//! The words of a move are those of its [`Classes`], sets of moves with one word each, which the next state reads. Most
//! rules ask where a move starts or where it goes, and a disjunction over all such moves holds exactly if the chosen
//! move is in that set. So these disjunctions are not computed: when a lane has chosen, its bit is set in the words of
//! the few sets that contain its move. A conjunction of negations is the negation of such a set.

use super::circuit::{Circuit, NodeLiteral};
use super::rows::turn;
use super::word::{Slot, Word, WordSource, and, read};
use crate::program::{GateKind, Program, Wire};
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

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

/// The words that record the moves of wide choices.
#[derive(Clone, Debug)]
pub(super) struct Notes {
    /// All of them.
    pub(super) words: Vec<Slot>,
    /// For each move that is kept, by its index in the program, the word of the lanes in which it is made.
    pub(super) kept: Vec<(u32, Slot)>,
    /// The first slot after them.
    pub(super) end: Slot,
    /// The words of each move, as rows of equal length, padded with a word that is never read.
    rows: Vec<Slot>,
    length: usize,
}

impl Notes {
    /// The words of the classes and, if moves are kept, one word more for each move of `choices`. `first` is the first
    /// slot that is free.
    pub(super) fn new<L>(classes: &Classes, choices: &[WideChoice<L>], first: Slot, keeps_moves: bool) -> Self {
        let mut of_move = classes.of_move.clone();
        let mut words = classes.words.clone();
        let mut kept = Vec::new();
        let mut unread = first;
        if keeps_moves {
            for &index in choices.iter().flat_map(|wide| &wide.members).flat_map(|(_, moves)| moves) {
                of_move[index as usize].push(unread);
                kept.push((index, unread));
                words.push(unread);
                unread += 1;
            }
        }
        let length = of_move.iter().map(Vec::len).max().unwrap_or_default();
        let row = |words: &Vec<Slot>| words.iter().copied().chain(std::iter::repeat(unread)).take(length).collect();
        let rows: Vec<Vec<Slot>> = of_move.iter().map(row).collect();
        Self { words, kept, end: unread + 1, rows: rows.concat(), length }
    }

    fn row(&self, index: u32) -> &[Slot] {
        &self.rows[index as usize * self.length..][..self.length]
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

    /// The move that a lane chooses, as an index into the program; `rank` is the number of the group, followed by the
    /// rank within it.
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

/// The index of the set bit that has `rank` set bits below it.
#[inline(always)]
fn nth(mut bits: u32, mut rank: u32) -> u32 {
    let mut index = 0;
    // Halves the word that is searched, without branches.
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

/// Indices of moves in the program, ascending.
type Set = Arc<[u32]>;

/// The signals that are sets of moves or negations of sets, and the words of the sets that are read.
#[derive(Debug, Default)]
pub(super) struct Classes {
    /// For each signal that is known to be one, the set; true if the signal is its negation.
    sets: FxHashMap<usize, (Set, bool)>,
    /// The word of each set that is read.
    slots: FxHashMap<Set, Slot>,
    /// The words of all sets that are read.
    words: Vec<Slot>,
    /// For each move of the program, the words that record that it is made.
    of_move: Vec<Vec<Slot>>,
}

impl Classes {
    /// Starts with one set per move; `moves` are the moves of the choice as indices into the program.
    pub(super) fn new(program: &Program, moves: impl Iterator<Item = u32>) -> Self {
        let sets = moves.map(|index| (program.move_signal(index as usize), (Set::from([index]), false)));
        Self {
            sets: sets.collect(),
            slots: FxHashMap::default(),
            words: Vec::new(),
            of_move: vec![Vec::new(); program.moves.len()],
        }
    }

    /// The literal of a wire, if it is a set of moves or the negation of one.
    pub(super) fn literal(&mut self, circuit: &mut Circuit, wire: Wire) -> Option<NodeLiteral> {
        let (set, is_negated) = self.sets.get(&wire.signal())?;
        let set = Arc::clone(set);
        let is_negated = *is_negated != wire.is_negated();
        Some(self.word(circuit, &set).negated_if(is_negated))
    }

    /// True if the moves that belong to any sets belong to at most `most` sets on average.
    pub(super) fn are_few(&self, most: usize) -> bool {
        let moves = self.of_move.iter().filter(|words| !words.is_empty());
        let (moves, words) = moves.fold((0, 0), |(moves, words), more| (moves + 1, words + more.len()));
        words <= most * moves
    }

    fn word(&mut self, circuit: &mut Circuit, set: &Set) -> NodeLiteral {
        if let Some(&slot) = self.slots.get(set) {
            return circuit.input(slot);
        }
        let slot = circuit.take_slots(1).start;
        self.slots.insert(Arc::clone(set), slot);
        self.words.push(slot);
        set.iter().for_each(|&index| self.of_move[index as usize].push(slot));
        circuit.input(slot)
    }

    /// Merges the sets among the inputs of a gate. Returns the gate's other inputs, read as a disjunction, and the
    /// literal of the merged set; `None` if there are no sets, and no inputs if the gate is itself a set.
    pub(super) fn gather(
        &mut self,
        program: &Program,
        circuit: &mut Circuit,
        gate: usize,
    ) -> Option<(Vec<Wire>, NodeLiteral)> {
        let is_and = program.gates[gate].kind == GateKind::And;
        let mut set = Vec::new();
        let mut others = Vec::new();
        for wire in program.inputs(gate).iter().map(|wire| wire.negated_if(is_and)) {
            match self.sets.get(&wire.signal()) {
                Some((members, is_negated)) if *is_negated == wire.is_negated() => set.extend_from_slice(members),
                _ => others.push(wire),
            }
        }
        if set.is_empty() {
            return None;
        }
        set.sort_unstable();
        set.dedup();
        let set = Set::from(set);
        if others.is_empty() {
            self.sets.insert(program.first_gate() + gate, (set, is_and));
            return Some((others, NodeLiteral::FALSE));
        }
        let word = self.word(circuit, &set);
        Some((others, word))
    }
}
