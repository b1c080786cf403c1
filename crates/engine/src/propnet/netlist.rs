//! The netlist: a network as passes work on it, with an array of components, the list of inputs of each, and the order
//! in which they are evaluated.
//!
//! The optimiser converts the graph of a [`Network`] once, runs all its passes on the arrays, and converts them back. A
//! pass decides for each component whether it is kept or replaced ([`ComponentChange`]), or replaces inputs; only
//! [`Netlist::settle`] renumbers nodes. It keeps them in the order of evaluation, so that a pass which visits
//! components in that order reads memory from its start to its end.

use super::network::{Component, Network, Output};
use gdl::limits::{Poll, Stop, unlimited};
use gdl::number::to_u32;
use petgraph::Direction;
use petgraph::graph::NodeIndex;

/// The change that a pass makes to a component.
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

    /// The arrays of a network, which is copied.
    pub fn copy_of(network: &Network) -> Self {
        unlimited(|limits| Self::from_network(network.clone(), &limits.poll()))
    }

    /// Converts the arrays to a network, changes that, and converts it back.
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
        // Counting sort: first the number of readers of each component, then the readers.
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

    /// The bit of each fluent, by fluent; `None` for fluents without a base or a next output.
    pub(super) fn bits(&self) -> Vec<Option<FluentBit>> {
        let count = self.network.fluents.len();
        let mut bases = vec![None; count];
        let mut outputs = vec![None; count];
        for node in self.nodes() {
            match self.component(node) {
                Component::Base(fluent) => bases[fluent.index()] = Some(node),
                Component::Output(Output::Next(fluent)) => outputs[fluent.index()] = Some(node),
                _ => {}
            }
        }
        let bit = |(base, output): (Option<NodeIndex>, Option<NodeIndex>)| {
            let output = output?;
            Some(FluentBit { base: base?, output, next: self.inputs(output)[0] })
        };
        bases.into_iter().zip(outputs).map(bit).collect()
    }

    /// The order of evaluation.
    ///
    /// # Errors
    /// If the limits end the work.
    pub(super) fn order(&self, poll: &Poll<'_>) -> Result<ComponentOrder, Stop> {
        ComponentOrder::within(&self.inputs, poll)
    }

    /// For each component, true if it depends on the joint move.
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

    /// Removes and replaces components, and renumbers the others without a change of their order.
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
            // A replacement may be replaced in its turn.
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

    /// Numbers the nodes in the order of evaluation, unless they are in that order.
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

/// The readers of all components, as lists in one array.
pub(super) struct Readers {
    starts: Vec<u32>,
    nodes: Vec<NodeIndex>,
}

/// A fluent with a bit of its own.
#[derive(Clone, Copy)]
pub(super) struct FluentBit {
    pub(super) base: NodeIndex,
    /// The component of its next output.
    pub(super) output: NodeIndex,
    /// The component that the output reads.
    pub(super) next: NodeIndex,
}

impl Readers {
    /// The readers of a component, in ascending order.
    pub(super) fn reading(&self, node: NodeIndex) -> &[NodeIndex] {
        &self.nodes[self.starts[node.index()] as usize..self.starts[node.index() + 1] as usize]
    }
}

/// The inputs of all components, list after list in one array: a list costs eight bytes beside its entries, and lists
/// that are read in order are adjacent in memory.
#[derive(Clone, Debug, Default)]
pub struct InputLists {
    spans: Vec<ListSpan>,
    /// The entries. Lists that have become longer were moved to the end, and their former entries are unused.
    entries: Vec<NodeIndex>,
    /// The number of entries in use.
    used: usize,
}

/// The position of a list in the entries.
#[derive(Clone, Copy, Debug)]
struct ListSpan {
    start: u32,
    len: u32,
}

impl InputLists {
    /// No lists, with room for these numbers of lists and of entries.
    pub(super) fn with_capacity(lists: usize, entries: usize) -> Self {
        Self { spans: Vec::with_capacity(lists), entries: Vec::with_capacity(entries), used: 0 }
    }

    /// The number of lists.
    pub(super) fn len(&self) -> usize {
        self.spans.len()
    }

    /// The number of entries of all lists together.
    fn entries(&self) -> usize {
        self.used
    }

    /// The list with this number.
    #[inline]
    pub(super) fn list(&self, number: usize) -> &[NodeIndex] {
        let ListSpan { start, len } = self.spans[number];
        &self.entries[start as usize..start as usize + len as usize]
    }

    /// All lists.
    pub(super) fn iter(&self) -> impl Iterator<Item = &[NodeIndex]> {
        (0..self.len()).map(|number| self.list(number))
    }

    /// Adds a list.
    pub(super) fn push(&mut self, list: impl IntoIterator<Item = NodeIndex>) {
        let start = self.entries.len();
        self.entries.extend(list);
        let len = self.entries.len() - start;
        self.spans.push(ListSpan { start: to_u32(start), len: to_u32(len) });
        self.used += len;
    }

    /// Replaces a list; returns whether it has changed.
    fn set(&mut self, number: usize, list: &[NodeIndex]) -> bool {
        if self.list(number) == list {
            return false;
        }
        let ListSpan { start, len } = &mut self.spans[number];
        self.used = self.used + list.len() - *len as usize;
        if list.len() > *len as usize {
            // A longer list does not fit, and is moved to the end.
            *start = to_u32(self.entries.len());
            self.entries.extend_from_slice(list);
        } else {
            self.entries[*start as usize..][..list.len()].copy_from_slice(list);
        }
        *len = to_u32(list.len());
        true
    }

    /// Sorts the list that was added last, and removes its duplicates.
    fn tidy_last(&mut self) {
        let Some(ListSpan { start, len }) = self.spans.last_mut() else { return };
        let kept = sort_and_dedup(&mut self.entries[*start as usize..]);
        self.entries.truncate(*start as usize + kept);
        self.used = self.used + kept - *len as usize;
        *len = to_u32(kept);
    }

    /// True if every node reads lower ones only. The lists must be sorted.
    fn are_in_order(&self) -> bool {
        self.iter().enumerate().all(|(node, inputs)| inputs.last().is_none_or(|last| last.index() < node))
    }
}

/// Sorts a list and moves its duplicates to the end; returns the number of different entries.
fn sort_and_dedup(list: &mut [NodeIndex]) -> usize {
    if list.is_sorted_by(|left, right| left < right) {
        return list.len();
    }
    list.sort_unstable();
    let mut kept = 1;
    for index in 1..list.len() {
        if list[index] != list[kept - 1] {
            list[kept] = list[index];
            kept += 1;
        }
    }
    kept
}

/// The order of evaluation: every component after its inputs, with cycles as groups.
///
/// Groups are the strongly connected components of the graph. Nearly all of them are single nodes; the others are
/// relations that stay recursive after grounding, and are brought to their least fixpoint as a whole.
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

    /// True if two nodes are in the same group.
    pub(super) fn are_together(&self, left: NodeIndex, right: NodeIndex) -> bool {
        self.groups[left.index()] == self.groups[right.index()]
    }

    /// True if a node is on a cycle; it may be a cycle of that node alone.
    pub(super) fn is_cyclic(&self, inputs: &InputLists, node: NodeIndex) -> bool {
        let group = self.groups[node.index()] as usize;
        self.starts[group + 1] - self.starts[group] > 1 || inputs.list(node.index()).contains(&node)
    }
}

/// The time of a node that has not been visited, and the group of a node whose group is not complete.
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
    /// The number of nodes visited so far.
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

    /// Visits all nodes that can be reached from one, unless it has been visited.
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
        // The node reaches no earlier one, so the nodes above it on the stack are its group.
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
