//! Compiles a joint move: propagates its constants and schedules the gates that remain.

use super::move_part::{MovePart, PartialValue};
use super::{BitCopy, Effect, Effects, GateUpdate, Mask, NO_CYCLE};
use crate::program::{GateKind, Wire};
use crate::propnet::evaluate::BITS;
use fixedbitset::FixedBitSet;
use gdl::number::to_u32;
use std::ops::Range;
use std::sync::Arc;

impl Effects {
    pub(super) fn compile(&mut self, joint_move: &[u32]) -> Effect {
        let part = Arc::clone(&self.part);
        self.propagate(&part, joint_move);
        let masks = to_u32(self.masks.len());
        let copies = to_u32(self.copies.len());
        let mut wanted = Vec::new();
        for &bit in &part.moved {
            let default = part.known(part.defaults[bit as usize]);
            match part.value(part.program.next[bit as usize], joint_move, &self.work) {
                value if value == default => {}
                PartialValue::Known(value) => self.mask(masks, bit, value),
                PartialValue::Wire(wire) => {
                    let copy = self.copy(&part, bit, wire);
                    wanted.extend(copy.wires);
                    self.copies.push(copy);
                }
            }
        }
        let steps = self.schedule(&part, wanted);
        self.work.changed.clear();
        self.work.needed.clear();
        Effect { masks: masks..to_u32(self.masks.len()), steps, copies: copies..to_u32(self.copies.len()) }
    }

    /// Finds the move gates whose values differ from those at rest.
    fn propagate(&mut self, part: &MovePart, joint_move: &[u32]) {
        let moves = part.program.moves.len();
        let mut pending = FixedBitSet::with_capacity(part.still.len());
        for &chosen in joint_move {
            part.readers[chosen as usize].iter().for_each(|&gate| pending.insert(gate as usize));
        }
        while let Some(gate) = pending.minimum() {
            pending.remove(gate);
            let (value, inputs) = part.simplify(gate, joint_move, &mut self.work);
            if (value, &inputs) != (part.still[gate], &part.still_inputs[gate]) {
                let is_new = value != part.still[gate];
                self.work.changed.insert(gate);
                (self.work.values[gate], self.work.inputs[gate]) = (value, inputs);
                // A gate of a cycle keeps its own value, so this terminates.
                if is_new {
                    part.readers[moves + gate].iter().for_each(|&reader| pending.insert(reader as usize));
                }
            }
        }
    }

    /// The assignment of a wire to a bit; a gate of two inputs is folded into it and needs no step.
    fn copy(&self, part: &MovePart, bit: u32, wire: Wire) -> BitCopy {
        let word = bit / usize::BITS;
        let bit = (bit % usize::BITS) as u16;
        if let Some(index) = part.index(wire.signal()) {
            let gate = index - part.program.moves.len();
            let index = part.first() + gate;
            if part.program.cycle_of(index).is_none()
                && let &[left, right] = self.inputs(part, gate)
            {
                // A disjunction is the negation of the conjunction of the negated inputs.
                let is_or = part.program.gates[index].kind == GateKind::Or;
                let wires = [left.negated_if(is_or), right.negated_if(is_or)];
                return BitCopy { word, bit, is_negated: is_or != wire.is_negated(), wires };
            }
        }
        BitCopy { word, bit, is_negated: false, wires: [wire, wire] }
    }

    fn mask(&mut self, first: u32, bit: u32, value: bool) {
        let word = bit / usize::BITS;
        let bit = 1_usize << (bit as usize % BITS);
        if to_u32(self.masks.len()) == first || self.masks.last().is_some_and(|mask| mask.word != word) {
            self.masks.push(Mask { word, clear: 0, set: 0 });
        }
        let Some(mask) = self.masks.last_mut() else { return };
        *(if value { &mut mask.set } else { &mut mask.clear }) |= bit;
    }

    /// Schedules the gates that must be computed for these wires, in topological order.
    fn schedule(&mut self, part: &MovePart, mut wanted: Vec<Wire>) -> Range<u32> {
        while let Some(wire) = wanted.pop() {
            let Some(index) = part.index(wire.signal()) else { continue };
            let gate = index - part.program.moves.len();
            if !self.work.needed.put(gate) {
                wanted.extend_from_slice(self.inputs(part, gate));
            }
        }
        let start = to_u32(self.steps.len());
        let needed: Vec<usize> = self.work.needed.ones().collect();
        for gate in needed {
            let inputs = self.inputs(part, gate).to_vec();
            let first = to_u32(self.wires.len());
            self.wires.extend(inputs);
            let inputs = first..to_u32(self.wires.len());
            let index = part.first() + gate;
            let cycle = part.program.cycle_of(index).map_or(NO_CYCLE, |cycle| to_u32(cycle));
            let kind = part.program.gates[index].kind;
            self.steps.push(GateUpdate { signal: to_u32(part.signal(gate)), kind, cycle, inputs });
        }
        start..to_u32(self.steps.len())
    }

    /// The remaining inputs of a move gate.
    fn inputs<'a>(&'a self, part: &'a MovePart, gate: usize) -> &'a [Wire] {
        if self.work.changed.contains(gate) { &self.work.inputs[gate] } else { &part.still_inputs[gate] }
    }
}
