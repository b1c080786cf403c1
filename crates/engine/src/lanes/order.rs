//! The order in which the nodes of a part are computed, and the nodes that have been computed before it.
//!
//! The order is depth first, so that dependent nodes are close together; but the last reader of a node is computed as
//! early as possible, since the node need not be kept after it.

use super::circuit::{Circuit, CircuitNode, NodeOperation};
use super::word::Slot;
use gdl::limits::{Poll, Stop};
use gdl::number::to_u32;

/// The nodes that a part has to compute.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartOutputs<'a> {
    /// Nodes that must be in memory afterwards, in any slot ([`Memory::home`]).
    pub(super) kept: &'a [CircuitNode],
    /// Nodes that must be written into these slots, after the previous content has been read.
    pub(super) finals: &'a [(CircuitNode, Slot)],
}

/// A task of the computation.
#[derive(Clone, Copy, Debug)]
pub(super) enum ComputationTask {
    Compute(CircuitNode),
    /// Writes a node to the slot of a bit of the state.
    Store(CircuitNode, Slot),
}

/// The order while it is computed.
pub(super) struct NodeOrder<'a> {
    circuit: &'a Circuit,
    wanted: PartOutputs<'a>,
    pub(super) is_computed: Vec<bool>,
    /// The number of reads of each node that are still to come; a node that is wanted counts one more.
    reads: Vec<u32>,
    /// The readers of each node, node after node; `first_reader` has the start for each.
    readers: Vec<CircuitNode>,
    first_reader: Vec<u32>,
    pub(super) tasks: Vec<ComputationTask>,
}

impl<'a> NodeOrder<'a> {
    /// Starts with an empty order; the nodes of `is_computed` are available already.
    pub(super) fn new(circuit: &'a Circuit, is_computed: &[bool], wanted: PartOutputs<'a>) -> Self {
        let PartOutputs { kept, finals } = wanted;
        let mut is_needed = vec![false; circuit.len()];
        let mut open: Vec<CircuitNode> = kept.iter().chain(finals.iter().map(|(node, _)| node)).copied().collect();
        let mut reads = vec![0; circuit.len()];
        open.iter().for_each(|&node| reads[node as usize] += 1);
        while let Some(node) = open.pop() {
            if !is_computed[node as usize] && !std::mem::replace(&mut is_needed[node as usize], true) {
                circuit.kind(node).each_input(|input| open.push(input));
            }
        }
        let needed = || (0..to_u32(circuit.len())).filter(|&node| is_needed[node as usize]);
        let mut first_reader = vec![0; circuit.len() + 1];
        for node in needed() {
            circuit.kind(node).each_input(|input| {
                first_reader[input as usize + 1] += 1;
                reads[input as usize] += 1;
            });
        }
        for node in 0..circuit.len() {
            first_reader[node + 1] += first_reader[node];
        }
        let mut next = first_reader.clone();
        let mut readers = vec![0; first_reader[circuit.len()] as usize];
        for node in needed() {
            circuit.kind(node).each_input(|input| {
                readers[next[input as usize] as usize] = node;
                next[input as usize] += 1;
            });
        }
        Self { circuit, wanted, is_computed: is_computed.to_vec(), reads, readers, first_reader, tasks: Vec::new() }
    }

    /// Orders everything that is wanted.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn run(mut self, poll: &Poll<'_>) -> Result<Self, Stop> {
        let PartOutputs { kept, finals } = self.wanted;
        for &(root, slot) in finals {
            self.reach(root, poll)?;
            self.store(root, slot);
        }
        for &root in kept {
            self.reach(root, poll)?;
        }
        Ok(self)
    }

    /// Computes a node and everything that it needs.
    fn reach(&mut self, root: CircuitNode, poll: &Poll<'_>) -> Result<(), Stop> {
        let mut open = vec![(root, false)];
        while let Some((node, is_ready)) = open.pop() {
            poll.step()?;
            if self.is_computed[node as usize] {
                continue;
            }
            if is_ready {
                self.compute(node);
                continue;
            }
            // The node comes back when its inputs have been visited.
            open.push((node, true));
            let first = open.len();
            self.circuit.kind(node).each_input(|input| open.push((input, false)));
            // A stack returns the last first, so this visits the inputs in their order.
            open[first..].reverse();
        }
        Ok(())
    }

    /// Computes a node whose inputs are available, and then the last reader of the node or of one of its inputs.
    fn compute(&mut self, node: CircuitNode) {
        let mut ready = vec![node];
        while let Some(node) = ready.pop() {
            if std::mem::replace(&mut self.is_computed[node as usize], true) {
                continue;
            }
            self.tasks.push(ComputationTask::Compute(node));
            let kind = self.circuit.kind(node);
            kind.each_input(|input| self.reads[input as usize] -= 1);
            kind.each_input(|input| ready.extend(self.last_reader(input)));
            ready.extend(self.last_reader(node));
        }
    }

    fn store(&mut self, node: CircuitNode, slot: Slot) {
        self.tasks.push(ComputationTask::Store(node, slot));
        self.reads[node as usize] -= 1;
        if let Some(reader) = self.last_reader(node) {
            self.compute(reader);
        }
    }

    /// The last reader of a node, if it can be computed now.
    fn last_reader(&self, node: CircuitNode) -> Option<CircuitNode> {
        if self.reads[node as usize] != 1 || matches!(self.circuit.kind(node), NodeOperation::Input(_)) {
            return None;
        }
        let [first, end] = [0, 1].map(|next| self.first_reader[node as usize + next] as usize);
        let can_be_computed = |reader: &&CircuitNode| {
            let mut is_ready = !self.is_computed[**reader as usize];
            self.circuit.kind(**reader).each_input(|input| is_ready &= self.is_computed[input as usize]);
            is_ready
        };
        self.readers[first..end].iter().find(can_be_computed).copied()
    }
}

/// The nodes that are in memory.
#[derive(Clone, Debug)]
pub(super) struct ComputedNodes {
    /// True for nodes that are in memory.
    pub(super) nodes: Vec<bool>,
    /// True for cycles that have run.
    pub(super) cycles: Vec<bool>,
}

impl ComputedNodes {
    /// The inputs alone.
    pub(super) fn inputs(circuit: &Circuit) -> Self {
        let is_input = |node| matches!(circuit.kind(node), NodeOperation::Input(_));
        Self { nodes: (0..to_u32(circuit.len())).map(is_input).collect(), cycles: vec![false; circuit.cycles.len()] }
    }

    /// Adds these nodes and everything that they need.
    pub(super) fn add(&mut self, circuit: &Circuit, roots: &[CircuitNode]) {
        self.missing(circuit, roots).into_iter().for_each(|node| self.nodes[node as usize] = true);
    }

    /// The nodes that are still to be computed for these, with themselves.
    pub(super) fn missing(&self, circuit: &Circuit, roots: &[CircuitNode]) -> Vec<CircuitNode> {
        let mut missing = Vec::new();
        let mut open = roots.to_vec();
        let mut is_seen = vec![false; circuit.len()];
        while let Some(node) = open.pop() {
            if !self.nodes[node as usize] && !std::mem::replace(&mut is_seen[node as usize], true) {
                missing.push(node);
                circuit.kind(node).each_input(|input| open.push(input));
            }
        }
        missing
    }
}
