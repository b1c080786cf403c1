//! The flat program: a network as plain arrays of 32-bit ids, ready to be evaluated.
//!
//! Signals are numbered: first the bits of the state, then the moves, then the gates in an order in which every gate comes
//! after what it reads, but for cycles, whose gates stand side by side. Negations have become part of the edges. Here is
//! also what turns bits, moves and goal values back into terms.

use super::network::{FluentStorage, RoleGoal, RoleMove};
use crate::game::Role;
use crate::rules::GroundTerm;
use fixedbitset::FixedBitSet;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A signal, or its negation.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Wire(u32);

impl Wire {
    /// The signal of this number as it is.
    pub fn new(signal: usize) -> Self {
        Self((signal as u32) << 1)
    }

    /// The number of the signal.
    pub fn signal(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the value is the contrary of the signal's.
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The negation.
    pub fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }

    /// The negation where `negate` says so.
    pub fn negated_if(self, negate: bool) -> Self {
        Self(self.0 ^ u32::from(negate))
    }

    /// Signal and sign in one number: twice the signal, and one more for the negation.
    pub fn code(self) -> u32 {
        self.0
    }

    /// The wire of such a number.
    pub fn from_code(code: u32) -> Self {
        Self(code)
    }
}

/// What a gate computes.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GateKind {
    /// True where all its inputs are; without inputs always.
    And,
    /// True where one of its inputs is; without inputs never.
    Or,
}

/// A gate.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    /// What it computes.
    pub kind: GateKind,
    /// What it reads, as a range of [`Program::wires`].
    pub inputs: Range<u32>,
}

/// When a move is legal: where both wires are true.
///
/// Whose turn it is changes with every move, and all legal moves of two roles hang on it. So a wire that many moves of a role
/// share is kept apart as their *guard*, and looked at when somebody asks.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Legality {
    /// What moves share; always true where they share nothing.
    pub guard: Wire,
    /// The rest.
    pub wire: Wire,
}

/// A game as a flat program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Program {
    /// The roles, in the order of the sheet.
    pub roles: Vec<GroundTerm>,
    /// Every fact that can hold, in canonical order, and where the state keeps it.
    pub facts: Vec<(GroundTerm, FluentStorage)>,
    /// The bit of each fact that has one, by its place in [`Program::facts`].
    pub bit_of: Vec<Option<u32>>,
    /// The fact of each bit.
    pub fact_of: Vec<u32>,
    /// Every move, by role and then in canonical order. Those that are never possible have a constant for an output.
    pub moves: Vec<RoleMove>,
    /// Every goal value, by role and then in canonical order.
    pub goals: Vec<RoleGoal>,
    /// The initial state.
    #[serde(with = "bit_list")]
    pub initial: FixedBitSet,
    /// The gates, by signal number.
    pub gates: Vec<Gate>,
    /// The gates between the joint move and the next state, a range of [`Program::gates`]; those before it depend on the
    /// state alone.
    pub move_gates: Range<u32>,
    /// The gates that only goal values need; the last ones.
    pub goal_gates: Range<u32>,
    /// What the gates read, one behind the other.
    pub wires: Vec<Wire>,
    /// The gates of each cycle, as ranges of [`Program::gates`], in order.
    pub cycles: Vec<Range<u32>>,
    /// A wire that is always true.
    pub always: Wire,
    /// Whether a bit is set in the next state; by bit.
    pub next: Vec<Wire>,
    /// When a move is legal; by move.
    pub legal: Vec<Legality>,
    /// Whether a goal value holds; by goal.
    pub goal: Vec<Wire>,
    /// Whether the game is over.
    pub terminal: Wire,
}

impl Program {
    /// A program has no more signals than this, and its gates no more inputs: then every index fits 32 bits in every evaluator, with a bit
    /// or two beside it.
    pub(super) const MOST_SIGNALS: usize = 1 << 28;

    /// The number of bits of a state.
    pub fn bits(&self) -> usize {
        self.fact_of.len()
    }

    /// The signal of the first gate.
    pub fn first_gate(&self) -> usize {
        self.bits() + self.moves.len()
    }

    /// The number of signals.
    pub fn signals(&self) -> usize {
        self.first_gate() + self.gates.len()
    }

    /// The signal of a move.
    pub fn move_signal(&self, chosen: usize) -> usize {
        self.bits() + chosen
    }

    /// What a gate reads.
    pub fn inputs(&self, gate: usize) -> &[Wire] {
        let Range { start, end } = self.gates[gate].inputs;
        &self.wires[start as usize..end as usize]
    }

    /// The moves of a role, as a range of [`Program::moves`].
    pub fn moves_of(&self, role: Role) -> Range<usize> {
        let start = self.moves.partition_point(|known| known.role < role);
        let end = self.moves.partition_point(|known| known.role <= role);
        start..end
    }

    /// Whether a wire depends on the joint move.
    pub fn depends_on_moves(&self, wire: Wire) -> bool {
        let signal = wire.signal();
        let gate = signal.checked_sub(self.first_gate());
        gate.map_or(signal >= self.bits(), |gate| self.move_gates.contains(&(gate as u32)))
    }

    /// The cycle that a gate is part of, as its place in [`Program::cycles`].
    pub fn cycle_of(&self, gate: usize) -> Option<usize> {
        let gate = gate as u32;
        let index = self.cycles.partition_point(|cycle| cycle.end <= gate);
        self.cycles.get(index).is_some_and(|cycle| cycle.contains(&gate)).then_some(index)
    }
}

/// A bitset as data: its length, and the bits that are set.
mod bit_list {
    use fixedbitset::FixedBitSet;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(bits: &FixedBitSet, serializer: S) -> Result<S::Ok, S::Error> {
        (bits.len(), bits.ones().collect::<Vec<usize>>()).serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FixedBitSet, D::Error> {
        let (length, ones) = <(u32, Vec<usize>)>::deserialize(deserializer)?;
        if length as usize > super::Program::MOST_SIGNALS {
            return Err(D::Error::custom("a state has more bits than a program has signals"));
        }
        let mut bits = FixedBitSet::with_capacity(length as usize);
        for bit in ones {
            if bit >= bits.len() {
                return Err(D::Error::custom("a set bit is beyond the end"));
            }
            bits.insert(bit);
        }
        Ok(bits)
    }
}
