//! The evaluator on demand: it computes a gate when its value is asked for, and keeps the value until the state changes.
//!
//! In a large game most gates do not matter in most states. A chess program has gates that test, for each move of each
//! piece from each square, whether it leaves the king in check; a state has some thirty of these moves. The incremental
//! evaluator keeps all of them up to date. This one finds the outputs that can be true by their *guards* ([`draft`]):
//! bits and moves, one of which holds whenever the output does. Of these outputs each is computed from its inputs, and
//! the input that is most likely to decide a gate at the least cost comes first, so most gates end at their first or
//! second input.
//!
//! A value is stored with the number of the question for which it was computed, its *stamp*, so nothing has to be
//! erased between states.

mod draft;

use super::outputs::OutputLayout;
use super::{BITS, Evaluator, GateValues, cycle_gates, settle};
use crate::program::{Program, Wire};
use draft::{OutputCandidates, WideGate, WideGates};
use gdl::limits::{Limits, Stop};
use gdl::number::to_u32;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Values of gates, computed when they are asked for.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Demand {
    wiring: Arc<DemandWiring>,
    /// The words of the state, followed by those of the joint move, with a bit for each move.
    inputs: Vec<usize>,
    /// The indices of the words of `inputs` in which a move is made.
    made: Vec<u32>,
    outputs: Vec<usize>,
    /// Scratch: for each output word, true if its moves have a guard that holds.
    is_active: Vec<bool>,
    known: StampedValues,
    /// The stamps of values that depend on the state alone, and of those that depend on the joint move too.
    state_stamp: u32,
    move_stamp: u32,
}

/// The immutable part of the evaluator.
#[derive(Debug)]
struct DemandWiring {
    /// The program, with the inputs of each gate in the order in which they are computed.
    program: Arc<Program>,
    /// The signals that depend on the joint move.
    moved: Range<usize>,
    /// The outputs that every state needs: the legal moves, and whether it is terminal.
    legal: OutputCandidates,
    /// The bits of the next state.
    next: OutputCandidates,
    gates: Vec<GateForm>,
    wide: WideGates,
    /// The wires that moves of a role share, with the output words of these moves.
    guards: Vec<(Wire, Range<usize>)>,
    state_words: usize,
}

/// A gate as it is computed. Its decisive value is that of an input which decides it: true for a disjunction.
///
/// Most of the gates that are computed have two inputs, which are stored here: a gate then costs two reads of memory that
/// is rarely cached, one for this and one for its value.
#[derive(Clone, Copy, Debug)]
enum GateForm {
    Pair {
        decisive: bool,
        inputs: [Wire; 2],
    },
    /// The inputs are a range of [`Program::wires`].
    List {
        decisive: bool,
        start: u32,
        end: u32,
    },
    /// The index is that in [`DemandWiring::wide`].
    Wide {
        decisive: bool,
        index: u32,
    },
    /// The index is that in [`Program::cycles`].
    Cycle {
        index: u32,
    },
}

/// For each signal, twice the stamp of its value, plus one if the value is true.
///
/// The atomics are never shared between threads at work: an evaluator computes gates when it is asked for a value, with
/// a shared reference, and a relaxed access costs no more than another.
#[derive(Debug)]
struct StampedValues(Vec<AtomicU32>);

impl Clone for StampedValues {
    fn clone(&self) -> Self {
        Self(self.0.iter().map(|known| AtomicU32::new(known.load(Relaxed))).collect())
    }
}

impl StampedValues {
    fn new(signals: usize) -> Self {
        Self((0..signals).map(|_| AtomicU32::new(0)).collect())
    }

    /// The value of a signal, if it has this stamp.
    #[inline]
    fn get(&self, signal: usize, stamp: u32) -> Option<bool> {
        let known = self.0[signal].load(Relaxed);
        (known >> 1 == stamp).then_some(known & 1 == 1)
    }

    #[inline]
    fn set(&self, signal: usize, stamp: u32, value: bool) {
        self.0[signal].store(stamp << 1 | u32::from(value), Relaxed);
    }
}

/// The bit of a bit of the state or of a move in [`Demand::inputs`].
#[inline]
fn input_of(program: &Program, signal: usize) -> usize {
    let bits = program.bits();
    if signal < bits { signal } else { bits.next_multiple_of(BITS) + (signal - bits) }
}

/// The first stamp that a value has no room for.
const STAMPS: u32 = 1 << 31;

impl Demand {
    /// Prepares a program; returns it with the inputs of its gates in another order, its outputs, and the evaluator at
    /// the state in which nothing holds. `None` if its gates are nested too deep to be computed by recursion, or if
    /// the guards are too many.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn new(program: &Program, limits: &Limits) -> Result<Option<(Arc<Program>, OutputLayout, Self)>, Stop> {
        let Some((program, guards)) = draft::ordered_with_guards(program, &limits.poll())? else { return Ok(None) };
        let program = Arc::new(program);
        let outputs = OutputLayout::new(&program, &program.next);
        let state_words = outputs.state_words;
        let (next, legal): (Vec<_>, Vec<_>) =
            outputs.placed.iter().partition(|&&(_, bit)| (bit as usize) < state_words * BITS);
        let (Some(legal), Some(next)) = (guards.candidates(&legal), guards.candidates(&next)) else {
            return Ok(None);
        };
        let (gates, wide) = draft::forms(&program, &guards);
        let first_gate = program.first_gate();
        let moved = first_gate + program.move_gates.start as usize..first_gate + program.move_gates.end as usize;
        let guards = outputs.guards().collect();
        let wiring =
            DemandWiring { program: Arc::clone(&program), moved, legal, next, gates, wide, guards, state_words };
        let mut evaluator = Self {
            inputs: vec![0; state_words + program.moves.len().div_ceil(BITS)],
            made: Vec::with_capacity(program.roles.len()),
            outputs: vec![0; outputs.words],
            is_active: vec![false; outputs.words],
            known: StampedValues::new(program.signals()),
            wiring: Arc::new(wiring),
            state_stamp: 0,
            move_stamp: 0,
        };
        evaluator.enter();
        Ok(Some((program, outputs, evaluator)))
    }

    /// The next stamp; every value that was computed before is unknown then.
    fn next_stamp(&mut self) -> u32 {
        let stamp = self.state_stamp.max(self.move_stamp) + 1;
        if stamp < STAMPS {
            return stamp;
        }
        // After two thousand million questions the stamps begin again, and no old value may have a new one.
        self.known = StampedValues::new(self.known.0.len());
        self.state_stamp = 1;
        2
    }

    /// Computes the outputs that every state needs, in the current state.
    fn enter(&mut self) {
        let stamp = self.next_stamp();
        (self.state_stamp, self.move_stamp) = (stamp, stamp);
        let wiring = Arc::clone(&self.wiring);
        self.is_active.fill(false);
        self.is_active[wiring.state_words] = true;
        for (guard, words) in &wiring.guards {
            if self.value(*guard) {
                self.is_active[words.clone()].fill(true);
            }
        }
        self.outputs[wiring.state_words..].fill(0);
        self.compute_outputs(wiring.legal.always());
        self.compute_guarded_by_state(&wiring.legal);
    }

    /// Computes the outputs of which a guard is a bit of the current state.
    fn compute_guarded_by_state(&mut self, candidates: &OutputCandidates) {
        for word in 0..self.wiring.state_words {
            let mut bits = self.inputs[word];
            while bits != 0 {
                self.compute_outputs(candidates.guarded_by(word * BITS + bits.trailing_zeros() as usize));
                bits &= bits - 1;
            }
        }
    }

    /// Computes outputs, and sets the bits of those that are true.
    #[inline]
    fn compute_outputs(&mut self, outputs: &[(Wire, u32)]) {
        for &(wire, bit) in outputs {
            let word = bit as usize / BITS;
            if self.is_active[word] && self.value(wire) {
                self.outputs[word] |= 1 << (bit as usize % BITS);
            }
        }
    }

    #[inline]
    fn stamp_of(&self, signal: usize) -> u32 {
        if self.wiring.moved.contains(&signal) { self.move_stamp } else { self.state_stamp }
    }

    #[inline]
    fn signal(&self, signal: usize) -> bool {
        let program = &self.wiring.program;
        if signal < program.first_gate() {
            let input = input_of(program, signal);
            return self.inputs[input / BITS] >> (input % BITS) & 1 == 1;
        }
        self.known.get(signal, self.stamp_of(signal)).unwrap_or_else(|| self.compute(signal))
    }

    /// Computes a gate.
    fn compute(&self, signal: usize) -> bool {
        let wiring = &*self.wiring;
        let program = &*wiring.program;
        let decides = |input: Wire, decisive: bool| self.value(input) == decisive;
        let value = match wiring.gates[signal - program.first_gate()] {
            GateForm::Pair { decisive, inputs: [first, second] } => {
                (decides(first, decisive) || decides(second, decisive)) == decisive
            }
            GateForm::List { decisive, start, end } => {
                let inputs = &program.wires[start as usize..end as usize];
                inputs.iter().any(|&input| decides(input, decisive)) == decisive
            }
            GateForm::Wide { decisive, index } => self.is_decided(wiring.wide.get(index), decisive) == decisive,
            GateForm::Cycle { index } => {
                // All gates of a cycle are known after it has settled.
                settle(cycle_gates(program, &program.cycles[index as usize]), &mut &*self);
                self.known.get(signal, self.stamp_of(signal)) == Some(true)
            }
        };
        self.known.set(signal, self.stamp_of(signal), value);
        value
    }
}

impl Demand {
    /// True if some input of a wide gate has the decisive value.
    fn is_decided(&self, wide: &WideGate, decisive: bool) -> bool {
        let decides = |&input: &Wire| self.value(input) == decisive;
        let gates = &self.wiring.wide;
        let of_group = |group| gates.guarded(group, &self.inputs).any(|inputs| inputs.iter().any(decides));
        gates.groups_of_state(wide).iter().any(of_group)
            || self.made.iter().filter_map(|&word| gates.group_of_moves(wide, word)).any(of_group)
            || gates.unguarded(wide).iter().any(decides)
    }
}

/// A gate is set through a shared reference as well, since a cycle settles while one of its gates is asked for.
impl GateValues for &Demand {
    fn value(&self, wire: Wire) -> bool {
        self.signal(wire.signal()) != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.known.set(signal, self.stamp_of(signal), value);
    }
}

impl GateValues for Demand {
    #[inline]
    fn value(&self, wire: Wire) -> bool {
        self.signal(wire.signal()) != wire.is_negated()
    }

    fn set(&mut self, signal: usize, value: bool) {
        self.known.set(signal, self.stamp_of(signal), value);
    }
}

impl Evaluator for Demand {
    fn go_to(&mut self, state: &[usize]) {
        self.inputs[..state.len()].copy_from_slice(state);
        self.enter();
    }

    fn make(&mut self, joint_move: &[u32]) {
        self.move_stamp = self.next_stamp();
        let wiring = Arc::clone(&self.wiring);
        let program = &wiring.program;
        for &chosen in joint_move {
            let input = input_of(program, program.move_signal(chosen as usize));
            self.inputs[input / BITS] |= 1 << (input % BITS);
            self.made.push(to_u32(input / BITS));
        }
        self.outputs[..wiring.state_words].fill(0);
        self.is_active[..wiring.state_words].fill(true);
        self.compute_outputs(wiring.next.always());
        self.compute_guarded_by_state(&wiring.next);
        for &chosen in joint_move {
            self.compute_outputs(wiring.next.guarded_by(program.move_signal(chosen as usize)));
        }
        for word in self.made.drain(..) {
            self.inputs[word as usize] = 0;
        }
    }

    fn state(&self) -> &[usize] {
        &self.inputs[..self.wiring.state_words]
    }

    fn outputs(&self) -> &[usize] {
        &self.outputs
    }
}
