//! Sets of moves, each with one word: what the next state reads of a choice among very many moves.
//!
//! Most rules ask of a move where it comes from or where it goes, and a disjunction over all such moves holds just where the chosen
//! one is of that set. So these disjunctions are not computed: when a lane has chosen, its bit is set in the words of the sets
//! that its move belongs to, a handful. A conjunction of contraries is the contrary of such a set.

use super::circuit::{Circuit, Literal};
use super::code::Slot;
use crate::propnet::program::{GateKind, Program, Wire};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Moves by their place in the program, in order.
type Set = Arc<[u32]>;

/// The signals that are sets of moves, or contraries of such, and the words of those that somebody reads.
#[derive(Debug, Default)]
pub(super) struct Classes {
    sets: FxHashMap<usize, (Set, bool)>,
    slots: FxHashMap<Set, Slot>,
    /// The first word, and how many there are.
    pub(super) first: Slot,
    pub(super) words: u32,
    /// For each move of the program the words in which it is noted that it is made.
    pub(super) of_move: Vec<Vec<Slot>>,
}

/// The inputs of a gate, as a disjunction.
struct Parts {
    set: Vec<u32>,
    others: Vec<Wire>,
}

impl Classes {
    /// The words stand from this slot on; the places in the program of the moves that are chosen among.
    pub(super) fn new(program: &Program, first: Slot, moves: impl Iterator<Item = u32>) -> Self {
        let sets = moves.map(|index| (program.move_signal(index as usize), (Set::from([index]), false)));
        Self {
            sets: sets.collect(),
            slots: FxHashMap::default(),
            first,
            words: 0,
            of_move: vec![Vec::new(); program.moves.len()],
        }
    }

    /// What a wire says, if it is a set of moves or the contrary of one.
    pub(super) fn literal(&mut self, circuit: &mut Circuit, wire: Wire) -> Option<Literal> {
        let (set, is_negated) = self.sets.get(&wire.signal())?;
        let (set, is_negated) = (Arc::clone(set), *is_negated != wire.is_negated());
        Some(self.word(circuit, &set).negated_if(is_negated))
    }

    /// Whether the moves that belong to any sets belong to no more than so many on average.
    pub(super) fn are_few(&self, most: usize) -> bool {
        let moves = self.of_move.iter().filter(|words| !words.is_empty());
        let (moves, words) = moves.fold((0, 0), |(moves, words), more| (moves + 1, words + more.len()));
        words <= most * moves
    }

    fn word(&mut self, circuit: &mut Circuit, set: &Set) -> Literal {
        let next = self.first + self.words;
        let slot = *self.slots.entry(Arc::clone(set)).or_insert(next);
        if slot == next {
            self.words += 1;
            set.iter().for_each(|&index| self.of_move[index as usize].push(slot));
        }
        circuit.input(slot)
    }

    /// Takes the sets among the inputs of a gate together. Gives the gate's other inputs, read as a disjunction, and what the sets
    /// say; none where there are no sets, and no inputs where the gate is a set as well.
    pub(super) fn gather(
        &mut self,
        program: &Program,
        circuit: &mut Circuit,
        gate: usize,
    ) -> Option<(Vec<Wire>, Literal)> {
        let is_and = program.gates[gate].kind == GateKind::And;
        let Parts { mut set, others } = self.parts(program.inputs(gate).iter().map(|wire| wire.negated_if(is_and)));
        if set.is_empty() {
            return None;
        }
        set.sort_unstable();
        set.dedup();
        let set = Set::from(set);
        if others.is_empty() {
            self.sets.insert(program.first_gate() + gate, (set, is_and));
            return Some((others, Literal::FALSE));
        }
        let word = self.word(circuit, &set);
        Some((others, word))
    }

    fn parts(&self, inputs: impl Iterator<Item = Wire>) -> Parts {
        let mut parts = Parts { set: Vec::new(), others: Vec::new() };
        for wire in inputs {
            match self.sets.get(&wire.signal()) {
                Some((set, is_negated)) if *is_negated == wire.is_negated() => parts.set.extend_from_slice(set),
                _ => parts.others.push(wire),
            }
        }
        parts
    }
}
