//! A program without signs: gates that read signals as they are, each a conjunction `a & b & !(c | d)` or a disjunction.
//!
//! An inverted input costs an instruction in a batch, so a gate is stored as its own contrary where that needs fewer
//! inversions: `!a | !b` becomes the conjunction of `a` and `b`, which its readers take negated. What remains are two
//! kinds of gates, and a sign at each output.

use crate::propnet::program::{GateKind, Program, Wire};

/// A signal or a gate by its number: the bits of the state, the moves, what is always true, then gates.
pub(super) type Node = u32;

/// What a gate computes, and from what.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlainGate {
    /// Whether it is a disjunction.
    pub(super) is_or: bool,
    /// What it reads as it is; never empty.
    pub(super) inputs: Vec<Node>,
    /// What must not hold besides; only conjunctions have any.
    pub(super) inhibitors: Vec<Node>,
    /// The cycle that it is on.
    pub(super) cycle: Option<u32>,
}

/// What a batch is asked for: a node, or its contrary.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Signed {
    /// The node.
    pub(super) node: Node,
    /// Whether its contrary is meant.
    pub(super) is_negated: bool,
}

/// The gates of a program without signs, each behind what it reads but on cycles.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) gates: Vec<PlainGate>,
    /// The nodes before the first gate.
    pub(super) first_gate: u32,
    /// The node of each signal of the program.
    nodes: Vec<Signed>,
}

impl Plain {
    /// The node that always holds.
    pub(super) fn always(&self) -> Node {
        self.first_gate - 1
    }

    /// Where a wire's value is found.
    pub(super) fn of(&self, wire: Wire) -> Signed {
        let known = self.nodes[wire.signal()];
        Signed { is_negated: known.is_negated != wire.is_negated(), ..known }
    }

    /// Takes the signs out of a program. Linear in its wires.
    pub(super) fn new(program: &Program) -> Self {
        let inputs = program.first_gate() as u32;
        let nodes = (0..inputs).map(|node| Signed { node, is_negated: false }).collect();
        let mut plain = Self { gates: Vec::with_capacity(program.gates.len()), first_gate: inputs + 1, nodes };
        let mut gate = 0;
        while gate < program.gates.len() {
            match program.cycle_of(gate) {
                None => {
                    plain.add(program, gate);
                    gate += 1;
                }
                Some(cycle) => {
                    let gates = program.cycles[cycle].clone();
                    plain.add_cycle(program, cycle as u32, gates.start as usize..gates.end as usize);
                    gate = gates.end as usize;
                }
            }
        }
        plain
    }

    fn push(&mut self, gate: PlainGate) -> Node {
        self.gates.push(gate);
        self.first_gate + self.gates.len() as u32 - 1
    }

    /// What a gate reads as it is, and what it reads negated.
    fn inputs(&self, program: &Program, gate: usize) -> (Vec<Node>, Vec<Node>) {
        let signed: Vec<Signed> = program.inputs(gate).iter().map(|&wire| self.of(wire)).collect();
        let (negated, plain): (Vec<Signed>, Vec<Signed>) = signed.iter().partition(|input| input.is_negated);
        let nodes = |list: Vec<Signed>| list.into_iter().map(|input| input.node).collect();
        (nodes(plain), nodes(negated))
    }

    fn add(&mut self, program: &Program, gate: usize) {
        let (plain, negated) = self.inputs(program, gate);
        let is_and = program.gates[gate].kind == GateKind::And;
        let (is_or, inputs, inhibitors, is_negated) = match (is_and, plain.is_empty(), negated.is_empty()) {
            (is_and, true, true) => {
                self.nodes.push(Signed { node: self.always(), is_negated: !is_and });
                return;
            }
            (true, true, false) => (true, negated, Vec::new(), true),
            (true, false, _) => (false, plain, negated, false),
            (false, false, true) => (true, plain, Vec::new(), false),
            (false, _, false) => (false, negated, plain, true),
        };
        let node = match inputs[..] {
            [only] if inhibitors.is_empty() => only,
            _ => self.push(PlainGate { is_or, inputs, inhibitors, cycle: None }),
        };
        self.nodes.push(Signed { node, is_negated });
    }

    /// Gates on a cycle keep their sign, since a least fixpoint starts from below. What they read negated is not on the cycle.
    fn add_cycle(&mut self, program: &Program, cycle: u32, gates: std::ops::Range<usize>) {
        let outside = program.first_gate() + gates.start;
        let mut contraries = Vec::new();
        for wire in gates.clone().flat_map(|gate| program.inputs(gate)) {
            if wire.signal() < outside && program_needs_contrary(self.of(*wire)) {
                let node = self.of(*wire).node;
                if !contraries.iter().any(|&(known, _)| known == node) {
                    let always = vec![self.always()];
                    let gate = PlainGate { is_or: false, inputs: always, inhibitors: vec![node], cycle: None };
                    contraries.push((node, self.push(gate)));
                }
            }
        }
        let first = self.first_gate + self.gates.len() as u32;
        self.nodes.extend((0..gates.len() as u32).map(|index| Signed { node: first + index, is_negated: false }));
        for gate in gates {
            let (mut inputs, negated) = self.inputs(program, gate);
            let contrary = |node: &Node| contraries.iter().find(|(known, _)| known == node).map(|&(_, gate)| gate);
            inputs.extend(negated.iter().filter_map(contrary));
            let is_or = program.gates[gate].kind == GateKind::Or;
            self.push(PlainGate { is_or, inputs, inhibitors: Vec::new(), cycle: Some(cycle) });
        }
    }
}

fn program_needs_contrary(input: Signed) -> bool {
    input.is_negated
}
