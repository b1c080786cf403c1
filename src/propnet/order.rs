//! The order of evaluation: every component after its inputs, with cycles as groups.
//!
//! Groups are the strongly connected components of the graph. Nearly all of them are single nodes; the others are
//! relations that stay recursive after grounding, and are brought to their least fixpoint as a whole.

use super::netlist::{InputLists, Netlist};
use super::network::{Component, Network};
use crate::limits::{Limits, Poll, Stop};
use crate::number::to_u32;
use crate::rules::GroundTerm;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub(super) struct Order {
    /// All nodes, group after group, inputs first.
    nodes: Vec<NodeIndex>,
    /// The start of each group, and the end of the last.
    starts: Vec<u32>,
    /// The group of each node.
    groups: Vec<u32>,
}

impl Order {
    /// The order of evaluation of a netlist. Linear in components and edges.
    ///
    /// If nodes are numbered in such an order already, that order is used; otherwise Tarjan's algorithm (1972) finds
    /// one, iteratively, so that no depth can overflow the stack.
    pub(super) fn of(netlist: &Netlist) -> Self {
        Self::within(netlist, &Limits::none().poll()).expect("nothing stops it")
    }

    /// As [`Order::of`], within limits.
    pub(super) fn within(netlist: &Netlist, poll: &Poll<'_>) -> Result<Self, Stop> {
        Self::of_inputs(netlist.input_lists(), poll)
    }

    /// As [`Order::of`], of any nodes that read others, lowest first.
    pub(super) fn of_inputs(inputs: &InputLists, poll: &Poll<'_>) -> Result<Self, Stop> {
        let count = inputs.len();
        if inputs.are_in_order() {
            let numbers = 0..to_u32(count);
            return Ok(Self {
                nodes: (0..count).map(NodeIndex::new).collect(),
                starts: (0..=to_u32(count)).collect(),
                groups: numbers.collect(),
            });
        }
        let mut search = Search::new(count);
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
    pub(super) fn nodes(&self) -> &[NodeIndex] {
        &self.nodes
    }

    /// Whether two nodes are in the same group.
    pub(super) fn are_together(&self, left: NodeIndex, right: NodeIndex) -> bool {
        self.groups[left.index()] == self.groups[right.index()]
    }

    /// For each component of the netlist, whether it depends on the joint move.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn depends_on_moves(&self, netlist: &Netlist, poll: &Poll<'_>) -> Result<Vec<bool>, Stop> {
        let mut depends = vec![false; netlist.len()];
        for group in self.groups() {
            poll.steps(group.len())?;
            let is_later = group.iter().any(|&node| {
                matches!(netlist.component(node), Component::Input(_))
                    || netlist.inputs(node).iter().any(|input| depends[input.index()])
            });
            group.iter().for_each(|node| depends[node.index()] = is_later);
        }
        Ok(depends)
    }

    /// Whether a node is on a cycle.
    pub(super) fn is_cyclic(&self, netlist: &Netlist, node: NodeIndex) -> bool {
        let group = self.groups[node.index()] as usize;
        self.starts[group + 1] - self.starts[group] > 1 || netlist.inputs(node).contains(&node)
    }
}

const UNSEEN: u32 = u32::MAX;

/// The state of Tarjan's algorithm.
struct Search {
    order: Order,
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

impl Search {
    fn new(count: usize) -> Self {
        let order = Order { nodes: Vec::with_capacity(count), starts: Vec::new(), groups: vec![UNSEEN; count] };
        let (seen, lowest) = (vec![UNSEEN; count], vec![UNSEEN; count]);
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

/// A cycle through a negation, which no rule sheet that passes the checks can have.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("internal error: the network has a cycle through a negation: {}", list(propositions))]
pub struct NegativeCycle {
    /// The named propositions on the cycle, each after one that it depends on.
    pub propositions: Vec<GroundTerm>,
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// Searches for a cycle through a negation, which has no least fixpoint. Linear in components and edges.
///
/// # Errors
/// [`NegativeCycle`] with the shortest cycle through the first such negation.
pub fn check_cycles(network: &Network) -> Result<(), NegativeCycle> {
    let netlist = Netlist::of(network.clone());
    let order = Order::of(&netlist);
    let is_bad = |node: &NodeIndex| {
        netlist.component(*node) == Component::Not
            && netlist.inputs(*node).iter().any(|&i| order.are_together(i, *node))
    };
    match netlist.nodes().find(is_bad) {
        None => Ok(()),
        Some(negation) => Err(NegativeCycle { propositions: cycle(&netlist, negation) }),
    }
}

/// The names on a shortest cycle through a node.
fn cycle(netlist: &Netlist, through: NodeIndex) -> Vec<GroundTerm> {
    let (mut queue, mut readers) = (VecDeque::from([through]), FxHashMap::default());
    while let Some(node) = queue.pop_front() {
        for &input in netlist.inputs(node) {
            readers.entry(input).or_insert_with(|| {
                queue.push_back(input);
                node
            });
        }
    }
    let (mut members, mut node) = (vec![through], readers[&through]);
    while node != through {
        members.push(node);
        node = readers[&node];
    }
    let name = |member: &NodeIndex| netlist.network.names.iter().find(|(_, node)| node == member);
    members.iter().filter_map(name).map(|(name, _)| name.clone()).collect()
}
