//! Move classes: sets of moves with one word each, which the next state reads after a choice among very many moves.
//!
//! Most rules ask where a move starts or where it goes, and a disjunction over all such moves holds exactly if the
//! chosen move is in that set. So these disjunctions are not computed: when a lane has chosen, its bit is set in the
//! words of the few sets that contain its move. A conjunction of negations is the negation of such a set.

use super::circuit::{Circuit, NodeLiteral};
use super::source::Slot;
use crate::program::{GateKind, Program, Wire};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Indices of moves in the program, ascending.
type Set = Arc<[u32]>;

/// The signals that are sets of moves or negations of sets, and the words of the sets that are read.
#[derive(Debug, Default)]
pub(super) struct Classes {
    sets: FxHashMap<usize, (Set, bool)>,
    slots: FxHashMap<Set, Slot>,
    /// The words.
    pub(super) words: Vec<Slot>,
    /// For each move of the program, the words that record that it is made.
    pub(super) of_move: Vec<Vec<Slot>>,
}

/// The inputs of a gate, as a disjunction.
struct Parts {
    set: Vec<u32>,
    others: Vec<Wire>,
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

    /// Whether the moves that belong to any sets belong to at most `most` sets on average.
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
        let Parts { mut set, others } = self.parts(program.inputs(gate).iter().map(|wire| wire.negated_if(is_and)));
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
