//! Runs a compiled effect: writes the bits that differ from their defaults.

use super::{Effect, Effects, GateUpdate, NO_CYCLE};
use crate::program::GateKind;
use crate::propnet::evaluate::Evaluator;
use crate::propnet::evaluate::fixpoint::{CycleGate, settle};
use std::ops::Range;

impl Effects {
    pub(super) fn run<E: Evaluator>(&self, effect: &Effect, evaluator: &mut E, next: &mut [usize]) {
        for mask in &self.masks[range(&effect.masks)] {
            let word = &mut next[mask.word as usize];
            *word = (*word & !mask.clear) | mask.set;
        }
        let mut steps = &self.steps[range(&effect.steps)];
        while let [step, rest @ ..] = steps {
            if step.cycle == NO_CYCLE {
                let value = self.gate(step, evaluator);
                evaluator.set(step.signal as usize, value);
                steps = rest;
            } else {
                let (cycle, rest) = steps.split_at(steps.iter().take_while(|other| other.cycle == step.cycle).count());
                let gate = |step: &GateUpdate| {
                    let inputs = &self.wires[range(&step.inputs)];
                    CycleGate { signal: step.signal as usize, kind: step.kind, inputs }
                };
                settle(cycle.iter().map(gate), evaluator);
                steps = rest;
            }
        }
        // Bits of the same word are collected before they are written.
        for copies in self.copies[range(&effect.copies)].chunk_by(|left, right| left.word == right.word) {
            let mut written = 0;
            let mut bits = 0;
            for copy in copies {
                let [left, right] = copy.wires;
                let value = (evaluator.value(left) & evaluator.value(right)) != copy.is_negated;
                written |= 1 << copy.bit;
                bits |= usize::from(value) << copy.bit;
            }
            let word = &mut next[copies[0].word as usize];
            *word = (*word & !written) | bits;
        }
    }

    fn gate<E: Evaluator>(&self, step: &GateUpdate, evaluator: &E) -> bool {
        let inputs = &self.wires[range(&step.inputs)];
        match (step.kind, inputs) {
            // Most gates have two inputs; evaluating both is faster than a branch on whether the first decides.
            (GateKind::And, &[left, right]) => evaluator.value(left) & evaluator.value(right),
            (GateKind::Or, &[left, right]) => evaluator.value(left) | evaluator.value(right),
            (GateKind::And, inputs) => inputs.iter().all(|&wire| evaluator.value(wire)),
            (GateKind::Or, inputs) => inputs.iter().any(|&wire| evaluator.value(wire)),
        }
    }
}

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
