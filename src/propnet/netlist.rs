//! The netlist: a network as passes work on it, with an array of components and, for each, an array of its inputs.
//!
//! The optimiser converts the graph of a [`Network`] once, runs all its passes on the arrays, and converts them back. A
//! pass decides for each component whether it is kept or replaced ([`Fate`]), or changes inputs in place; only
//! [`Netlist::settle`] renumbers nodes.

use super::network::{Component, Network};
use crate::limits::{Limits, Poll, Stop};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

/// What becomes of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It is kept.
    Keep,
    /// It is removed; nothing reads it.
    Gone,
    /// It is replaced by a constant.
    Constant(bool),
    /// It is replaced by another component that always has the same value. Chains of replacements must be free of
    /// cycles.
    Same(NodeIndex),
}

#[derive(Debug)]
pub(super) struct Netlist {
    /// The network without its graph. Names refer to the nodes below.
    pub(super) network: Network,
    /// The component of each node.
    pub(super) components: Vec<Component>,
    /// The inputs of each component, ascending and without duplicates.
    pub(super) inputs: Vec<Vec<NodeIndex>>,
}

impl Netlist {
    /// Converts a network to arrays.
    pub(super) fn of(network: Network) -> Self {
        Self::within(network, &Limits::none().poll()).expect("nothing stops it")
    }

    /// As [`Netlist::of`], within limits.
    pub(super) fn within(mut network: Network, poll: &Poll<'_>) -> Result<Self, Stop> {
        let graph = std::mem::take(&mut network.graph);
        let mut inputs = vec![Vec::new(); graph.node_count()];
        for edge in graph.edge_references() {
            poll.step()?;
            inputs[edge.target().index()].push(edge.source());
        }
        for inputs in &mut inputs {
            poll.steps(1 + inputs.len())?;
            tidy(inputs);
        }
        let components = graph.into_nodes_edges().0.into_iter().map(|node| node.weight).collect();
        Ok(Self { network, components, inputs })
    }

    /// Converts the arrays back to a network.
    pub(super) fn into_network(self) -> Network {
        self.into_network_within(&Limits::none().poll()).expect("nothing stops it")
    }

    /// As [`Netlist::into_network`], within limits.
    pub(super) fn into_network_within(self, poll: &Poll<'_>) -> Result<Network, Stop> {
        let mut network = self.network;
        network.graph.reserve_exact_nodes(self.components.len());
        network.graph.reserve_exact_edges(self.inputs.iter().map(Vec::len).sum());
        for component in self.components {
            network.graph.add_node(component);
        }
        for (node, inputs) in self.inputs.iter().enumerate() {
            poll.steps(1 + inputs.len())?;
            for &input in inputs {
                network.graph.add_edge(input, NodeIndex::new(node), ());
            }
        }
        Ok(network)
    }

    /// All nodes in ascending order.
    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIndex> + use<> {
        (0..self.components.len()).map(NodeIndex::new)
    }

    /// The component of a node.
    pub(super) fn component(&self, node: NodeIndex) -> Component {
        self.components[node.index()]
    }

    /// The inputs of a component, ascending and without duplicates.
    pub(super) fn inputs(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.inputs[node.index()]
    }

    /// Replaces the inputs of a component.
    pub(super) fn set_inputs(&mut self, node: NodeIndex, mut inputs: Vec<NodeIndex>) {
        tidy(&mut inputs);
        self.inputs[node.index()] = inputs;
    }

    /// The number of components, and the number of edges.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.components.len(), self.inputs.iter().map(Vec::len).sum())
    }

    /// Adds a component with these inputs.
    pub(super) fn add(&mut self, component: Component, mut inputs: Vec<NodeIndex>) -> NodeIndex {
        tidy(&mut inputs);
        let node = NodeIndex::new(self.components.len());
        self.components.push(component);
        self.inputs.push(inputs);
        node
    }

    /// The number of readers of each component.
    pub(super) fn reader_counts(&self, poll: &Poll<'_>) -> Result<Vec<u32>, Stop> {
        let mut counts = vec![0; self.components.len()];
        for inputs in &self.inputs {
            poll.steps(1 + inputs.len())?;
            inputs.iter().for_each(|input| counts[input.index()] += 1);
        }
        Ok(counts)
    }

    /// The readers of each component.
    pub(super) fn readers(&self, poll: &Poll<'_>) -> Result<Readers, Stop> {
        let mut starts = vec![0_u32; self.components.len() + 1];
        for inputs in &self.inputs {
            poll.steps(1 + inputs.len())?;
            inputs.iter().for_each(|input| starts[input.index() + 1] += 1);
        }
        for node in 0..self.components.len() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut nodes = vec![NodeIndex::end(); starts[self.components.len()] as usize];
        for (reader, inputs) in self.inputs.iter().enumerate() {
            poll.steps(1 + inputs.len())?;
            for input in inputs {
                let slot = &mut next[input.index()];
                nodes[*slot as usize] = NodeIndex::new(reader);
                *slot += 1;
            }
        }
        Ok(Readers { starts, nodes })
    }

    /// Applies the fates: readers of a replaced component read its replacement, names move along, and nodes are
    /// renumbered. Nothing may read a removed component. Components that were added after `fates` was made are kept.
    pub(super) fn settle(&mut self, fates: &mut Vec<Fate>, poll: &Poll<'_>) -> Result<(), Stop> {
        fates.resize(self.components.len(), Fate::Keep);
        let constants = [false, true].map(|value| {
            let is_used = fates.contains(&Fate::Constant(value));
            is_used.then(|| self.constant(value, fates))
        });
        let mut renumbered = vec![NodeIndex::end(); fates.len()];
        let mut kept = 0;
        for (new, fate) in renumbered.iter_mut().zip(fates.iter()) {
            if *fate == Fate::Keep {
                *new = NodeIndex::new(kept);
                kept += 1;
            }
        }
        for node in 0..fates.len() {
            poll.step()?;
            let mut last = NodeIndex::new(node);
            while let Fate::Same(other) = fates[last.index()] {
                last = other;
            }
            renumbered[node] = match fates[last.index()] {
                Fate::Constant(value) => renumbered[constants[usize::from(value)].map_or(0, NodeIndex::index)],
                _ => renumbered[last.index()],
            };
        }
        self.renumber(fates, &renumbered, poll)
    }

    /// A constant that is kept; adds one if there is none.
    fn constant(&mut self, value: bool, fates: &mut Vec<Fate>) -> NodeIndex {
        let is_it = |node: &usize| self.components[*node] == Component::Constant(value) && fates[*node] == Fate::Keep;
        (0..fates.len()).find(is_it).map_or_else(
            || {
                fates.push(Fate::Keep);
                self.add(Component::Constant(value), Vec::new())
            },
            NodeIndex::new,
        )
    }

    fn renumber(&mut self, fates: &[Fate], renumbered: &[NodeIndex], poll: &Poll<'_>) -> Result<(), Stop> {
        let mut kept = 0;
        for (node, fate) in fates.iter().enumerate() {
            if *fate != Fate::Keep {
                continue;
            }
            let mut inputs = std::mem::take(&mut self.inputs[node]);
            poll.steps(1 + inputs.len())?;
            for input in &mut inputs {
                *input = renumbered[input.index()];
                debug_assert_ne!(*input, NodeIndex::end(), "{:?} reads what is gone", self.components[node]);
            }
            tidy(&mut inputs);
            self.components[kept] = self.components[node];
            self.inputs[kept] = inputs;
            kept += 1;
        }
        self.components.truncate(kept);
        self.inputs.truncate(kept);
        self.network.names.retain_mut(|(_, node)| {
            *node = renumbered[node.index()];
            *node != NodeIndex::end()
        });
        Ok(())
    }
}

/// The readers of all components.
pub(super) struct Readers {
    starts: Vec<u32>,
    nodes: Vec<NodeIndex>,
}

impl Readers {
    /// The readers of a component, in ascending order.
    pub(super) fn of(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// Sorts inputs and removes duplicates.
pub(super) fn tidy(inputs: &mut Vec<NodeIndex>) {
    if !inputs.is_sorted_by(|left, right| left < right) {
        inputs.sort_unstable();
        inputs.dedup();
    }
}
