//! The legal moves of each role as bits, in canonical order.
//!
//! Moves that share a guard ([`Legality`]) make a group: its bits say what would be legal, and the guard is looked at when
//! somebody asks. A change of turns then changes nothing but guards.

use super::{BITS, Evaluator};
use crate::propnet::program::{Legality, Program, Wire};
use std::ops::Range;

/// Moves of a role that share a guard.
#[derive(Clone, Debug)]
struct Group {
    /// What must hold for any of them to be legal.
    guard: Wire,
    /// Where its bits are.
    words: Range<usize>,
    /// The move of each bit, in canonical order, as places in [`Program::moves`].
    moves: Vec<u32>,
    /// The wire of each bit.
    wires: Vec<Wire>,
}

/// The legal moves of all roles.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct LegalMoves {
    groups: Vec<Group>,
    /// The groups of each role.
    roles: Vec<Range<usize>>,
    /// The first word and the one behind the last.
    words: Range<usize>,
}

impl LegalMoves {
    /// Lays the moves out from word `first` on.
    pub(in crate::propnet) fn new(program: &Program, first: usize) -> Self {
        let mut legal = Self { groups: Vec::new(), roles: Vec::new(), words: first..first };
        for role in 0..program.roles.len() {
            let start = legal.groups.len();
            let moves = program.moves_of(crate::game::Role::new(role));
            let moves: Vec<usize> = moves.filter(|&chosen| program.moves[chosen].is_possible).collect();
            legal.role(program, &moves);
            legal.roles.push(start..legal.groups.len());
        }
        legal
    }

    fn role(&mut self, program: &Program, moves: &[usize]) {
        let mut groups: Vec<(Wire, Vec<(u32, Wire)>)> = Vec::new();
        for &chosen in moves {
            let Legality { guard, wire } = program.legal[chosen];
            let member = (chosen as u32, wire);
            match groups.iter_mut().find(|(known, _)| *known == guard) {
                Some((_, members)) => members.push(member),
                None => groups.push((guard, vec![member])),
            }
        }
        for (guard, members) in groups {
            let (moves, wires): (Vec<u32>, Vec<Wire>) = members.into_iter().unzip();
            let known = self.groups.iter().find(|group| group.wires == wires).map(|group| group.words.clone());
            let words = known.unwrap_or_else(|| {
                let start = self.words.end;
                self.words.end += wires.len().div_ceil(BITS);
                start..self.words.end
            });
            self.groups.push(Group { guard, words, moves, wires });
        }
    }

    /// The word behind the last.
    pub(in crate::propnet) fn end(&self) -> usize {
        self.words.end
    }

    /// Which wire's value stands at which bit.
    pub(in crate::propnet) fn placed(&self) -> Vec<(Wire, u32)> {
        let mut end = self.words.start;
        let mut placed = Vec::new();
        for group in &self.groups {
            // A group that shares its words with an earlier one adds nothing.
            if group.words.start >= end {
                let first = (group.words.start * BITS) as u32;
                placed.extend(group.wires.iter().copied().zip(first..));
                end = group.words.end;
            }
        }
        placed
    }

    fn active<E: Evaluator>(&self, evaluator: &E, role: usize) -> impl Iterator<Item = &Group> {
        let groups = self.groups[self.roles[role].clone()].iter();
        groups.filter(|group| evaluator.value(group.guard))
    }

    /// Lists the legal moves of a role, in canonical order, as places in [`Program::moves`].
    pub(in crate::propnet) fn list<E: Evaluator>(&self, evaluator: &E, role: usize, moves: &mut Vec<u32>) {
        moves.clear();
        let mut active = 0;
        for group in self.active(evaluator, role) {
            active += 1;
            for (word, place) in evaluator.outputs()[group.words.clone()].iter().zip((0..).step_by(BITS)) {
                let mut word = *word;
                while word != 0 {
                    moves.push(group.moves[place + word.trailing_zeros() as usize]);
                    word &= word - 1;
                }
            }
        }
        if active > 1 {
            moves.sort_unstable();
        }
    }

    /// The legal move at the place that `choose` names when it is told how many there are; none where there are none.
    pub(in crate::propnet) fn choose<E: Evaluator>(
        &self,
        evaluator: &E,
        role: usize,
        choose: &mut dyn FnMut(usize) -> usize,
        buffer: &mut Vec<u32>,
    ) -> Option<u32> {
        let mut active = self.active(evaluator, role);
        let (only, another) = (active.next(), active.next());
        if another.is_some() {
            self.list(evaluator, role, buffer);
            return (!buffer.is_empty()).then(|| buffer[choose(buffer.len())]);
        }
        let group = only?;
        let words = &evaluator.outputs()[group.words.clone()];
        let count: usize = words.iter().map(|word| word.count_ones() as usize).sum();
        if count == 0 {
            return None;
        }
        Some(group.moves[select(words, choose(count))])
    }
}

/// The place of the set bit that has `rank` set bits before it.
fn select(words: &[usize], mut rank: usize) -> usize {
    for (place, &word) in words.iter().enumerate() {
        let ones = word.count_ones() as usize;
        if rank < ones {
            let mut word = word;
            for _ in 0..rank {
                word &= word - 1;
            }
            return place * BITS + word.trailing_zeros() as usize;
        }
        rank -= ones;
    }
    unreachable!("a rank is below the number of set bits")
}
