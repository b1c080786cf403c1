//! Which nodes of a circuit are in memory, and what the computation of others takes.

use super::circuit::{Circuit, CircuitNode, NodeOperation};
use gdl::number::to_u32;

/// What is in memory.
#[derive(Clone, Debug)]
pub(super) struct ComputedNodes {
    /// By node, whether it is.
    pub(super) nodes: Vec<bool>,
    /// The cycles that have run.
    pub(super) cycles: Vec<bool>,
}

/// What the computation of some nodes takes.
pub(super) struct Reach {
    /// The nodes that are computed.
    pub(super) computed: Vec<CircuitNode>,
    /// Their inputs.
    pub(super) read: Vec<CircuitNode>,
}

impl ComputedNodes {
    /// Nothing but the inputs.
    pub(super) fn inputs(circuit: &Circuit) -> Self {
        let is_input = |node| matches!(circuit.kind(node), NodeOperation::Input(_));
        Self { nodes: (0..to_u32(circuit.len())).map(is_input).collect(), cycles: vec![false; circuit.cycles.len()] }
    }

    /// Adds these nodes and everything that they need.
    pub(super) fn add(&mut self, circuit: &Circuit, roots: &[CircuitNode]) {
        self.reach(circuit, roots).computed.into_iter().for_each(|node| self.nodes[node as usize] = true);
    }

    /// What the computation of these nodes takes.
    pub(super) fn reach(&self, circuit: &Circuit, roots: &[CircuitNode]) -> Reach {
        let mut reach = Reach { computed: Vec::new(), read: Vec::new() };
        let mut open = roots.to_vec();
        let mut is_seen = vec![false; circuit.len()];
        while let Some(node) = open.pop() {
            if self.nodes[node as usize] || std::mem::replace(&mut is_seen[node as usize], true) {
                continue;
            }
            reach.computed.push(node);
            circuit.kind(node).each_input(|input| {
                reach.read.push(input);
                open.push(input);
            });
        }
        reach
    }
}
