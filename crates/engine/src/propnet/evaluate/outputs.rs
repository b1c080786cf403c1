//! The outputs of an evaluator: one row of words with a bit for each output.
//!
//! First come the bits of the next state, with the same indices as in the state; then the terminal bit; then the legal
//! moves of each role, in canonical order. A bit of the next state that always equals the same bit of the state needs
//! no output.
//!
//! Moves that share a guard ([`Legality`]) form a group: its bits say which moves are legal if the guard holds, and the
//! guard is evaluated when the legal moves are asked for. So a change of turns changes only guards. Each bit has the
//! index of its move among all moves of the role, so the rows of several groups are combined by a bitwise or, and
//! nothing has to be sorted.

use super::{BITS, Evaluator};
use crate::program::{Legality, Program, Wire};
use gdl::number::{to_index, to_u32};
use ggp_game::Role;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The layout of the outputs of a program.
#[derive(Clone, Debug)]
pub(super) struct OutputLayout {
    /// The output bit of each wire.
    pub(super) placed: Vec<(Wire, u32)>,
    /// The number of output words.
    pub(super) words: usize,
    /// The number of words of a state.
    pub(super) state_words: usize,
    /// Masks of the bits that the next state takes over from the state, by word.
    kept: Vec<usize>,
    /// The legal moves of each role.
    roles: Vec<RoleMoves>,
}

impl OutputLayout {
    /// Lays out the outputs; `next` has the wire of each bit of the next state.
    pub(super) fn new(program: &Program, next: &[Wire]) -> Self {
        let state_words = program.bits().div_ceil(BITS);
        let mut kept = vec![0; state_words];
        let mut placed = Vec::new();
        for (bit, &wire) in next.iter().enumerate() {
            if wire == Wire::new(bit) {
                kept[bit / BITS] |= 1 << (bit % BITS);
            } else {
                placed.push((wire, to_u32(bit)));
            }
        }
        placed.push((program.terminal, to_u32(state_words * BITS)));
        let mut outputs = Self { placed, words: state_words + 1, state_words, kept, roles: Vec::new() };
        let mut known = FxHashMap::default();
        for role in 0..program.roles.len() {
            let moves = program.moves_of(Role::new(role)).filter(|&chosen| program.moves[chosen].is_possible);
            let moves: Vec<u32> = moves.map(|chosen| to_u32(chosen)).collect();
            let groups = outputs.place_groups(program, &moves, &mut known);
            outputs.roles.push(RoleMoves { groups, moves });
        }
        outputs
    }

    /// True if the state is terminal, according to an evaluator's output words.
    pub(super) fn is_terminal(&self, words: &[usize]) -> bool {
        words[self.state_words] & 1 == 1
    }

    /// The wires that the moves of a group share, each with the output words of the group.
    pub(super) fn guards(&self) -> impl Iterator<Item = (Wire, Range<usize>)> {
        let groups = self.roles.iter().flat_map(|role| &role.groups);
        groups.map(|group| (group.guard, group.words.clone()))
    }

    /// Writes the bits of the next state, from an evaluator's output words and the state's words.
    pub(super) fn next(&self, words: &[usize], state: &[usize], next: &mut [usize]) {
        for (((next, &word), &state), &kept) in next.iter_mut().zip(words).zip(state).zip(&self.kept) {
            *next = (word & !kept) | (state & kept);
        }
    }
}

/// Moves of a role that share a guard.
#[derive(Clone, Debug)]
struct GuardedMoves {
    /// Must hold for any of the moves to be legal.
    guard: Wire,
    /// The output words that hold its bits.
    words: Range<usize>,
    /// The word of the role's row at which these words begin.
    start: usize,
}

/// The possible moves of a role.
#[derive(Clone, Debug)]
struct RoleMoves {
    groups: Vec<GuardedMoves>,
    /// The move of each bit, in canonical order, as indices into [`Program::moves`].
    moves: Vec<u32>,
}

impl OutputLayout {
    /// The groups of a role's moves, which get output words after those so far. A group with the same wires as an
    /// earlier one, found in `known`, shares its words.
    fn place_groups(
        &mut self,
        program: &Program,
        moves: &[u32],
        known: &mut FxHashMap<Vec<(Wire, u32)>, Range<usize>>,
    ) -> Vec<GuardedMoves> {
        let mut members: Vec<(Wire, Vec<(Wire, usize)>)> = Vec::new();
        let mut group_of: FxHashMap<Wire, usize> = FxHashMap::default();
        for (bit, &chosen) in moves.iter().enumerate() {
            let Legality { guard, wire } = program.legal[chosen as usize];
            let group = *group_of.entry(guard).or_insert(members.len());
            if group == members.len() {
                members.push((guard, Vec::new()));
            }
            members[group].1.push((wire, bit));
        }
        let mut groups = Vec::with_capacity(members.len());
        for (guard, members) in members {
            let first = members[0].1 / BITS;
            let last = members[members.len() - 1].1 / BITS;
            // The wire of each move, and its bit, counted from the group's first word.
            let wires: Vec<_> = members.iter().map(|&(wire, bit)| (wire, to_u32(bit - first * BITS))).collect();
            let words = known.entry(wires).or_insert_with_key(|wires| {
                let start = self.words;
                self.words += last + 1 - first;
                self.placed.extend(wires.iter().map(|&(wire, bit)| (wire, to_u32(start * BITS) + bit)));
                start..self.words
            });
            groups.push(GuardedMoves { guard, words: words.clone(), start: first });
        }
        groups
    }

    /// Calls `ask` with the bits of a role's legal moves, and with the move of each bit, from the first bit on.
    #[inline]
    fn with_bits<E: Evaluator, T>(
        &self,
        evaluator: &E,
        role: usize,
        buffer: &mut Vec<usize>,
        ask: impl FnOnce(&[usize], &[u32]) -> T,
    ) -> T {
        let RoleMoves { groups, moves } = &self.roles[role];
        let mut active = groups.iter().filter(|group| evaluator.value(group.guard));
        let Some(first) = active.next() else { return ask(&[], moves) };
        // Nearly always one group is active: then its words are read where they are.
        let Some(second) = active.next() else {
            return ask(&evaluator.outputs()[first.words.clone()], &moves[first.start * BITS..]);
        };
        buffer.clear();
        buffer.resize(moves.len().div_ceil(BITS), 0);
        for group in [first, second].into_iter().chain(active) {
            let words = &evaluator.outputs()[group.words.clone()];
            buffer[group.start..].iter_mut().zip(words).for_each(|(row, word)| *row |= word);
        }
        ask(buffer, moves)
    }

    /// Calls `each` for the legal moves of a role in canonical order, as indices into [`Program::moves`].
    #[inline]
    pub(super) fn each_legal_move<E: Evaluator>(
        &self,
        evaluator: &E,
        role: usize,
        buffer: &mut Vec<usize>,
        mut each: impl FnMut(u32),
    ) {
        self.with_bits(evaluator, role, buffer, |words, moves| {
            for (&word, moves) in words.iter().zip(moves.chunks(BITS)) {
                let mut word = word;
                while word != 0 {
                    each(moves[word.trailing_zeros() as usize]);
                    word &= word - 1;
                }
            }
        });
    }

    /// Returns the legal move whose index `choose` returns for the number of legal moves; `None` if there are none.
    #[inline]
    pub(super) fn choose_legal_move<E: Evaluator>(
        &self,
        evaluator: &E,
        role: usize,
        buffer: &mut Vec<usize>,
        choose: &mut dyn FnMut(usize) -> usize,
    ) -> Option<u32> {
        self.with_bits(evaluator, role, buffer, |words, moves| {
            let count: u32 = words.iter().map(|word| word.count_ones()).sum();
            (count > 0).then(|| moves[select(words, choose(count as usize))])
        })
    }
}

/// The index of the set bit that has `rank` set bits before it.
///
/// # Panics
/// If there is none.
fn select(words: &[usize], mut rank: usize) -> usize {
    for (index, &word) in words.iter().enumerate() {
        let ones = word.count_ones() as usize;
        if rank < ones {
            return index * BITS + select_in_word(word as u64, rank as u64);
        }
        rank -= ones;
    }
    panic!("the index of a legal move is below their number")
}

/// The index of the set bit of a word that has `rank` set bits before it, without a branch.
///
/// Source: Vigna, Broadword Implementation of Rank/Select Queries (2008): the prefix sums of the bytes' bit counts are
/// compared with the rank all at once, which yields the byte; the bit within the byte is found in the same way, with
/// its bits spread over eight bytes.
fn select_in_word(word: u64, rank: u64) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let pairs = word - ((word >> 1) & 0x5555_5555_5555_5555);
    let nibbles = (pairs & 0x3333_3333_3333_3333) + ((pairs >> 2) & 0x3333_3333_3333_3333);
    let sums = ((nibbles + (nibbles >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES);
    // Byte i of `sums` counts the set bits of bytes 0 to i. Bytes whose sum is not above the rank precede the wanted
    // byte.
    let not_above = (((rank * ONES) | HIGH) - sums) & HIGH;
    let byte = ((not_above >> 7).wrapping_mul(ONES) >> 53) & 0x78;
    let left = rank - (((sums << 8) >> byte) & 0xff);
    // Byte i keeps only bit i of the byte, and is then 1 if that bit is set.
    let spread = ((word >> byte) & 0xff).wrapping_mul(ONES) & 0x8040_2010_0804_0201;
    let sums = (((spread + !HIGH) & HIGH) >> 7).wrapping_mul(ONES);
    let not_above = (((left * ONES) | HIGH) - sums) & HIGH;
    to_index(byte + ((not_above >> 7).wrapping_mul(ONES) >> 56))
}
