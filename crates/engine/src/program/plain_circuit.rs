//! The gates of a program as plain numbers, for evaluators outside of this crate.

use super::{FluentStorage, GateKind, Program, Wire};

/// A program as arrays of numbers. A wire is twice the number of its signal, plus 1 if it is negated. The signals are the
/// bits of the state, then the moves, then the gates, each gate after its inputs, except within a cycle.
#[derive(Clone, Debug, PartialEq)]
pub struct PlainCircuit {
    /// The number of bits of a state.
    pub bits: usize,
    /// The number of moves of each role, role after role in the signals.
    pub moves: Vec<usize>,
    /// For each gate, true if it is a conjunction (true without inputs), false if a disjunction (false without inputs).
    pub conjunctions: Vec<bool>,
    /// For each gate, the end of its inputs in `inputs`; they begin where those of the gate before end.
    pub ends: Vec<u32>,
    /// The wires that the gates read, gate after gate.
    pub inputs: Vec<u32>,
    /// The gates of each cycle, as the first one and the one after the last. The signals of a cycle are its least fixpoint:
    /// begin with false, and evaluate until nothing changes.
    pub cycles: Vec<(u32, u32)>,
    /// The bits that are set in the initial state.
    pub initial: Vec<usize>,
    /// For each fluent, the wire of the state that is true where it holds.
    pub fluents: Vec<u32>,
    /// For each bit, its wire in the next state.
    pub next: Vec<u32>,
    /// For each move, two wires that are both true where it is legal.
    pub legal: Vec<(u32, u32)>,
    /// For each goal value its role, its utility (`None` if it has none), and its wire.
    pub goals: Vec<(usize, Option<f64>, u32)>,
    /// The wire that is true where the game is over.
    pub terminal: u32,
}

impl Program {
    /// The program as plain numbers.
    pub fn plain_circuit(&self) -> PlainCircuit {
        let moves = |role: usize| self.moves_of(ggp_game::Role::new(role)).len();
        let never = self.always.negated();
        let legal = self.legal.iter().zip(&self.moves).map(|(legal, known)| match known.is_possible {
            true => (legal.guard.0, legal.wire.0),
            false => (never.0, never.0),
        });
        let goals = self.goals.iter().enumerate().map(|(index, goal)| {
            let utility = self.utility(index).map(ggp_game::Utility::to_f64);
            (goal.role.index(), utility, self.goal[index].0)
        });
        PlainCircuit {
            bits: self.bits(),
            moves: (0..self.roles.len()).map(moves).collect(),
            conjunctions: self.gates.iter().map(|gate| gate.kind == GateKind::And).collect(),
            ends: self.gates.iter().map(|gate| gate.inputs.end).collect(),
            inputs: self.wires.iter().map(|wire| wire.0).collect(),
            cycles: self.cycles.iter().map(|cycle| (cycle.start, cycle.end)).collect(),
            initial: self.initial.ones().collect(),
            fluents: (0..self.facts.len()).map(|fact| self.wire_of(fact).0).collect(),
            next: self.next.iter().map(|wire| wire.0).collect(),
            legal: legal.collect(),
            goals: goals.collect(),
            terminal: self.terminal.0,
        }
    }

    /// The wire of the state that is true where a fact holds.
    fn wire_of(&self, fact: usize) -> Wire {
        match self.facts[fact].1 {
            FluentStorage::Always(value) => self.always.negated_if(!value),
            FluentStorage::Same(other) => self.wire_of(other.index()),
            FluentStorage::Own => match self.bit_of[fact] {
                Some(bit) => Wire::new(bit as usize),
                None => self.always.negated(),
            },
        }
    }
}
