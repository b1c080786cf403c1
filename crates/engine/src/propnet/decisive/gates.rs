//! A program to which gates are added. Equal gates are added once, and constants are folded.

use crate::program::{Gate, GateKind, Program, Wire};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most inputs of the gates that are added; most of these gates turn out to be of no use.
const MOST_WIRES: usize = 1_000_000;
/// The most gates in which an input is looked for that makes them redundant.
const MOST_ABSORBED: usize = 32;
/// Gates with more inputs than this are made as trees.
const FEW: usize = 4;

/// A program to which gates are added, for states that are not terminal.
pub(super) struct GateBuilder {
    program: Program,
    known: FxHashMap<(GateKind, Vec<Wire>), Wire>,
    /// Wires that are false in every state that is not terminal.
    ruled_out: FxHashSet<Wire>,
    /// The inputs of all gates may not be more than this.
    most_wires: usize,
}

impl GateBuilder {
    /// A builder that starts with the gates of a program.
    pub(super) fn new(program: &Program) -> Self {
        let mut known = FxHashMap::default();
        for (gate, Gate { kind, .. }) in program.gates.iter().enumerate() {
            let mut inputs = program.inputs(gate).to_vec();
            inputs.sort_unstable();
            known.entry((*kind, inputs)).or_insert(Wire::new(program.first_gate() + gate));
        }
        let most_wires = program.wires.len() + MOST_WIRES;
        Self { program: program.clone(), known, ruled_out: ruled_out(program), most_wires }
    }

    /// The program with the gates so far.
    pub(super) fn program(&self) -> &Program {
        &self.program
    }

    pub(super) fn into_program(self) -> Program {
        self.program
    }

    /// True if no more gates should be added.
    pub(super) fn is_full(&self) -> bool {
        self.program.wires.len() > self.most_wires
    }

    /// The conjunction of some wires.
    pub(super) fn and(&mut self, inputs: &[Wire]) -> Wire {
        self.gate(GateKind::And, inputs.to_vec())
    }

    /// The disjunction of some wires.
    pub(super) fn or(&mut self, inputs: &[Wire]) -> Wire {
        self.gate(GateKind::Or, inputs.to_vec())
    }

    /// A gate as a tree of small ones, so that gates with many inputs in common have many small ones in common.
    pub(super) fn tree(&mut self, kind: GateKind, inputs: &[Wire]) -> Wire {
        if inputs.len() <= FEW {
            return self.gate(kind, inputs.to_vec());
        }
        let (left, right) = inputs.split_at((inputs.len() / 2).next_multiple_of(FEW));
        let halves = vec![self.tree(kind, left), self.tree(kind, right)];
        self.gate(kind, halves)
    }

    fn gate(&mut self, kind: GateKind, mut inputs: Vec<Wire>) -> Wire {
        // The value of an input that does not matter; its negation decides the gate.
        let neutral = self.program.always.negated_if(kind == GateKind::Or);
        for input in &mut inputs {
            let is_false = self.ruled_out.contains(input);
            if is_false || self.ruled_out.contains(&input.negated()) {
                *input = self.program.always.negated_if(is_false);
            }
        }
        inputs.retain(|&input| input != neutral);
        inputs.sort_unstable();
        inputs.dedup();
        // A wire and its negation are adjacent in the order of wires.
        if inputs.contains(&neutral.negated()) || inputs.windows(2).any(|pair| pair[0].negated() == pair[1]) {
            return neutral.negated();
        }
        // The search takes time in the square of the inputs.
        if inputs.len() <= FEW {
            let all = inputs.clone();
            inputs.retain(|&input| !all.iter().any(|&other| other != input && self.absorbs(kind, other, input)));
        }
        match inputs[..] {
            [] => neutral,
            [only] => only,
            _ => self.added(kind, inputs),
        }
    }

    /// The wire of a gate with these inputs, which is added unless there is one.
    fn added(&mut self, kind: GateKind, inputs: Vec<Wire>) -> Wire {
        let Self { program, known, .. } = self;
        *known.entry((kind, inputs)).or_insert_with_key(|(kind, inputs)| program.add_gate(*kind, inputs))
    }

    /// True if an input of a gate makes another one redundant: `a & (a | b)` is `a`, and so is `a | (a & b)`.
    fn absorbs(&self, kind: GateKind, input: Wire, other: Wire) -> bool {
        let mut open = vec![other];
        let mut visits = 0;
        while let Some(wire) = open.pop() {
            let gate = if wire.is_negated() { None } else { wire.signal().checked_sub(self.program.first_gate()) };
            if let Some(gate) = gate.filter(|&gate| self.program.gates[gate].kind != kind) {
                let inputs = self.program.inputs(gate);
                if inputs.contains(&input) {
                    return true;
                }
                visits += 1;
                if visits <= MOST_ABSORBED {
                    open.extend(inputs);
                }
            }
        }
        false
    }
}

/// The wires that are false in every state that is not terminal.
fn ruled_out(program: &Program) -> FxHashSet<Wire> {
    let mut open = vec![program.terminal];
    let mut found = FxHashSet::default();
    while let Some(wire) = open.pop() {
        if wire == program.always.negated() || !found.insert(wire) {
            continue;
        }
        let Some(gate) = wire.signal().checked_sub(program.first_gate()) else { continue };
        match (program.gates[gate].kind, wire.is_negated()) {
            (GateKind::Or, false) => open.extend(program.inputs(gate)),
            (GateKind::And, true) => open.extend(program.inputs(gate).iter().map(|input| input.negated())),
            _ => {}
        }
    }
    found
}
