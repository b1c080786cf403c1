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
//! advance. All other edges compute their gate. Gates of the state part that only joint moves need can be left out of
//! the incremental evaluation, and computed on demand ([`MoveConditions`]).

mod draft;
mod part;

use super::Evaluator;
use super::outputs::OutputLayout;
use crate::program::{Program, Wire};
use draft::SparseDraft;
use part::{NodeGroup, SparseProgram};
use std::ops::Range;
use std::sync::Arc;

/// How gates of the state part that only joint moves need are evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::propnet) enum MoveConditions {
    /// They are kept up to date as the rest of the state part is, so that many can be read at once.
    Kept,
    /// They are computed when a joint move needs them, so that a change that no joint move needs costs nothing.
    OnDemand,
}

/// The deviations of the joint move that is being evaluated.
#[derive(Clone, Debug)]
pub(in crate::propnet) struct Sparse {
    part: Arc<SparseProgram>,
    /// For each node, whether it deviates; two further nodes are one that never does and one that always does.
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
    /// is a cycle between the moves and the next state, or if `conditions` asks for computation on demand and no gate
    /// qualifies.
    pub(in crate::propnet) fn new(
        program: &Program,
        conditions: MoveConditions,
    ) -> Option<(Arc<Program>, OutputLayout, Self)> {
        let (program, outputs, part) = SparseDraft::for_program(program, conditions)?;
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
    pub(in crate::propnet) fn kept_gates(&self) -> usize {
        self.part.kept
    }

    /// Applies a joint move, one index into [`Program::moves`] per role, to the current state. `next` holds the bits at
    /// rest, and receives the bits that deviate.
    pub(in crate::propnet) fn apply<E: Evaluator>(&mut self, joint_move: &[u32], evaluator: &E, next: &mut [usize]) {
        let part = Arc::clone(&self.part);
        (self.changed.length, self.joined.length) = (0, 0);
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

fn range(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}
