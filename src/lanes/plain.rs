//! A program without negated wires: each gate is a conjunction `a & b & !(c | d)` or a disjunction.
//!
//! A negated input costs an instruction in a batch, so a gate is stored as its own negation if that needs fewer of
//! them: `!a | !b` becomes the conjunction of `a` and `b`, which its readers negate. What remains are two kinds of
//! gates, and a sign at each output.

use crate::number::to_u32;
use crate::program::{GateKind, Program, Wire};

/// The number of a signal: the bits of the state, the moves, the constant true, then the gates.
pub(super) type Node = u32;

/// A gate with its operands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PlainGate {
    /// Whether it is a disjunction.
    pub(super) is_or: bool,
    /// The inputs that are read as they are; never empty.
    pub(super) inputs: Vec<Node>,
    /// The inputs that must not hold; only conjunctions have any.
    pub(super) inhibitors: Vec<Node>,
    /// The index of its cycle, if it is on one.
    pub(super) cycle: Option<u32>,
}

/// A node or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Signed {
    /// The number of the node.
    pub(super) node: Node,
    /// Whether the negation is meant.
    pub(super) is_negated: bool,
}

/// The gates of a program without negated wires, in topological order except on cycles.
#[derive(Debug)]
pub(super) struct Plain {
    pub(super) gates: Vec<PlainGate>,
    /// The number of nodes before the first gate.
    pub(super) first_gate: u32,
    /// The node of each signal of the program.
    nodes: Vec<Signed>,
}

impl Plain {
    /// The node that is always true.
    pub(super) fn always(&self) -> Node {
        self.first_gate - 1
    }

    /// The node of a wire, or its negation.
    pub(super) fn of(&self, wire: Wire) -> Signed {
        let known = self.nodes[wire.signal()];
        Signed { is_negated: known.is_negated != wire.is_negated(), ..known }
    }

    /// Removes the negations from a program. Linear in its wires.
    pub(super) fn new(program: &Program) -> Self {
        let inputs = to_u32(program.first_gate());
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
                    plain.add_cycle(program, to_u32(cycle), gates.start as usize..gates.end as usize);
                    gate = gates.end as usize;
                }
            }
        }
        plain
    }

    fn push(&mut self, gate: PlainGate) -> Node {
        self.gates.push(gate);
        self.first_gate + to_u32(self.gates.len()) - 1
    }

    /// The inputs that a gate reads as they are, and those that it reads negated.
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

    /// Gates on a cycle keep their sign, since a least fixpoint starts from false. Their negated inputs are not on the
    /// cycle.
    fn add_cycle(&mut self, program: &Program, cycle: u32, gates: std::ops::Range<usize>) {
        let outside = program.first_gate() + gates.start;
        let mut negations = Vec::new();
        for wire in gates.clone().flat_map(|gate| program.inputs(gate)) {
            if wire.signal() < outside && program_needs_negation(self.of(*wire)) {
                let node = self.of(*wire).node;
                if !negations.iter().any(|&(known, _)| known == node) {
                    let always = vec![self.always()];
                    let gate = PlainGate { is_or: false, inputs: always, inhibitors: vec![node], cycle: None };
                    negations.push((node, self.push(gate)));
                }
            }
        }
        let first = self.first_gate + to_u32(self.gates.len());
        self.nodes.extend((0..to_u32(gates.len())).map(|index| Signed { node: first + index, is_negated: false }));
        for gate in gates {
            let (mut inputs, negated) = self.inputs(program, gate);
            let negation = |node: &Node| negations.iter().find(|(known, _)| known == node).map(|&(_, gate)| gate);
            inputs.extend(negated.iter().filter_map(negation));
            let is_or = program.gates[gate].kind == GateKind::Or;
            self.push(PlainGate { is_or, inputs, inhibitors: Vec::new(), cycle: Some(cycle) });
        }
    }
}

fn program_needs_negation(input: Signed) -> bool {
    input.is_negated
}
