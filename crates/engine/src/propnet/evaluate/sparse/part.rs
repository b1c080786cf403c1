//! The immutable data of sparse evaluation.

use super::super::Evaluator;
use crate::program::{GateKind, Program, Wire};
use std::ops::Range;
use std::sync::Arc;

/// Nodes are the moves, followed by the move gates.
#[derive(Debug)]
pub(super) struct SparseProgram {
    pub(super) program: Arc<Program>,
    /// The number of gates that the evaluator keeps up to date; the others of the state part are computed on demand.
    pub(super) kept: usize,
    /// The first signal that is computed on demand.
    pub(super) unkept: usize,
    /// The node of the first move gate.
    pub(super) first_gate: usize,
    /// For each node, the nodes that deviate whenever it does, as a range of `with`.
    pub(super) starts: Vec<Range<u32>>,
    pub(super) with: Vec<u32>,
    /// For each node, its readers as a range of `readers`.
    pub(super) read_by: Vec<Range<u32>>,
    pub(super) readers: Vec<u32>,
    /// For each node, the start of its edges; one further entry marks the end. A node also has the edges of all nodes
    /// that deviate with it.
    pub(super) links: Vec<NodeLinks>,
    pub(super) groups: Vec<NodeGroup>,
    /// The targets of the groups, ordered by the bits of their conditions in the word.
    pub(super) targets: Vec<u32>,
    pub(super) edges: Vec<DeviationEdge>,
    /// Gates that have to be computed.
    pub(super) checks: Vec<u32>,
    /// The computation of each move gate.
    pub(super) gates: Vec<MoveGate>,
    /// The inputs of gates: the value at rest, and the node that may deviate from it.
    pub(super) inputs: Vec<(Wire, u32)>,
    /// For each node, the bits of the next state that it determines.
    pub(super) writes: Vec<Write>,
    /// Further bits of nodes that determine bits of several words.
    pub(super) more: Vec<Vec<(u32, usize)>>,
}

/// The start of the groups, edges and checks of a node; they end where those of the next node start.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct NodeLinks {
    pub(super) groups: u32,
    pub(super) edges: u32,
    pub(super) checks: u32,
}

/// While the source deviates, the target deviates exactly if the condition holds and the other node deviates as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct DeviationEdge {
    pub(super) target: u32,
    /// [`SparseProgram::always`] if no other node is needed.
    pub(super) other: u32,
    pub(super) condition: Wire,
}

/// Targets whose conditions are bits of one word of the outputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodeGroup {
    pub(super) word: u32,
    /// The index of its first target in [`SparseProgram::targets`].
    pub(super) first: u32,
    /// The bits of the conditions, and those of them that hold the negation of their condition.
    pub(super) mask: usize,
    pub(super) negated: usize,
}

/// How a move gate is computed.
#[derive(Clone, Debug)]
pub(super) struct MoveGate {
    pub(super) inputs: Range<u32>,
    /// The value of an input that decides it, whatever its other inputs are.
    pub(super) decisive: bool,
    pub(super) rest: Wire,
}

/// Bits of a word of the next state that flip when a node deviates. If `more` is not 0, bits of other words are at
/// index `more - 1` of [`SparseProgram::more`].
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Write {
    pub(super) word: u32,
    pub(super) more: u32,
    pub(super) mask: usize,
}

impl SparseProgram {
    pub(super) fn nodes(&self) -> usize {
        self.links.len() - 1
    }

    /// The node that always deviates; the node before it never does. Both follow the real nodes.
    pub(super) fn always(&self) -> usize {
        self.nodes() + 1
    }

    /// The value of a wire of the state part.
    #[inline]
    pub(super) fn value<E: Evaluator>(&self, wire: Wire, evaluator: &E) -> bool {
        if wire.signal() < self.unkept { evaluator.value(wire) } else { self.compute(wire, evaluator) }
    }

    /// The value of a gate that is computed on demand.
    #[cold]
    fn compute<E: Evaluator>(&self, wire: Wire, evaluator: &E) -> bool {
        let gate = wire.signal() - self.program.first_gate();
        let decisive = self.program.gates[gate].kind == GateKind::Or;
        let is_decided = self.program.inputs(gate).iter().any(|&input| self.value(input, evaluator) == decisive);
        (is_decided == decisive) != wire.is_negated()
    }
}
