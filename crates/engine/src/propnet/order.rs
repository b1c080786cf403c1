//! The order of evaluation: every component after its inputs, with cycles as groups.
//!
//! Groups are the strongly connected components of the graph. Nearly all of them are single nodes; the others are
//! relations that stay recursive after grounding, and are brought to their least fixpoint as a whole.

use super::lists::InputLists;
use gdl::limits::{Poll, Stop, unlimited};
use gdl::number::to_u32;
use petgraph::graph::NodeIndex;

pub struct ComponentOrder {
    /// All nodes, group after group, inputs first.
    nodes: Vec<NodeIndex>,
    /// The start of each group, and the end of the last.
    starts: Vec<u32>,
    /// The group of each node.
    groups: Vec<u32>,
}

impl ComponentOrder {
    /// The order of evaluation of nodes that read others, lowest first. Linear in nodes and inputs.
    ///
    /// If nodes are numbered in such an order already, that order is used; otherwise Tarjan's algorithm (1972) finds
    /// one, iteratively, so that no depth can overflow the stack.
    pub fn from_inputs(inputs: &InputLists) -> Self {
        unlimited(|limits| Self::within(inputs, &limits.poll()))
    }

    /// As [`ComponentOrder::from_inputs`], within limits.
    pub(super) fn within(inputs: &InputLists, poll: &Poll<'_>) -> Result<Self, Stop> {
        let count = inputs.len();
        if inputs.are_in_order() {
            let numbers = 0..to_u32(count);
            return Ok(Self {
                nodes: (0..count).map(NodeIndex::new).collect(),
                starts: (0..=to_u32(count)).collect(),
                groups: numbers.collect(),
            });
        }
        let mut search = ComponentSearch::new(count);
        for node in 0..count {
            search.run(inputs, NodeIndex::new(node), poll)?;
        }
        search.order.starts.push(to_u32(count));
        Ok(search.order)
    }

    /// The groups, each after those that it reads.
    pub(super) fn groups(&self) -> impl Iterator<Item = &[NodeIndex]> {
        self.starts.windows(2).map(|ends| &self.nodes[ends[0] as usize..ends[1] as usize])
    }

    /// All nodes, group after group, inputs first.
    pub fn nodes(&self) -> &[NodeIndex] {
        &self.nodes
    }

    /// Whether two nodes are in the same group.
    pub(super) fn are_together(&self, left: NodeIndex, right: NodeIndex) -> bool {
        self.groups[left.index()] == self.groups[right.index()]
    }

    /// Whether a node is on a cycle.
    pub(super) fn is_cyclic(&self, inputs: &InputLists, node: NodeIndex) -> bool {
        let group = self.groups[node.index()] as usize;
        self.starts[group + 1] - self.starts[group] > 1 || inputs.list(node.index()).contains(&node)
    }
}

const UNSEEN: u32 = u32::MAX;

/// The state of Tarjan's algorithm.
struct ComponentSearch {
    order: ComponentOrder,
    /// The time at which each node was first visited.
    seen: Vec<u32>,
    /// For each node, the earliest node on the stack that it can reach.
    lowest: Vec<u32>,
    /// Nodes whose group is not complete.
    open: Vec<NodeIndex>,
    /// The path to the current node, with the number of inputs of each node that have been followed.
    path: Vec<(NodeIndex, u32)>,
    clock: u32,
}

impl ComponentSearch {
    fn new(count: usize) -> Self {
        let order =
            ComponentOrder { nodes: Vec::with_capacity(count), starts: Vec::new(), groups: vec![UNSEEN; count] };
        let seen = vec![UNSEEN; count];
        let lowest = vec![UNSEEN; count];
        Self { order, seen, lowest, open: Vec::new(), path: Vec::new(), clock: 0 }
    }

    fn run(&mut self, inputs: &InputLists, root: NodeIndex, poll: &Poll<'_>) -> Result<(), Stop> {
        if self.seen[root.index()] != UNSEEN {
            return Ok(());
        }
        self.enter(root);
        while let Some((node, followed)) = self.path.last_mut() {
            poll.step()?;
            let node = *node;
            match inputs.list(node.index()).get(*followed as usize) {
                Some(&input) => {
                    *followed += 1;
                    if self.seen[input.index()] == UNSEEN {
                        self.enter(input);
                    } else if self.order.groups[input.index()] == UNSEEN {
                        self.lowest[node.index()] = self.lowest[node.index()].min(self.seen[input.index()]);
                    }
                }
                None => self.leave(),
            }
        }
        Ok(())
    }

    fn enter(&mut self, node: NodeIndex) {
        self.seen[node.index()] = self.clock;
        self.lowest[node.index()] = self.clock;
        self.clock += 1;
        self.open.push(node);
        self.path.push((node, 0));
    }

    fn leave(&mut self) {
        let Some((node, _)) = self.path.pop() else { return };
        let lowest = self.lowest[node.index()];
        if let Some(&(before, _)) = self.path.last() {
            self.lowest[before.index()] = self.lowest[before.index()].min(lowest);
        }
        if lowest == self.seen[node.index()] {
            let group = to_u32(self.order.starts.len());
            self.order.starts.push(to_u32(self.order.nodes.len()));
            while let Some(member) = self.open.pop() {
                self.order.groups[member.index()] = group;
                self.order.nodes.push(member);
                if member == node {
                    break;
                }
            }
        }
    }
}
