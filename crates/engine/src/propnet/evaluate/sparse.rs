//! Sparse evaluation of the gates between a joint move and the next state: only the gates that the joint move changes
//! are evaluated.
//!
//! If no role moves, each of these gates is a constant or a wire of the state part: its value *at rest*. That wire is
//! kept up to date with the state anyway, so it costs nothing. A joint move makes some gates *deviate* from their
//! values at rest; they are found by following edges from the moves, and reset afterwards. (This is sparse in the sense
//! of sparse matrices: what is not stored has its value at rest.)
//!
//! Most edges need no evaluation of their gate: a wire of the state part, their *condition*, determines whether the
//! gate deviates ([`draft`]). Conditions are outputs of the evaluator, adjacent if they belong to the same node, so a
//! move with hundreds of readers reads only a few words. Deviations that a move causes in every state are found in
//! advance. All other edges compute their gate.
//!
//! Gates of the state part that only joint moves need are evaluated in one of two ways: kept up to date as the rest of
//! the state part is, so that many can be read at once; or computed on demand, so that a change that no joint move
//! needs costs nothing.

mod draft;

use super::outputs::OutputLayout;
use super::{Evaluator, range};
use crate::program::{GateKind, Program, Wire};
use draft::SparseDraft;
use std::ops::Range;
use std::sync::Arc;

/// The deviations of the joint move that is being evaluated.
#[derive(Clone, Debug)]
pub(super) struct Sparse {
    part: Arc<SparseProgram>,
    /// For each node, true if it deviates; two further nodes are one that never does and one that always does.
    deviates: Vec<bool>,
    /// The nodes that began or ceased to deviate, in that order, except those in `joined`.
    changed: DeviationQueue,
    /// The nodes that began to deviate together with another one, whose edges include theirs.
    joined: DeviationQueue,
}

/// A queue of nodes. Entries from `length` on are scratch, so that they can be written without a branch.
#[derive(Clone, Default, Debug)]
struct DeviationQueue {
    nodes: Vec<u32>,
    length: usize,
}

impl DeviationQueue {
    /// Extends the queue by room for `more` entries.
    #[inline]
    fn make_room(&mut self, more: usize) {
        if self.length + more > self.nodes.len() {
            self.nodes.resize(2 * (self.length + more) + 16, 0);
        }
    }

    #[inline]
    fn push(&mut self, node: u32) {
        self.make_room(1);
        self.nodes[self.length] = node;
        self.length += 1;
    }
}

impl Sparse {
    /// Prepares a program; returns it as rearranged, its outputs, and the evaluator of its move part. `None` if there
    /// is a cycle between the moves and the next state, or if `on_demand` asks for computation on demand and no gate
    /// qualifies.
    pub(super) fn new(program: &Program, on_demand: bool) -> Option<(Arc<Program>, OutputLayout, Self)> {
        let (program, outputs, part) = SparseDraft::for_program(program, on_demand)?;
        let mut deviates = vec![false; part.nodes() + 2];
        deviates[part.always()] = true;
        let sparse = Self {
            part: Arc::new(part),
            deviates,
            changed: DeviationQueue::default(),
            joined: DeviationQueue::default(),
        };
        Some((program, outputs, sparse))
    }

    /// The number of gates, counted from the first, that the evaluator keeps up to date.
    pub(super) fn kept_gates(&self) -> usize {
        self.part.kept
    }

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. `next` holds the bits at
    /// rest, and receives the bits that deviate.
    pub(super) fn apply<E: Evaluator>(&mut self, joint_move: &[u32], evaluator: &E, next: &mut [usize]) {
        let part = Arc::clone(&self.part);
        self.changed.length = 0;
        self.joined.length = 0;
        // All moves are marked before any edge is followed: edges of one move may depend on another.
        for &chosen in joint_move {
            self.begin(&part, chosen as usize);
        }
        for &chosen in joint_move {
            self.follow(&part, chosen as usize, evaluator);
        }
        let mut index = 0;
        while index < self.changed.length {
            let node = self.changed.nodes[index] as usize;
            index += 1;
            if self.deviates[node] {
                self.begin(&part, node);
                self.follow(&part, node, evaluator);
            } else {
                self.leave(&part, node, evaluator);
            }
        }
        for queue in [&self.changed, &self.joined] {
            for &node in &queue.nodes[..queue.length] {
                // A node that changed several times is listed as often.
                let deviates = std::mem::take(&mut self.deviates[node as usize]);
                let write = part.writes[node as usize];
                // The state of a game in which nothing changes has no words.
                if let Some(word) = next.get_mut(write.word as usize) {
                    *word ^= if deviates { write.mask } else { 0 };
                }
                if deviates && write.more != 0 {
                    let more = &part.more[write.more as usize - 1];
                    more.iter().for_each(|&(word, mask)| next[word as usize] ^= mask);
                }
            }
        }
    }

    /// Marks the nodes that deviate whenever `node`, a move, does; the move is among them.
    #[inline]
    fn begin(&mut self, part: &SparseProgram, node: usize) {
        let nodes = &part.with[range(&part.starts[node])];
        self.joined.make_room(nodes.len());
        let mut length = self.joined.length;
        for &node in nodes {
            self.joined.nodes[length] = node;
            length += usize::from(!std::mem::replace(&mut self.deviates[node as usize], true));
        }
        self.joined.length = length;
    }

    fn change(&mut self, node: u32) {
        self.deviates[node as usize] ^= true;
        self.changed.push(node);
    }

    /// Follows the edges of a node that deviates. As in counting, there is no branch on the outcome.
    #[inline]
    fn follow<E: Evaluator>(&mut self, part: &SparseProgram, node: usize, evaluator: &E) {
        let [from, to] = [part.links[node], part.links[node + 1]];
        if from.groups != to.groups {
            self.select(&part.groups[from.groups as usize..to.groups as usize], &part.targets, evaluator.outputs());
        }
        let edges = &part.edges[from.edges as usize..to.edges as usize];
        self.changed.make_room(edges.len());
        let deviates = self.deviates.as_mut_slice();
        let changed = self.changed.nodes.as_mut_slice();
        let mut length = self.changed.length;
        for edge in edges {
            let holds = part.value(edge.condition, evaluator) & deviates[edge.other as usize];
            let before = std::mem::replace(&mut deviates[edge.target as usize], holds);
            changed[length] = edge.target;
            length += usize::from(before != holds);
        }
        self.changed.length = length;
        for &target in &part.checks[from.checks as usize..to.checks as usize] {
            self.check(part, target, evaluator);
        }
    }

    /// Changes the targets whose conditions hold.
    #[inline]
    fn select(&mut self, groups: &[NodeGroup], targets: &[u32], outputs: &[usize]) {
        for group in groups {
            let mut holding = (outputs[group.word as usize] ^ group.negated) & group.mask;
            while holding != 0 {
                let lowest = holding & holding.wrapping_neg();
                let rank = (group.mask & (lowest - 1)).count_ones();
                holding ^= lowest;
                let target = targets[(group.first + rank) as usize];
                if !std::mem::replace(&mut self.deviates[target as usize], true) {
                    self.changed.push(target);
                }
            }
        }
    }

    /// Checks the readers of a node that ceased to deviate: they may deviate for other reasons.
    #[cold]
    fn leave<E: Evaluator>(&mut self, part: &SparseProgram, node: usize, evaluator: &E) {
        for &target in &part.readers[range(&part.read_by[node])] {
            self.check(part, target, evaluator);
        }
    }

    /// Computes a gate from the current values of its inputs.
    fn check<E: Evaluator>(&mut self, part: &SparseProgram, target: u32, evaluator: &E) {
        let gate = &part.gates[target as usize - part.first_gate];
        // An input has its value at rest, or the opposite if its node deviates.
        let decides = |input: &(Wire, u32)| {
            let &(at_rest, node) = input;
            (part.value(at_rest, evaluator) != self.deviates[node as usize]) == gate.decisive
        };
        let value = part.inputs[range(&gate.inputs)].iter().any(decides) == gate.decisive;
        let deviates = value != part.value(gate.rest, evaluator);
        if deviates != self.deviates[target as usize] {
            self.change(target);
        }
    }
}

/// The immutable data of sparse evaluation. Nodes are the moves, followed by the move gates.
#[derive(Debug)]
struct SparseProgram {
    program: Arc<Program>,
    /// The number of gates that the evaluator keeps up to date; the others of the state part are computed on demand.
    kept: usize,
    /// The first signal that is computed on demand.
    unkept: usize,
    /// The node of the first move gate.
    first_gate: usize,
    /// For each node, the nodes that deviate whenever it does, as a range of `with`.
    starts: Vec<Range<u32>>,
    with: Vec<u32>,
    /// For each node, its readers as a range of `readers`.
    read_by: Vec<Range<u32>>,
    readers: Vec<u32>,
    /// For each node, the start of its edges; one further entry marks the end. A node also has the edges of all nodes
    /// that deviate with it.
    links: Vec<NodeLinks>,
    groups: Vec<NodeGroup>,
    /// The targets of the groups, ordered by the bits of their conditions in the word.
    targets: Vec<u32>,
    edges: Vec<DeviationEdge>,
    /// Gates that have to be computed.
    checks: Vec<u32>,
    /// The computation of each move gate.
    gates: Vec<MoveGate>,
    /// The inputs of gates: the value at rest, and the node that may deviate from it.
    inputs: Vec<(Wire, u32)>,
    /// For each node, the bits of the next state that it determines.
    writes: Vec<Write>,
    /// Further bits of nodes that determine bits of several words.
    more: Vec<Vec<(u32, usize)>>,
}

/// The start of the groups, edges and checks of a node; they end where those of the next node start.
#[derive(Clone, Copy, Default, Debug)]
struct NodeLinks {
    groups: u32,
    edges: u32,
    checks: u32,
}

/// An edge that needs no evaluation of its gate: while the source deviates, the target deviates exactly if the
/// condition holds and the other node deviates as well.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct DeviationEdge {
    target: u32,
    /// [`SparseProgram::always`] if no other node is needed.
    other: u32,
    condition: Wire,
}

/// Targets whose conditions are bits of one word of the outputs.
#[derive(Clone, Copy, Debug)]
struct NodeGroup {
    word: u32,
    /// The index of its first target in [`SparseProgram::targets`].
    first: u32,
    /// The bits of the conditions, and those of them that hold the negation of their condition.
    mask: usize,
    negated: usize,
}

/// The computation of a move gate.
#[derive(Clone, Debug)]
struct MoveGate {
    inputs: Range<u32>,
    /// The value of an input that decides it, whatever its other inputs are.
    decisive: bool,
    /// Its value at rest.
    rest: Wire,
}

/// Bits of a word of the next state that flip when a node deviates. If `more` is not 0, bits of other words are at
/// index `more - 1` of [`SparseProgram::more`].
#[derive(Clone, Copy, Default, Debug)]
struct Write {
    word: u32,
    more: u32,
    mask: usize,
}

impl SparseProgram {
    fn nodes(&self) -> usize {
        self.links.len() - 1
    }

    /// The node that always deviates; the node before it never does. Both follow the real nodes.
    fn always(&self) -> usize {
        self.nodes() + 1
    }

    /// The value of a wire of the state part.
    #[inline]
    fn value<E: Evaluator>(&self, wire: Wire, evaluator: &E) -> bool {
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
