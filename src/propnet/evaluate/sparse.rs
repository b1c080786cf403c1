//! The gates between a joint move and the next state, of which only those are looked at that the joint move makes different.
//!
//! Where nobody moves, each of them is a constant or a wire of the state part: its value *at rest*. That follows the state by
//! itself, so it costs nothing. A joint move makes some gates *deviate* from it; they are found from the moves on, and
//! forgotten afterwards. (A sparse evaluation in the sense of sparse matrices: what is not stored is what it is at rest.)
//!
//! Most edges need no look at their gate. An edge whose source decides the gate as soon as it deviates, and an edge into a gate
//! whose other input is of the state part, say themselves when the gate deviates: where a wire of the state part, their
//! *condition*, is true. The rest, a tenth in games of boards, compute their gate.

use super::defaults::at_rest;
use super::{BITS, Evaluator};
use crate::propnet::program::{GateKind, Program, Wire};
use std::sync::Arc;

/// What is found of a program at first and never changes. Nodes are the moves and, behind them, the move gates.
#[derive(Debug)]
struct Part {
    program: Arc<Program>,
    /// By move gate.
    rest: Vec<Wire>,
    /// By node; one more stands behind them.
    links: Vec<Links>,
    edges: Vec<Edge>,
    /// Gates that must be computed.
    checks: Vec<u32>,
    /// Bits of the next state.
    bits: Vec<u32>,
}

/// Where the edges, checks and bits of a node begin; those of the next node begin where they end.
#[derive(Clone, Copy, Default, Debug)]
struct Links {
    edges: u32,
    checks: u32,
    bits: u32,
}

/// While the source deviates, so does the target exactly where the condition holds.
#[derive(Clone, Copy, Debug)]
struct Edge {
    target: u32,
    condition: Wire,
}

/// The moves at work.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Sparse {
    part: Arc<Part>,
    /// By node.
    deviates: Vec<bool>,
    /// The nodes that began or ceased to deviate, in that order; those behind the length are scratch.
    changed: Vec<u32>,
    length: usize,
}

impl Sparse {
    /// The move part of a program, what the program has become for it, and the bits of its next state at rest; `None` where
    /// there is a cycle between the moves and the next state.
    pub(in crate::propnet) fn new(program: &Program) -> Option<(Arc<Program>, Vec<Wire>, Self)> {
        let (program, rest) = at_rest(program)?;
        let program = Arc::new(program);
        let (part, next) = Draft::new(&program, rest).part();
        let nodes = part.links.len() - 1;
        let sparse = Self { part: Arc::new(part), deviates: vec![false; nodes], changed: Vec::new(), length: 0 };
        Some((program, next, sparse))
    }

    /// Writes what a joint move makes of the current state to `next`, where the bits at rest stand already. The joint move has
    /// places in [`Program::moves`], one a role.
    pub(in crate::propnet) fn apply<E: Evaluator>(&mut self, joint_move: &[u32], evaluator: &E, next: &mut [usize]) {
        let part = Arc::clone(&self.part);
        self.length = 0;
        joint_move.iter().for_each(|&chosen| self.change(chosen));
        let mut place = 0;
        while place < self.length {
            let node = self.changed[place] as usize;
            place += 1;
            let [from, to] = [part.links[node], part.links[node + 1]];
            let edges = &part.edges[from.edges as usize..to.edges as usize];
            if self.deviates[node] {
                self.follow(edges, evaluator);
            } else {
                // It deviated for a while: its readers may do so for other reasons.
                edges.iter().for_each(|edge| self.check(&part, edge.target, evaluator));
            }
            for &target in &part.checks[from.checks as usize..to.checks as usize] {
                self.check(&part, target, evaluator);
            }
        }
        for &node in &self.changed[..self.length] {
            // A node that changed several times is there as often.
            if std::mem::take(&mut self.deviates[node as usize]) {
                let [from, to] = [part.links[node as usize], part.links[node as usize + 1]];
                for &bit in &part.bits[from.bits as usize..to.bits as usize] {
                    next[bit as usize / BITS] ^= 1 << (bit as usize % BITS);
                }
            }
        }
    }

    fn change(&mut self, node: u32) {
        self.make_room(1);
        self.deviates[node as usize] ^= true;
        self.changed[self.length] = node;
        self.length += 1;
    }

    fn make_room(&mut self, more: usize) {
        if self.length + more > self.changed.len() {
            self.changed.resize(2 * (self.length + more) + 16, 0);
        }
    }

    /// The edges of a node that deviates. As in counting, nothing branches on the outcome.
    #[inline]
    fn follow<E: Evaluator>(&mut self, edges: &[Edge], evaluator: &E) {
        self.make_room(edges.len());
        let (deviates, changed) = (self.deviates.as_mut_slice(), self.changed.as_mut_slice());
        let mut length = self.length;
        for edge in edges {
            let holds = evaluator.value(edge.condition);
            let before = std::mem::replace(&mut deviates[edge.target as usize], holds);
            changed[length] = edge.target;
            length += usize::from(before != holds);
        }
        self.length = length;
    }

    /// Computes a gate from what its inputs are now.
    fn check<E: Evaluator>(&mut self, part: &Part, target: u32, evaluator: &E) {
        let program = &part.program;
        let place = target as usize - program.moves.len();
        let gate = program.move_gates.start as usize + place;
        let mut inputs = program.inputs(gate).iter().map(|&wire| self.value(part, wire, evaluator));
        let value = match program.gates[gate].kind {
            GateKind::And => inputs.all(|value| value),
            GateKind::Or => inputs.any(|value| value),
        };
        let deviates = value != evaluator.value(part.rest[place]);
        if deviates != self.deviates[target as usize] {
            self.change(target);
        }
    }

    fn value<E: Evaluator>(&self, part: &Part, wire: Wire, evaluator: &E) -> bool {
        match part.node(wire) {
            Some(node) => evaluator.value(part.at_rest(wire)) != self.deviates[node],
            None => evaluator.value(wire),
        }
    }
}

impl Part {
    /// The node of a wire that depends on the moves.
    fn node(&self, wire: Wire) -> Option<usize> {
        node(&self.program, wire)
    }

    /// The value at rest of a wire, as a wire of the state part.
    fn at_rest(&self, wire: Wire) -> Wire {
        let value = match self.node(wire) {
            None => return wire,
            Some(node) => match node.checked_sub(self.program.moves.len()) {
                Some(gate) => self.rest[gate],
                None => self.program.always.negated(),
            },
        };
        value.negated_if(wire.is_negated())
    }
}

fn node(program: &Program, wire: Wire) -> Option<usize> {
    program.depends_on_moves(wire).then(|| match wire.signal().checked_sub(program.first_gate()) {
        Some(gate) => program.moves.len() + gate - program.move_gates.start as usize,
        None => wire.signal() - program.bits(),
    })
}

/// A part while it is made: everything by node.
struct Draft {
    part: Part,
    edges: Vec<Vec<Edge>>,
    checks: Vec<Vec<u32>>,
    bits: Vec<Vec<u32>>,
}

impl Draft {
    fn new(program: &Arc<Program>, rest: Vec<Wire>) -> Self {
        let nodes = program.moves.len() + program.move_gates.len();
        let program = Arc::clone(program);
        let part = Part { program, rest, links: Vec::new(), edges: Vec::new(), checks: Vec::new(), bits: Vec::new() };
        Self { part, edges: vec![Vec::new(); nodes], checks: vec![Vec::new(); nodes], bits: vec![Vec::new(); nodes] }
    }

    /// The part, and the wires of the next state at rest.
    fn part(mut self) -> (Part, Vec<Wire>) {
        let program = Arc::clone(&self.part.program);
        for gate in program.move_gates.clone() {
            self.connect(gate as usize);
        }
        for (bit, &wire) in program.next.iter().enumerate() {
            if let Some(node) = self.part.node(wire) {
                self.bits[node].push(bit as u32);
            }
        }
        let next = program.next.iter().map(|&wire| self.part.at_rest(wire)).collect();
        let mut part = self.part;
        for ((edges, checks), bits) in self.edges.into_iter().zip(self.checks).zip(self.bits) {
            part.links.push(part.ends());
            part.edges.extend(edges);
            part.checks.extend(checks);
            part.bits.extend(bits);
        }
        part.links.push(part.ends());
        (part, next)
    }

    /// Puts a gate among the readers of its inputs.
    fn connect(&mut self, gate: usize) {
        let program = Arc::clone(&self.part.program);
        let place = gate - program.move_gates.start as usize;
        let target = (program.moves.len() + place) as u32;
        let rest = self.part.rest[place];
        let inputs = program.inputs(gate);
        let (moved, of_state): (Vec<Wire>, Vec<Wire>) =
            inputs.iter().partition(|&&wire| program.depends_on_moves(wire));
        // What decides the gate, whatever its other inputs are.
        let decisive = program.always.negated_if(program.gates[gate].kind == GateKind::And);
        for wire in moved.iter().copied() {
            let Some(source) = self.part.node(wire) else { continue };
            let at_rest = self.part.at_rest(wire);
            let condition = if at_rest == decisive.negated() {
                // It becomes decisive: the gate deviates where it was something else.
                Some(rest.negated_if(decisive == program.always))
            } else if at_rest == decisive
                && let (&[_], &[other]) = (&moved[..], &of_state[..])
            {
                // The gate was decided, and becomes what its other input is.
                Some(other.negated_if(decisive == program.always))
            } else {
                None
            };
            match condition {
                Some(condition) => self.edges[source].push(Edge { target, condition }),
                None => self.checks[source].push(target),
            }
        }
    }
}

impl Part {
    fn ends(&self) -> Links {
        let end = |length: usize| length as u32;
        Links { edges: end(self.edges.len()), checks: end(self.checks.len()), bits: end(self.bits.len()) }
    }
}
