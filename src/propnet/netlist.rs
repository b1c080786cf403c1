//! A network laid flat, as passes work on it: components in an array, and of each the array of what it reads.
//!
//! The optimiser takes the graph of a [`Network`] apart once, lets all its passes edit the arrays, and puts it together again.
//! A pass decides for each component what becomes of it ([`Fate`]), or changes inputs in place; nodes are renumbered only
//! by [`Netlist::settle`].

use super::network::{Component, Network};
use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef;

/// What becomes of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It stays.
    Keep,
    /// Nothing reads it any more.
    Gone,
    /// It always has this value.
    Constant(bool),
    /// It always has the value of another one. No chain of these leads back to itself.
    Same(NodeIndex),
}

/// A network laid flat.
#[derive(Debug)]
pub(super) struct Netlist {
    /// All of the network but its graph, which is empty. Names speak of the nodes below.
    pub(super) network: Network,
    /// The components, by node.
    pub(super) components: Vec<Component>,
    /// What each component reads, each node once, lowest first.
    pub(super) inputs: Vec<Vec<NodeIndex>>,
}

impl Netlist {
    /// Takes a network apart.
    pub(super) fn of(mut network: Network) -> Self {
        let graph = std::mem::take(&mut network.graph);
        let mut inputs = vec![Vec::new(); graph.node_count()];
        for edge in graph.edge_references() {
            inputs[edge.target().index()].push(edge.source());
        }
        for inputs in &mut inputs {
            tidy(inputs);
        }
        let components = graph.into_nodes_edges().0.into_iter().map(|node| node.weight).collect();
        Self { network, components, inputs }
    }

    /// Puts the network together.
    pub(super) fn into_network(self) -> Network {
        let mut network = self.network;
        network.graph.reserve_exact_nodes(self.components.len());
        network.graph.reserve_exact_edges(self.inputs.iter().map(Vec::len).sum());
        for component in self.components {
            network.graph.add_node(component);
        }
        for (node, inputs) in self.inputs.iter().enumerate() {
            for &input in inputs {
                network.graph.add_edge(input, NodeIndex::new(node), ());
            }
        }
        network
    }

    /// All nodes, lowest first.
    pub(super) fn nodes(&self) -> impl DoubleEndedIterator<Item = NodeIndex> + use<> {
        (0..self.components.len()).map(NodeIndex::new)
    }

    /// The component at a node.
    pub(super) fn component(&self, node: NodeIndex) -> Component {
        self.components[node.index()]
    }

    /// What a component reads, each node once, lowest first.
    pub(super) fn inputs(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.inputs[node.index()]
    }

    /// Gives a component new inputs.
    pub(super) fn set_inputs(&mut self, node: NodeIndex, mut inputs: Vec<NodeIndex>) {
        tidy(&mut inputs);
        self.inputs[node.index()] = inputs;
    }

    /// How many components there are, and how many edges.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.components.len(), self.inputs.iter().map(Vec::len).sum())
    }

    /// Adds a component.
    pub(super) fn add(&mut self, component: Component, mut inputs: Vec<NodeIndex>) -> NodeIndex {
        tidy(&mut inputs);
        let node = NodeIndex::new(self.components.len());
        self.components.push(component);
        self.inputs.push(inputs);
        node
    }

    /// How many components read each.
    pub(super) fn reader_counts(&self) -> Vec<u32> {
        let mut counts = vec![0; self.components.len()];
        for input in self.inputs.iter().flatten() {
            counts[input.index()] += 1;
        }
        counts
    }

    /// What reads each component.
    pub(super) fn readers(&self) -> Readers {
        let mut starts = vec![0_u32; self.components.len() + 1];
        for input in self.inputs.iter().flatten() {
            starts[input.index() + 1] += 1;
        }
        for node in 0..self.components.len() {
            starts[node + 1] += starts[node];
        }
        let mut next = starts.clone();
        let mut nodes = vec![NodeIndex::end(); starts[self.components.len()] as usize];
        for (reader, inputs) in self.inputs.iter().enumerate() {
            for input in inputs {
                let slot = &mut next[input.index()];
                nodes[*slot as usize] = NodeIndex::new(reader);
                *slot += 1;
            }
        }
        Readers { starts, nodes }
    }

    /// Lets every component meet its fate: readers of one that goes read what stands for it, names move along, and nodes are
    /// renumbered. Nothing may read what is gone. Components that were added are beyond the fates, and stay.
    pub(super) fn settle(&mut self, fates: &mut Vec<Fate>) {
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
            let mut last = NodeIndex::new(node);
            while let Fate::Same(other) = fates[last.index()] {
                last = other;
            }
            renumbered[node] = match fates[last.index()] {
                Fate::Constant(value) => renumbered[constants[usize::from(value)].map_or(0, NodeIndex::index)],
                _ => renumbered[last.index()],
            };
        }
        self.renumber(fates, &renumbered);
    }

    /// A constant that stays; made, where there is none.
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

    fn renumber(&mut self, fates: &[Fate], renumbered: &[NodeIndex]) {
        let mut kept = 0;
        for (node, fate) in fates.iter().enumerate() {
            if *fate != Fate::Keep {
                continue;
            }
            let mut inputs = std::mem::take(&mut self.inputs[node]);
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
    }
}

/// What reads each component.
pub(super) struct Readers {
    starts: Vec<u32>,
    nodes: Vec<NodeIndex>,
}

impl Readers {
    /// What reads a component, lowest node first.
    pub(super) fn of(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// Inputs in order, each once.
pub(super) fn tidy(inputs: &mut Vec<NodeIndex>) {
    if !inputs.is_sorted_by(|left, right| left < right) {
        inputs.sort_unstable();
        inputs.dedup();
    }
}
