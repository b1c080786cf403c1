//! The part of a program that depends on the moves, prepared for compiling joint moves, and its simplification under a
//! given joint move.

use crate::program::{GateKind, Program, Wire};
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use ggp_game::Role;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The value of a wire for a given joint move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PartialValue {
    Known(bool),
    /// The value of a wire of the state part, or of a move gate that has to be computed.
    Wire(Wire),
}

impl PartialValue {
    fn negated_if(self, negate: bool) -> Self {
        match self {
            Self::Known(value) => Self::Known(value != negate),
            Self::Wire(wire) => Self::Wire(wire.negated_if(negate)),
        }
    }
}

/// The part of a program that depends on the moves, prepared for compiling joint moves.
#[derive(Debug)]
pub(in crate::propnet) struct MovePart {
    pub(super) program: Arc<Program>,
    /// For each move and each move gate, the move gates that read it, by index among the move gates.
    pub(super) readers: Vec<Vec<u32>>,
    /// The values of the move gates if no role moves.
    pub(super) still: Vec<PartialValue>,
    /// The remaining inputs of those move gates that are not simplified.
    pub(super) still_inputs: Vec<Vec<Wire>>,
    /// The bits of the next state that depend on the joint move.
    pub(super) moved: Vec<u32>,
    /// The value of each bit of the next state unless an effect assigns another.
    pub(super) defaults: Vec<Wire>,
    /// The gates of the state part by kind and inputs, so that a simplified gate that equals one of them needs no step.
    state_gates: FxHashMap<(GateKind, Box<[Wire]>), Wire>,
    /// For each role, its first move and its weight in the number of a joint move; `None` if that number may exceed 64
    /// bits.
    weights: Option<Vec<(u32, u64)>>,
}

impl MovePart {
    /// Prepares a program. `defaults` has, for each bit of the next state, the wire of the state part that is its value
    /// unless an effect assigns another.
    pub(in crate::propnet) fn new(program: &Arc<Program>, defaults: Vec<Wire>) -> Self {
        let gates = program.move_gates.len();
        let bits = 0..to_u32(program.bits());
        let mut part = Self {
            program: Arc::clone(program),
            readers: vec![Vec::new(); program.moves.len() + gates],
            still: vec![PartialValue::Known(false); gates],
            still_inputs: vec![Vec::new(); gates],
            moved: bits.filter(|&bit| program.depends_on_moves(program.next[bit as usize])).collect(),
            defaults,
            state_gates: state_gates(program),
            weights: weights(program),
        };
        let mut work = Overlay::new(gates);
        for gate in 0..gates {
            for wire in program.inputs(part.first() + gate) {
                if let Some(index) = part.index(wire.signal()) {
                    part.readers[index].push(to_u32(gate));
                }
            }
        }
        for gate in 0..gates {
            let (value, inputs) = part.simplify(gate, &[], &mut work);
            (part.still[gate], part.still_inputs[gate]) = (value, inputs);
        }
        part
    }

    pub(super) fn first(&self) -> usize {
        self.program.move_gates.start as usize
    }

    pub(super) fn signal(&self, gate: usize) -> usize {
        self.program.first_gate() + self.first() + gate
    }

    /// The index of a signal among the moves followed by the move gates; `None` for a signal of the state part.
    pub(super) fn index(&self, signal: usize) -> Option<usize> {
        let chosen = signal.checked_sub(self.program.bits())?;
        if chosen < self.program.moves.len() {
            return Some(chosen);
        }
        let gate = (signal - self.program.first_gate()).checked_sub(self.first())?;
        Some(self.program.moves.len() + gate)
    }

    pub(super) fn number(&self, joint_move: &[u32]) -> Option<u64> {
        let weights = self.weights.as_ref()?;
        let digits = joint_move.iter().zip(weights);
        Some(digits.map(|(&chosen, &(first, weight))| u64::from(chosen - first) * weight).sum())
    }

    /// The value of a move gate under a joint move, and the remaining inputs if it has to be computed.
    pub(super) fn simplify(&self, gate: usize, joint_move: &[u32], work: &mut Overlay) -> (PartialValue, Vec<Wire>) {
        let index = self.first() + gate;
        let kind = self.program.gates[index].kind;
        let own = PartialValue::Wire(Wire::new(self.signal(gate)));
        // The value of an input that decides the gate, whatever the other inputs are.
        let decisive = kind == GateKind::Or;
        let is_cyclic = self.program.cycle_of(index).is_some();
        let mut left = Vec::new();
        for &wire in self.program.inputs(index) {
            match self.value(wire, joint_move, work) {
                PartialValue::Known(value) if value == decisive && !is_cyclic => {
                    return (PartialValue::Known(value), Vec::new());
                }
                PartialValue::Known(value) if value == decisive => {
                    return (own, vec![self.program.always.negated_if(!value)]);
                }
                PartialValue::Known(_) => {}
                PartialValue::Wire(wire) => left.push(wire),
            }
        }
        left.sort_unstable();
        left.dedup();
        match left[..] {
            _ if is_cyclic => (own, left),
            [] => (PartialValue::Known(!decisive), Vec::new()),
            [only] => (PartialValue::Wire(only), Vec::new()),
            _ if left.windows(2).any(|pair| pair[0].negated() == pair[1]) => {
                (PartialValue::Known(decisive), Vec::new())
            }
            _ => match self.state_gates.get(&(kind, left.as_slice().into())) {
                Some(&known) => (PartialValue::Wire(known), Vec::new()),
                None => (own, left),
            },
        }
    }

    /// The value of a wire of the state part.
    pub(super) fn known(&self, wire: Wire) -> PartialValue {
        let always = self.program.always;
        if wire.signal() == always.signal() { PartialValue::Known(wire == always) } else { PartialValue::Wire(wire) }
    }

    pub(super) fn value(&self, wire: Wire, joint_move: &[u32], work: &Overlay) -> PartialValue {
        let Some(index) = self.index(wire.signal()) else { return self.known(wire) };
        let value = match index.checked_sub(self.program.moves.len()) {
            None => PartialValue::Known(joint_move.contains(&to_u32(index))),
            Some(gate) if self.program.cycle_of(self.first() + gate).is_some() => {
                PartialValue::Wire(Wire::new(wire.signal()))
            }
            Some(gate) if work.changed.contains(gate) => work.values[gate],
            Some(gate) => self.still[gate],
        };
        value.negated_if(wire.is_negated())
    }
}

/// The gates of the state part by kind and sorted inputs.
pub(in crate::propnet::evaluate) fn state_gates(program: &Program) -> FxHashMap<(GateKind, Box<[Wire]>), Wire> {
    let gates = 0..program.move_gates.start as usize;
    let key = |gate: usize| {
        let mut inputs = program.inputs(gate).to_vec();
        inputs.sort_unstable();
        (program.gates[gate].kind, inputs.into_boxed_slice())
    };
    gates.map(|gate| (key(gate), Wire::new(program.first_gate() + gate))).collect()
}

/// For each role, its first move and its weight in the number of a joint move.
fn weights(program: &Program) -> Option<Vec<(u32, u64)>> {
    let mut weight = 1_u64;
    let mut weights = Vec::new();
    for role in 0..program.roles.len() {
        let moves = program.moves_of(Role::new(role));
        weights.push((to_u32(moves.start), weight));
        weight = weight.checked_mul(moves.len().max(1) as u64)?;
    }
    Some(weights)
}

/// The values that differ under the joint move that is being compiled; scratch.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    pub(super) changed: FixedBitSet,
    pub(super) values: Vec<PartialValue>,
    pub(super) inputs: Vec<Vec<Wire>>,
    pub(super) needed: FixedBitSet,
}

impl Overlay {
    pub(super) fn new(gates: usize) -> Self {
        Self {
            changed: FixedBitSet::with_capacity(gates),
            values: vec![PartialValue::Known(false); gates],
            inputs: vec![Vec::new(); gates],
            needed: FixedBitSet::with_capacity(gates),
        }
    }
}
