//! The netlist: a network as passes work on it, with an array of components and the list of inputs of each.
//!
//! The optimiser converts the graph of a [`Network`] once, runs all its passes on the arrays, and converts them back. A
//! pass decides for each component whether it is kept or replaced ([`ComponentChange`]), or replaces inputs; only
//! [`Netlist::settle`] renumbers nodes. It keeps them in the order of evaluation, so that a pass which visits
//! components in that order reads memory from its start to its end.

use super::lists::{InputLists, sort_and_dedup};
use super::network::{Component, Network};
use super::order::ComponentOrder;
use gdl::limits::{Poll, Stop, unlimited};
use petgraph::Direction;
use petgraph::graph::NodeIndex;

/// What becomes of a component.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ComponentChange {
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

/// A network as arrays.
#[derive(Debug)]
pub struct Netlist {
    /// The network without its graph. Names refer to the nodes below.
    pub(super) network: Network,
    /// The component of each node.
    components: Vec<Component>,
    /// The inputs of each component, ascending and without duplicates.
    inputs: InputLists,
    /// The number of edits that changed a component or an input.
    edits: u64,
}

impl Netlist {
    /// Converts a network to arrays.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn from_network(mut network: Network, poll: &Poll<'_>) -> Result<Self, Stop> {
        let graph = std::mem::take(&mut network.graph);
        let mut inputs = InputLists::with_capacity(graph.node_count(), graph.edge_count());
        for node in graph.node_indices() {
            inputs.push(graph.neighbors_directed(node, Direction::Incoming));
            inputs.tidy_last();
            poll.steps(1 + inputs.list(node.index()).len())?;
        }
        let components = graph.into_nodes_edges().0.into_iter().map(|node| node.weight).collect();
        Ok(Self { network, components, inputs, edits: 0 })
    }

    /// The arrays of a network, which stays as it is.
    pub fn copy_of(network: &Network) -> Self {
        unlimited(|limits| Self::from_network(network.clone(), &limits.poll()))
    }

    /// Changes it as a network.
    pub fn edit(&mut self, change: impl FnOnce(&mut Network)) {
        unlimited(|limits| {
            let empty = Self::from_network(Network::default(), &limits.poll())?;
            let mut network = std::mem::replace(self, empty).into_network(&limits.poll())?;
            change(&mut network);
            *self = Self::from_network(network, &limits.poll())?;
            Ok(())
        });
    }

    /// Converts the arrays back to a network.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn into_network(self, poll: &Poll<'_>) -> Result<Network, Stop> {
        let mut network = self.network;
        network.graph.reserve_exact_nodes(self.components.len());
        network.graph.reserve_exact_edges(self.inputs.entries());
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
    pub fn inputs(&self, node: NodeIndex) -> &[NodeIndex] {
        self.inputs.list(node.index())
    }

    /// The inputs of all components.
    pub fn input_lists(&self) -> &InputLists {
        &self.inputs
    }

    /// Replaces a component, which keeps its inputs.
    pub(super) fn set_component(&mut self, node: NodeIndex, component: Component) {
        self.edits += u64::from(self.components[node.index()] != component);
        self.components[node.index()] = component;
    }

    /// Replaces the inputs of a component.
    pub(super) fn set_inputs(&mut self, node: NodeIndex, mut inputs: Vec<NodeIndex>) {
        let kept = sort_and_dedup(&mut inputs);
        self.edits += u64::from(self.inputs.set(node.index(), &inputs[..kept]));
    }

    /// The number of components.
    pub(super) fn len(&self) -> usize {
        self.components.len()
    }

    /// The number of components, and the number of edges.
    pub(super) fn size(&self) -> (usize, usize) {
        (self.components.len(), self.inputs.entries())
    }

    /// The number of edits so far: equal numbers mean that nothing has changed in between.
    pub(super) fn edits(&self) -> u64 {
        self.edits
    }

    /// Adds a component with these inputs.
    pub(super) fn add(&mut self, component: Component, inputs: Vec<NodeIndex>) -> NodeIndex {
        let node = NodeIndex::new(self.components.len());
        self.components.push(component);
        self.inputs.push(inputs);
        self.inputs.tidy_last();
        self.edits += 1;
        node
    }

    /// Adds a component that is true if none of these is.
    pub(super) fn add_none_of(&mut self, others: Vec<NodeIndex>) -> NodeIndex {
        match others[..] {
            [] => self.add(Component::Constant(true), Vec::new()),
            [only] => self.add(Component::Not, vec![only]),
            _ => {
                let others = self.add(Component::Or, others);
                self.add(Component::Not, vec![others])
            }
        }
    }

    /// The number of readers of each component.
    pub(super) fn reader_counts(&self, poll: &Poll<'_>) -> Result<Vec<u32>, Stop> {
        let mut counts = vec![0; self.components.len()];
        for inputs in self.inputs.iter() {
            poll.steps(1 + inputs.len())?;
            inputs.iter().for_each(|input| counts[input.index()] += 1);
        }
        Ok(counts)
    }

    /// The readers of each component.
    pub(super) fn readers(&self, poll: &Poll<'_>) -> Result<Readers, Stop> {
        let mut starts = vec![0_u32; self.components.len() + 1];
        for inputs in self.inputs.iter() {
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

    /// The order of evaluation.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn order(&self, poll: &Poll<'_>) -> Result<ComponentOrder, Stop> {
        ComponentOrder::within(&self.inputs, poll)
    }

    /// For each component, whether it depends on the joint move.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn depends_on_moves(&self, order: &ComponentOrder, poll: &Poll<'_>) -> Result<Vec<bool>, Stop> {
        let mut depends = vec![false; self.len()];
        for group in order.groups() {
            poll.steps(group.len())?;
            let is_later = group.iter().any(|&node| {
                matches!(self.component(node), Component::Input(_))
                    || self.inputs(node).iter().any(|input| depends[input.index()])
            });
            group.iter().for_each(|node| depends[node.index()] = is_later);
        }
        Ok(depends)
    }

    /// Applies the changes: readers of a replaced component read its replacement, names move along, and nodes are
    /// renumbered in the order of evaluation. Nothing may read a removed component. Components that were added after
    /// `changes` was made are kept.
    pub(super) fn settle(&mut self, changes: &mut Vec<ComponentChange>, poll: &Poll<'_>) -> Result<(), Stop> {
        changes.resize(self.components.len(), ComponentChange::Keep);
        if changes.iter().any(|change| *change != ComponentChange::Keep) {
            self.edits += 1;
            self.apply(changes, poll)?;
        }
        self.sort(poll)
    }

    fn apply(&mut self, changes: &mut Vec<ComponentChange>, poll: &Poll<'_>) -> Result<(), Stop> {
        let constants = [false, true].map(|value| {
            let is_used = changes.contains(&ComponentChange::Constant(value));
            is_used.then(|| self.constant(value, changes))
        });
        let kept: Vec<NodeIndex> = self.nodes().filter(|node| changes[node.index()] == ComponentChange::Keep).collect();
        let mut renumbered = numbers(&kept, changes.len());
        for node in 0..changes.len() {
            poll.step()?;
            let mut last = NodeIndex::new(node);
            while let ComponentChange::Same(other) = changes[last.index()] {
                last = other;
            }
            renumbered[node] = match changes[last.index()] {
                ComponentChange::Constant(value) => {
                    renumbered[constants[usize::from(value)].map_or(0, NodeIndex::index)]
                }
                _ => renumbered[last.index()],
            };
        }
        self.renumber(&kept, &renumbered, poll)
    }

    /// A constant that is kept; adds one if there is none.
    fn constant(&mut self, value: bool, changes: &mut Vec<ComponentChange>) -> NodeIndex {
        let is_it = |node: &usize| {
            self.components[*node] == Component::Constant(value) && changes[*node] == ComponentChange::Keep
        };
        (0..changes.len()).find(is_it).map_or_else(
            || {
                changes.push(ComponentChange::Keep);
                self.add(Component::Constant(value), Vec::new())
            },
            NodeIndex::new,
        )
    }

    /// Numbers the nodes in the order of evaluation, unless they are.
    fn sort(&mut self, poll: &Poll<'_>) -> Result<(), Stop> {
        if self.inputs.are_in_order() {
            return Ok(());
        }
        let order = self.order(poll)?;
        // With a cycle there is no order in which all nodes read lower ones only.
        if order.nodes().is_sorted() {
            return Ok(());
        }
        self.renumber(order.nodes(), &numbers(order.nodes(), self.components.len()), poll)
    }

    /// Keeps the nodes of `kept`, in that order. `renumbered` has the new number of each node that is read or named,
    /// its own or that of its replacement.
    fn renumber(&mut self, kept: &[NodeIndex], renumbered: &[NodeIndex], poll: &Poll<'_>) -> Result<(), Stop> {
        let mut lists = InputLists::with_capacity(kept.len(), self.inputs.entries());
        for &node in kept {
            let inputs = self.inputs.list(node.index());
            poll.steps(1 + inputs.len())?;
            lists.push(inputs.iter().map(|input| renumbered[input.index()]));
            debug_assert!(
                !lists.list(lists.len() - 1).contains(&NodeIndex::end()),
                "{:?} reads what is gone",
                self.component(node)
            );
            lists.tidy_last();
        }
        self.components = kept.iter().map(|&node| self.component(node)).collect();
        self.inputs = lists;
        self.network.names.retain_mut(|(_, node)| {
            *node = renumbered[node.index()];
            *node != NodeIndex::end()
        });
        Ok(())
    }
}

/// The number of each of `count` nodes if these are kept, in their order; [`NodeIndex::end`] for all others.
fn numbers(kept: &[NodeIndex], count: usize) -> Vec<NodeIndex> {
    let mut numbers = vec![NodeIndex::end(); count];
    kept.iter().enumerate().for_each(|(number, node)| numbers[node.index()] = NodeIndex::new(number));
    numbers
}

/// The readers of all components.
pub(super) struct Readers {
    starts: Vec<u32>,
    nodes: Vec<NodeIndex>,
}

impl Readers {
    /// The readers of a component, in ascending order.
    pub(super) fn reading(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}
