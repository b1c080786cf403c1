//! What sparse evaluation knows of a program and never changes.

use super::super::Evaluator;
use crate::propnet::program::{GateKind, Program, Wire};
use std::ops::Range;
use std::sync::Arc;

/// Nodes are the moves and, behind them, the move gates.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) program: Arc<Program>,
    /// How many gates the evaluator keeps; the others of the state part are computed on demand.
    pub(super) kept: usize,
    /// The signal of the first of those others.
    pub(super) unkept: usize,
    /// The node of the first move gate.
    pub(super) first_gate: usize,
    /// By node: the nodes that deviate whenever it does, as a range of `with`.
    pub(super) starts: Vec<Range<u32>>,
    pub(super) with: Vec<u32>,
    /// By node: its readers, as a range of `readers`.
    pub(super) read_by: Vec<Range<u32>>,
    pub(super) readers: Vec<u32>,
    /// By node; one more stands behind them. A node has those of all nodes that deviate with it.
    pub(super) links: Vec<Links>,
    pub(super) groups: Vec<Group>,
    /// The targets of the groups, by the places of their conditions in the word.
    pub(super) targets: Vec<u32>,
    pub(super) edges: Vec<Edge>,
    /// Gates that must be computed.
    pub(super) checks: Vec<u32>,
    /// By move gate.
    pub(super) gates: Vec<Computed>,
    /// What a gate reads: its value at rest, and the node that may deviate from that.
    pub(super) inputs: Vec<(Wire, u32)>,
    /// By node: the bits of the next state that it gives.
    pub(super) writes: Vec<Write>,
    /// The bits of nodes that give bits of several words.
    pub(super) more: Vec<Vec<(u32, usize)>>,
}

/// Where the groups, edges and checks of a node begin; those of the next node begin where they end.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Links {
    pub(super) groups: u32,
    pub(super) edges: u32,
    pub(super) checks: u32,
}

/// While the source deviates, so does the target exactly where the condition holds and another node deviates as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Edge {
    pub(super) target: u32,
    /// [`Part::always`] where it takes no other.
    pub(super) other: u32,
    pub(super) condition: Wire,
}

/// Targets whose conditions stand in a word of the outputs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    pub(super) word: u32,
    /// Where its targets begin in [`Part::targets`].
    pub(super) first: u32,
    /// The bits of the conditions, and those of them that are the contrary of theirs.
    pub(super) mask: usize,
    pub(super) contrary: usize,
}

/// A gate that may have to be computed.
#[derive(Clone, Debug)]
pub(super) struct Computed {
    pub(super) inputs: Range<u32>,
    /// What decides it, whatever its other inputs are.
    pub(super) decisive: bool,
    pub(super) rest: Wire,
}

/// Bits of a word of the next state that change when a node deviates. What there is in other words stands in [`Part::more`],
/// at one place less than `more` says, where that is not 0.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Write {
    pub(super) word: u32,
    pub(super) more: u32,
    pub(super) mask: usize,
}

impl Part {
    /// How many nodes there are.
    pub(super) fn nodes(&self) -> usize {
        self.links.len() - 1
    }

    /// A node that always deviates; it stands behind the others, and one that never does.
    pub(super) fn always(&self) -> usize {
        self.nodes() + 1
    }

    /// The value of a wire of the state part.
    #[inline]
    pub(super) fn value<E: Evaluator>(&self, wire: Wire, evaluator: &E) -> bool {
        if wire.signal() < self.unkept { evaluator.value(wire) } else { self.compute(wire, evaluator) }
    }

    /// The value of a gate that is not kept.
    #[cold]
    fn compute<E: Evaluator>(&self, wire: Wire, evaluator: &E) -> bool {
        let gate = wire.signal() - self.program.first_gate();
        let decisive = self.program.gates[gate].kind == GateKind::Or;
        let is_decided = self.program.inputs(gate).iter().any(|&input| self.value(input, evaluator) == decisive);
        (is_decided == decisive) != wire.is_negated()
    }
}
