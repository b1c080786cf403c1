//! Evaluators of a flat program, on which [`super::Propnet`] runs.
//!
//! [`plan`] divides a program by what its gates are used for. An [`Evaluator`] maintains the part that every state
//! needs: [`incremental`] updates only what changes from state to state, [`Full`] computes everything anew. Joint
//! moves are evaluated in one of three ways: as inputs like any other; compiled ([`effects`]) to the few assignments
//! that they make, relative to what most joint moves do ([`defaults`]); or by evaluating only the gates whose value the
//! joint move changes ([`sparse`]). [`demand`] maintains nothing, and computes the gates that are asked for. [`machine`]
//! adds the choice among legal moves ([`outputs`]), and goals; [`rules`] is a machine that asks the rules of the game.
//! [`machines`] compares each with the program, and [`choose`] takes the fastest of those that agree.

pub(super) mod choose;
mod defaults;
mod demand;
mod effects;
mod incremental;
mod machine;
pub(super) mod machines;
mod outputs;
pub(super) mod plan;
pub(super) mod rules;
mod sparse;

use crate::program::{GateKind, Program, Wire};
use outputs::OutputLayout;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;

/// The number of bits of a word of a state.
const BITS: usize = usize::BITS as usize;

/// A range of indices that is stored in 32 bits.
#[inline]
fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The values of the gates of a program.
pub(super) trait GateValues {
    /// The value of a wire of the state part: a bit of the state, a gate, or a gate of another part that
    /// [`GateValues::set`] has set since.
    fn value(&self, wire: Wire) -> bool;

    /// Records the value of a gate of another part.
    fn set(&mut self, signal: usize, value: bool);
}

/// A means to know the values of the gates of the state part in each state.
pub(super) trait Evaluator: GateValues {
    /// Makes `state` the current one. It has as many words as the program's initial state.
    fn go_to(&mut self, state: &[usize]);

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. Until the next call, the
    /// outputs are those of the next state. Supported only by evaluators that were made to evaluate the moves as well.
    fn make(&mut self, joint_move: &[u32]);

    /// The words of the current state.
    fn state(&self) -> &[usize];

    /// The outputs in the current state ([`OutputLayout`]).
    fn outputs(&self) -> &[usize];
}

/// Computes a range of gates whose inputs are all known; cycles are brought to their least fixpoint.
fn compute<E: GateValues>(program: &Program, gates: Range<u32>, evaluator: &mut E) {
    let mut gate = gates.start;
    let next = program.cycles.partition_point(|cycle| cycle.end <= gates.start);
    for cycle in program.cycles[next..].iter().take_while(|cycle| cycle.start < gates.end) {
        compute_in_order(program, gate..cycle.start, evaluator);
        settle(cycle_gates(program, cycle), evaluator);
        gate = cycle.end;
    }
    compute_in_order(program, gate..gates.end, evaluator);
}

/// Computes gates none of which reads a later one.
fn compute_in_order<E: GateValues>(program: &Program, gates: Range<u32>, evaluator: &mut E) {
    for gate in gates.start as usize..gates.end as usize {
        let value = value(program, gate, evaluator);
        evaluator.set(program.first_gate() + gate, value);
    }
}

/// The gates of a cycle, given as a range of the program's gates.
fn cycle_gates<'a>(program: &'a Program, cycle: &Range<u32>) -> impl Iterator<Item = CycleGate<'a>> + Clone {
    cycle.clone().map(|gate| {
        let gate = gate as usize;
        let kind = program.gates[gate].kind;
        let inputs = program.inputs(gate);
        CycleGate { signal: program.first_gate() + gate, kind, inputs }
    })
}

/// The value that the inputs of a gate imply.
fn value<E: GateValues>(program: &Program, gate: usize, evaluator: &E) -> bool {
    let mut inputs = program.inputs(gate).iter().map(|&wire| evaluator.value(wire));
    match program.gates[gate].kind {
        GateKind::And => inputs.all(|value| value),
        GateKind::Or => inputs.any(|value| value),
    }
}

/// A gate of a cycle: gates that read each other, because recursion has stayed in the ground rules.
#[derive(Clone, Copy)]
struct CycleGate<'a> {
    /// The signal that it computes.
    signal: usize,
    kind: GateKind,
    inputs: &'a [Wire],
}

impl CycleGate<'_> {
    fn output(&self) -> Wire {
        Wire::new(self.signal)
    }

    /// The value that its inputs imply.
    fn implied<E: GateValues>(&self, evaluator: &E) -> bool {
        let mut inputs = self.inputs.iter().map(|&wire| evaluator.value(wire));
        match self.kind {
            GateKind::And => inputs.all(|value| value),
            GateKind::Or => inputs.any(|value| value),
        }
    }

    /// The number of inputs that have to become true before it does.
    fn missing<E: GateValues>(&self, evaluator: &E) -> usize {
        match self.kind {
            GateKind::And => self.inputs.iter().filter(|&&wire| !evaluator.value(wire)).count(),
            GateKind::Or => usize::from(!self.implied(evaluator)),
        }
    }
}

/// The number of times that all gates of a cycle are computed in their order, which settles most cycles.
const ROUNDS: usize = 4;

/// Brings the gates of a cycle to their least fixpoint; whatever else they read is known. Linear in gates and inputs.
fn settle<'a, E: GateValues>(cycle: impl Iterator<Item = CycleGate<'a>> + Clone, evaluator: &mut E) {
    // A least fixpoint is reached from below, so all gates begin as false.
    cycle.clone().for_each(|gate| evaluator.set(gate.signal, false));
    for _ in 0..ROUNDS {
        let mut has_changed = false;
        for gate in cycle.clone() {
            let value = gate.implied(evaluator);
            has_changed |= value != evaluator.value(gate.output());
            evaluator.set(gate.signal, value);
        }
        if !has_changed {
            return;
        }
    }
    propagate(&cycle.collect::<Vec<_>>(), evaluator);
}

/// Completes what [`settle`] has begun: each gate counts the inputs that it waits for, and tells its readers when it
/// becomes true. The algorithm of Dowling and Gallier (1984) for Horn formulae.
fn propagate<E: GateValues>(cycle: &[CycleGate<'_>], evaluator: &mut E) {
    let indices: FxHashMap<usize, usize> = cycle.iter().enumerate().map(|(index, gate)| (gate.signal, index)).collect();
    let mut readers = vec![Vec::new(); cycle.len()];
    for (index, gate) in cycle.iter().enumerate() {
        for read in gate.inputs.iter().filter_map(|wire| indices.get(&wire.signal())) {
            readers[*read].push(index);
        }
    }
    let mut missing: Vec<usize> = cycle.iter().map(|gate| gate.missing(evaluator)).collect();
    let is_late = |&index: &usize| missing[index] == 0 && !evaluator.value(cycle[index].output());
    let mut risen: Vec<usize> = (0..cycle.len()).filter(is_late).collect();
    while let Some(index) = risen.pop() {
        evaluator.set(cycle[index].signal, true);
        for &reader in &readers[index] {
            // An Or that is true waits for nothing.
            if missing[reader] > 0 {
                missing[reader] -= 1;
                if missing[reader] == 0 {
                    risen.push(reader);
                }
            }
        }
    }
}

/// The evaluator that computes every gate of the state part anew in each state. It is the simplest evaluator, and the
/// tests compare the incremental one with it. It wins if most of the state changes at every step.
#[derive(Clone, Debug)]
pub(super) struct Full {
    program: Arc<Program>,
    /// The output bit of each wire ([`OutputLayout::placed`]).
    placed: Arc<[(Wire, u32)]>,
    state: Vec<usize>,
    outputs: Vec<usize>,
    /// By signal.
    values: Vec<bool>,
}

impl Full {
    /// An evaluator at the state in which nothing holds.
    fn new(program: &Arc<Program>, outputs: &OutputLayout) -> Self {
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

impl GateValues for Full {
    fn value(&self, wire: Wire) -> bool {
        self.values[wire.signal()] != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.values[signal] = value;
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
        // Only the bits of the next state depend on the joint move, and they are placed first.
        for &(wire, bit) in self.placed.iter().take_while(|&&(_, bit)| (bit as usize) < program.bits()) {
            let word = bit as usize / BITS;
            let offset = bit as usize % BITS;
            self.outputs[word] = (self.outputs[word] & !(1 << offset)) | usize::from(self.value(wire)) << offset;
        }
        for &chosen in joint_move {
            self.values[self.program.move_signal(chosen as usize)] = false;
        }
    }

    fn state(&self) -> &[usize] {
        &self.state
    }

    fn outputs(&self) -> &[usize] {
        &self.outputs
    }
}
