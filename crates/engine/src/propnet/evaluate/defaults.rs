//! Defaults: the value of each bit of the state after most joint moves. Joint moves are compiled relative to them.
//!
//! Most moves leave most bits as they are, or change them in the same way: a counter is incremented, a tile stays where
//! the blank is not. So some random play is observed, and the value that a bit has after most of its joint moves (a
//! wire of the state part, with new gates if needed) becomes the bit's *default*. These gates join the state part, and
//! an effect has to list only the differences from the defaults.

use super::effects::state_gates;
use super::plan::{AdditionalWires, divide};
use crate::program::{GateKind, Program, Wire};
use gdl::limits::unlimited;
use gdl::number::to_u32;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// The maximum number of gates evaluated to find the defaults, over all joint moves together.
const MOST_GATES: usize = 400_000;

/// Returns the program with the gates of the defaults, and the default of each bit. `joint_moves` maps each joint move
/// of some random play to the number of times it was made.
pub(super) fn with_defaults(program: &Program, joint_moves: &BTreeMap<Vec<u32>, u32>) -> (Program, Vec<Wire>) {
    let mut finder = Finder::new(program);
    let most = MOST_GATES / program.move_gates.len().max(1);
    for (joint_move, &count) in joint_moves.iter().take(most) {
        finder.watch(joint_move, count);
    }
    finder.into_program()
}

/// Returns the program with the gates that the values at rest need, and these values as wires of the state part: those
/// of the next state by bit (needed in every state), and those of the move gates by gate (needed by joint moves). At
/// rest no role moves. `None` if a cycle depends on the moves.
pub(super) fn at_rest(program: &Program) -> Option<(Program, AdditionalWires)> {
    let mut finder = Finder::new(program);
    let first = program.first_gate() + program.move_gates.start as usize;
    let values = finder.values(&[]);
    let next = program.next.iter().map(|&wire| finder.value(wire, &[], &values, first));
    let by_states = next.collect::<Option<Vec<Wire>>>()?;
    let by_moves = values.into_iter().collect::<Option<Vec<Wire>>>()?;
    Some(finder.extend(AdditionalWires { by_states, by_moves }))
}

/// Finds the value of each wire under given joint moves, as a wire of the state part (constants included). `None`
/// stands for a value that is no such wire.
struct Finder<'a> {
    program: &'a Program,
    /// Gates over the state by kind and inputs; those that the program does not have are in `new` as well.
    gates: FxHashMap<(GateKind, Box<[Wire]>), Wire>,
    new: Vec<(GateKind, Box<[Wire]>)>,
    /// For each bit, the number of joint moves after which it has the value of a wire, by wire.
    counts: Vec<FxHashMap<Wire, u32>>,
}

impl<'a> Finder<'a> {
    fn new(program: &'a Program) -> Self {
        let counts = vec![FxHashMap::default(); program.bits()];
        Self { program, gates: state_gates(program), new: Vec::new(), counts }
    }

    /// Counts what a joint move, made `count` times, makes of each bit.
    fn watch(&mut self, joint_move: &[u32], count: u32) {
        let values = self.values(joint_move);
        let program = self.program;
        let first = program.first_gate() + program.move_gates.start as usize;
        for (bit, &wire) in program.next.iter().enumerate() {
            if program.depends_on_moves(wire)
                && let Some(wire) = self.value(wire, joint_move, &values, first)
            {
                *self.counts[bit].entry(wire).or_default() += count;
            }
        }
    }

    /// The value of each move gate under a joint move.
    fn values(&mut self, joint_move: &[u32]) -> Vec<Option<Wire>> {
        let program = self.program;
        let first = program.first_gate() + program.move_gates.start as usize;
        let mut values = Vec::with_capacity(program.move_gates.len());
        for gate in program.move_gates.clone() {
            let is_cyclic = program.cycle_of(gate as usize).is_some();
            let value = if is_cyclic { None } else { self.gate(gate as usize, joint_move, &values, first) };
            values.push(value);
        }
        values
    }

    /// The value of a move gate, given those of the move gates before it; `first` is the signal of the first one.
    fn gate(&mut self, gate: usize, joint_move: &[u32], values: &[Option<Wire>], first: usize) -> Option<Wire> {
        let kind = self.program.gates[gate].kind;
        let always = self.program.always;
        let (decisive, neutral) = match kind {
            GateKind::And => (always.negated(), always),
            GateKind::Or => (always, always.negated()),
        };
        let mut left = Vec::new();
        let mut is_known = true;
        for &wire in self.program.inputs(gate) {
            match self.value(wire, joint_move, values, first) {
                Some(wire) if wire == decisive => return Some(decisive),
                Some(wire) if wire == neutral => {}
                Some(wire) => left.push(wire),
                // A later input may still decide the gate.
                None => is_known = false,
            }
        }
        left.sort_unstable();
        left.dedup();
        match left[..] {
            _ if !is_known => None,
            [] => Some(neutral),
            [only] => Some(only),
            _ if left.windows(2).any(|pair| pair[0].negated() == pair[1]) => Some(decisive),
            _ => Some(self.intern(kind, left.into_boxed_slice())),
        }
    }

    fn value(&self, wire: Wire, joint_move: &[u32], values: &[Option<Wire>], first: usize) -> Option<Wire> {
        let program = self.program;
        if !program.depends_on_moves(wire) {
            return Some(wire);
        }
        let value = match wire.signal().checked_sub(first) {
            Some(gate) => values[gate]?,
            None => program.always.negated_if(!joint_move.contains(&to_u32(wire.signal() - program.bits()))),
        };
        Some(value.negated_if(wire.is_negated()))
    }

    /// The wire of a gate over the state, which is added unless the program has it.
    fn intern(&mut self, kind: GateKind, inputs: Box<[Wire]>) -> Wire {
        let next = Wire::new(self.program.signals() + self.new.len());
        let wire = *self.gates.entry((kind, inputs.clone())).or_insert(next);
        if wire == next {
            self.new.push((kind, inputs));
        }
        wire
    }

    /// Returns the program with the gates that the most frequent values need, without gates that nothing reads.
    fn into_program(self) -> (Program, Vec<Wire>) {
        let program = self.program;
        let default = |(bit, counts): (usize, &FxHashMap<Wire, u32>)| {
            if !program.depends_on_moves(program.next[bit]) {
                return program.next[bit];
            }
            // The bit itself costs nothing, so it wins a tie.
            let cost = |wire: Wire| (wire != Wire::new(bit), wire.signal() >= program.first_gate(), wire);
            let most = counts.iter().max_by_key(|&(&wire, &count)| (count, std::cmp::Reverse(cost(wire))));
            most.map_or(Wire::new(bit), |(&wire, _)| wire)
        };
        let defaults: Vec<Wire> = self.counts.iter().enumerate().map(default).collect();
        let (program, more) = self.extend(AdditionalWires { by_states: defaults, by_moves: Vec::new() });
        (program, more.by_states)
    }

    /// Returns the program with the gates that these wires need, and the wires renumbered for it.
    fn extend(self, wires: AdditionalWires) -> (Program, AdditionalWires) {
        let mut program = self.program.clone();
        for (kind, inputs) in &self.new {
            program.add_gate(*kind, inputs);
        }
        // Defaults are found within a bounded effort, so the division of the program is not interrupted.
        unlimited(|limits| divide(program, wires, &limits.poll()))
    }
}
