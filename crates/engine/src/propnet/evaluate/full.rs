//! The evaluator that computes every gate of the state part anew in each state.
//!
//! It is the simplest evaluator, and the tests compare the incremental one with it. It wins if most of the state
//! changes at every step.

use super::outputs::OutputLayout;
use super::{BITS, Evaluator, compute};
use crate::program::{Program, Wire};
use std::sync::Arc;

/// Values of all signals, recomputed for each state.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Full {
    program: Arc<Program>,
    placed: Arc<[(Wire, u32)]>,
    state: Vec<usize>,
    outputs: Vec<usize>,
    /// By signal.
    values: Vec<bool>,
}

impl Full {
    /// Makes an evaluator at the state in which nothing holds.
    pub(in crate::propnet) fn new(program: &Arc<Program>, outputs: &OutputLayout) -> Self {
        let mut full = Self {
            program: Arc::clone(program),
            placed: outputs.placed.as_slice().into(),
            state: vec![0; outputs.state_words],
            outputs: vec![0; outputs.words],
            values: vec![false; program.signals()],
        };
        full.evaluate();
        full
    }

    fn evaluate(&mut self) {
        let program = Arc::clone(&self.program);
        compute(&program, 0..program.move_gates.start, self);
        self.outputs.fill(0);
        for &(wire, bit) in &*self.placed {
            let value = self.values[wire.signal()] != wire.is_negated();
            self.outputs[bit as usize / BITS] |= usize::from(value) << (bit as usize % BITS);
        }
    }
}

impl Evaluator for Full {
    fn go_to(&mut self, state: &[usize]) {
        if self.state == state {
            return;
        }
        self.state.copy_from_slice(state);
        for (bit, value) in self.values[..self.program.bits()].iter_mut().enumerate() {
            *value = (state[bit / BITS] >> (bit % BITS)) & 1 == 1;
        }
        self.evaluate();
    }

    fn make(&mut self, joint_move: &[u32]) {
        for &chosen in joint_move {
            self.values[self.program.move_signal(chosen as usize)] = true;
        }
        let program = Arc::clone(&self.program);
        compute(&program, program.move_gates.clone(), self);
        for &(wire, bit) in self.placed.iter().take_while(|&&(_, bit)| (bit as usize) < program.bits()) {
            let word = bit as usize / BITS;
            let offset = bit as usize % BITS;
            self.outputs[word] = (self.outputs[word] & !(1 << offset)) | usize::from(self.value(wire)) << offset;
        }
        for &chosen in joint_move {
            self.values[self.program.move_signal(chosen as usize)] = false;
        }
    }

    fn value(&self, wire: Wire) -> bool {
        self.values[wire.signal()] != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.values[signal] = value;
    }

    fn state(&self) -> &[usize] {
        &self.state
    }

    fn outputs(&self) -> &[usize] {
        &self.outputs
    }
}
