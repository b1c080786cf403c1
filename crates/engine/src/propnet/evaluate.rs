//! Evaluators of a flat program, on which [`super::Propnet`] runs.
//!
//! [`plan`] divides a program by what its gates are used for. An [`Evaluator`] maintains the part that every state is
//! asked about: [`incremental`] updates only what changes from state to state, [`full`] computes everything anew. Joint
//! moves are evaluated in one of three ways: as inputs like any other; compiled ([`effects`]) to the few assignments
//! that they make, relative to what most joint moves do ([`defaults`]); or by evaluating only the gates whose value the
//! joint move changes ([`sparse`]). [`fixpoint`] settles the gates of a cycle. [`machine`] adds the choice among
//! [`legal`] moves, and goals. [`choose`] takes the fastest machine of those that agree with the program
//! ([`agreement`]).

pub(super) mod agreement;
pub(super) mod choose;
pub(super) mod defaults;
pub(super) mod effects;
mod fixpoint;
pub(super) mod full;
pub(super) mod incremental;
pub(super) mod legal;
pub(super) mod machine;
pub(super) mod outputs;
pub(super) mod plan;
pub(super) mod sparse;
mod wiring;

use crate::program::{GateKind, Program, Wire};
use fixpoint::{CycleGate, settle};
use std::ops::Range;

/// The number of bits of a word of a state.
pub(super) const BITS: usize = usize::BITS as usize;

/// Maintains the values of the gates that depend on the state.
pub(super) trait Evaluator {
    /// Makes `state` the current one. It has as many words as the program's initial state.
    fn go_to(&mut self, state: &[usize]);

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. Until the next call, the
    /// outputs are those of the next state. Supported only by evaluators that were made to evaluate the moves as well.
    fn make(&mut self, joint_move: &[u32]);

    /// The value of a wire of the state part: a bit of the state, a gate, or a gate of another part that
    /// [`Evaluator::set`] has set since.
    fn value(&self, wire: Wire) -> bool;

    /// Records the value of a gate of another part.
    fn set(&mut self, signal: usize, value: bool);

    /// The words of the current state.
    fn state(&self) -> &[usize];

    /// The outputs in the current state ([`outputs::OutputLayout`]).
    fn outputs(&self) -> &[usize];
}

/// Computes a range of gates whose inputs are all known; cycles are brought to their least fixpoint.
fn compute<E: Evaluator>(program: &Program, gates: Range<u32>, evaluator: &mut E) {
    let mut gate = gates.start;
    let next = program.cycles.partition_point(|cycle| cycle.end <= gates.start);
    for cycle in program.cycles[next..].iter().take_while(|cycle| cycle.start < gates.end) {
        compute_in_order(program, gate..cycle.start, evaluator);
        compute_cycle(program, cycle, evaluator);
        gate = cycle.end;
    }
    compute_in_order(program, gate..gates.end, evaluator);
}

/// Computes gates none of which reads a later one.
fn compute_in_order<E: Evaluator>(program: &Program, gates: Range<u32>, evaluator: &mut E) {
    for gate in gates.start as usize..gates.end as usize {
        let value = value(program, gate, evaluator);
        evaluator.set(program.first_gate() + gate, value);
    }
}

fn compute_cycle<E: Evaluator>(program: &Program, cycle: &Range<u32>, evaluator: &mut E) {
    let gate = |gate: u32| {
        let gate = gate as usize;
        let kind = program.gates[gate].kind;
        let inputs = program.inputs(gate);
        CycleGate { signal: program.first_gate() + gate, kind, inputs }
    };
    settle(cycle.clone().map(gate), evaluator);
}

/// The value of one gate.
fn value<E: Evaluator>(program: &Program, gate: usize, evaluator: &E) -> bool {
    let mut inputs = program.inputs(gate).iter().map(|&wire| evaluator.value(wire));
    match program.gates[gate].kind {
        GateKind::And => inputs.all(|value| value),
        GateKind::Or => inputs.any(|value| value),
    }
}
