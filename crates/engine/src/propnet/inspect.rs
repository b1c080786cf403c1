//! Views of a network for people: its statistics, labels for its components, and the values of components in a state.
//!
//! An [`Inspector`] has the network as built, which follows the ground rules one for one, so that every proposition of
//! the rules is there. Values are computed anew for each question, in time linear in the network; play uses the
//! evaluators.

use super::netlist::Netlist;
use super::network::{Component, Network};
use super::passes::{ValueBounds, bounds};
use fixedbitset::FixedBitSet;
use gdl::limits::unlimited;
use gdl::rules::GroundTerm;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;
use serde::Serialize;

/// A network, prepared for questions about the values of its components.
pub struct Inspector {
    network: Network,
    /// The components as arrays, without names and terms.
    netlist: Netlist,
}

/// A component near the requested one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Inspected {
    /// The number of the component: its index in the network.
    pub component: usize,
    /// Its kind: `base`, `input`, `view`, `and`, `or`, `not`, `constant` or `output`.
    #[serde(rename = "is")]
    pub kind: &'static str,
    /// The proposition that it computes, if it has a name.
    pub proposition: Option<GroundTerm>,
    /// Its value; `None` if that depends on moves that have not been chosen.
    pub value: Option<bool>,
    /// The number of edges to the requested component.
    pub distance: usize,
    /// The numbers of its inputs, ascending.
    pub inputs: Vec<usize>,
    /// The numbers of the components that read it, ascending.
    pub readers: Vec<usize>,
}

impl Inspector {
    /// Prepares a network. Linear in its size.
    pub fn new(network: Network) -> Self {
        let bare = Network { graph: network.graph.clone(), ..Network::default() };
        let netlist = unlimited(|limits| Netlist::from_network(bare, &limits.poll()));
        Self { network, netlist }
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.network.graph.node_count()
    }

    /// True if there are no components.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The component of a proposition; a fact may be given without `true`.
    pub fn find(&self, proposition: &GroundTerm) -> Option<usize> {
        let names = &self.network.names;
        let find = |wanted: &GroundTerm| names.binary_search_by(|(name, _)| name.cmp(wanted)).ok();
        let index = find(proposition)
            .or_else(|| find(&GroundTerm { name: "true".into(), arguments: vec![proposition.clone()] }))?;
        Some(names[index].1.index())
    }

    /// The propositions that have a component, in canonical order.
    pub fn propositions(&self) -> impl Iterator<Item = &GroundTerm> {
        self.network.names.iter().map(|(name, _)| name)
    }

    /// The first fact of a state that the network does not know, if any: the values of components are meaningless in
    /// such a state.
    pub fn unknown_fact<'a>(&self, facts: &'a [GroundTerm]) -> Option<&'a GroundTerm> {
        facts.iter().find(|fact| self.fluent(fact).is_none())
    }

    fn fluent(&self, fact: &GroundTerm) -> Option<usize> {
        self.network.fluents.binary_search_by(|fluent| fluent.fact.cmp(fact)).ok()
    }

    /// The components within a distance of one, along edges in either direction, nearest first and at most `most`, in a
    /// state; and the number of those that were left out. `moves` has the move of each role, or is `None` if they have
    /// not been chosen.
    pub fn around(
        &self,
        centre: usize,
        distance: usize,
        most: usize,
        facts: &[GroundTerm],
        moves: Option<&[GroundTerm]>,
    ) -> (Vec<Inspected>, usize) {
        let bounds = self.evaluate(facts, moves);
        let labels = Labels::new(&self.network);
        let numbers = |nodes: Vec<NodeIndex>| nodes.into_iter().map(NodeIndex::index).collect();
        let near = nodes_within(&self.network, NodeIndex::new(centre), distance);
        let shown = near.iter().take(most).map(|&(node, distance)| Inspected {
            component: node.index(),
            kind: kind(self.network.component(node)),
            proposition: labels.proposition(node),
            value: bounds[node.index()].value(),
            distance,
            inputs: numbers(self.network.inputs(node)),
            readers: numbers(self.network.readers(node)),
        });
        (shown.collect(), near.len().saturating_sub(most))
    }

    /// The network that was given.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The bounds of the values of all components in a state: a component that can be true and can be false depends on
    /// the moves.
    fn evaluate(&self, facts: &[GroundTerm], moves: Option<&[GroundTerm]>) -> Vec<ValueBounds> {
        let mut holds = FixedBitSet::with_capacity(self.network.fluents.len());
        holds.extend(facts.iter().filter_map(|fact| self.fluent(fact)));
        let leaf = |component| match (component, moves) {
            (Component::Base(fluent), _) => ValueBounds::exactly(holds.contains(fluent.index())),
            (Component::Input(chosen), Some(moves)) => {
                let input = &self.network.moves[chosen.index()];
                ValueBounds::exactly(moves.get(input.role.index()) == Some(&input.term))
            }
            // A move that has not been chosen may be made or not.
            _ => ValueBounds::any(),
        };
        unlimited(|limits| bounds(&self.netlist, true, &limits.poll(), leaf))
    }
}

/// The nodes within a distance, with their distances, by distance and then by number.
fn nodes_within(network: &Network, centre: NodeIndex, distance: usize) -> Vec<(NodeIndex, usize)> {
    let mut seen = FixedBitSet::with_capacity(network.graph.node_count());
    seen.insert(centre.index());
    let mut near = vec![(centre, 0)];
    let mut border = 0..1;
    for away in 1..=distance {
        let neighbours = |&(node, _): &(NodeIndex, usize)| network.graph.neighbors_undirected(node);
        let mut next: Vec<NodeIndex> = near[border.clone()].iter().flat_map(neighbours).collect();
        next.retain(|node| !seen.put(node.index()));
        if next.is_empty() {
            break;
        }
        next.sort_unstable();
        border = near.len()..near.len() + next.len();
        near.extend(next.into_iter().map(|node| (node, away)));
    }
    near
}

/// The kind of a component, in one word.
fn kind(component: &Component) -> &'static str {
    match component {
        Component::Constant(_) => "constant",
        Component::Base(_) => "base",
        Component::Input(_) => "input",
        Component::View => "view",
        Component::And => "and",
        Component::Or => "or",
        Component::Not => "not",
        Component::Output(_) => "output",
    }
}

/// The number of components of each kind, and the shape of the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Census {
    /// The number of all components.
    pub components: usize,
    /// The number of [`Component::Base`].
    pub bases: usize,
    /// The number of [`Component::Input`].
    pub inputs: usize,
    /// The number of [`Component::Constant`].
    pub constants: usize,
    /// The number of [`Component::View`].
    pub views: usize,
    /// The number of [`Component::And`].
    pub ands: usize,
    /// The number of [`Component::Or`].
    pub ors: usize,
    /// The number of [`Component::Not`].
    pub nots: usize,
    /// The number of [`Component::Output`].
    pub outputs: usize,
    /// The number of edges, each from a component to a reader of it.
    pub edges: usize,
    /// The largest number of gates, views and negations on a path from a base or an input to an output; a cycle counts
    /// as one.
    pub depth: usize,
    /// The largest number of inputs of a component.
    pub most_inputs: usize,
    /// The largest number of readers of a component.
    pub most_readers: usize,
    /// The number of strongly connected groups of two or more components.
    pub cycles: usize,
    /// The number of components in such groups.
    pub cyclic_components: usize,
}

/// Counts the components of a network by kind. Linear in components and edges.
pub fn census(network: &Network) -> Census {
    let netlist = Netlist::copy_of(network);
    let mut census = Census { components: netlist.len(), edges: netlist.size().1, ..Census::default() };
    for component in netlist.nodes().map(|node| netlist.component(node)) {
        *match component {
            Component::Base(_) => &mut census.bases,
            Component::Input(_) => &mut census.inputs,
            Component::Constant(_) => &mut census.constants,
            Component::View => &mut census.views,
            Component::And => &mut census.ands,
            Component::Or => &mut census.ors,
            Component::Not => &mut census.nots,
            Component::Output(_) => &mut census.outputs,
        } += 1;
    }
    census.most_inputs = netlist.input_lists().iter().map(<[_]>::len).max().unwrap_or(0);
    let readers = unlimited(|limits| netlist.reader_counts(&limits.poll()));
    census.most_readers = readers.into_iter().max().unwrap_or(0) as usize;
    let order = unlimited(|limits| netlist.order(&limits.poll()));
    let mut depths = vec![0; netlist.len()];
    for group in order.groups() {
        if group.len() > 1 {
            census.cycles += 1;
            census.cyclic_components += group.len();
        }
        let below = group.iter().flat_map(|&node| netlist.inputs(node)).map(|input| depths[input.index()]).max();
        for &node in group {
            depths[node.index()] = match netlist.component(node) {
                Component::View | Component::And | Component::Or | Component::Not => below.unwrap_or(0) + 1,
                _ => below.unwrap_or(0),
            };
            census.depth = census.depth.max(depths[node.index()]);
        }
    }
    census
}

/// Labels for the components of a network.
pub struct Labels<'a> {
    network: &'a Network,
    names: FxHashMap<NodeIndex, &'a GroundTerm>,
}

impl<'a> Labels<'a> {
    /// Indexes the names of a network. Linear in their number.
    pub fn new(network: &'a Network) -> Self {
        let mut names = FxHashMap::default();
        for (name, node) in &network.names {
            names.entry(*node).or_insert(name);
        }
        Self { network, names }
    }

    /// The proposition that a component computes: `true(F)`, `does(R,M)`, the proposition of an output, or the one that
    /// names a gate; `None` if a gate has no name.
    pub fn proposition(&self, node: NodeIndex) -> Option<GroundTerm> {
        let network = self.network;
        let relation = |name: &str, arguments: Vec<GroundTerm>| GroundTerm { name: name.into(), arguments };
        match *network.component(node) {
            Component::Base(fluent) => Some(relation("true", vec![network.fluents[fluent.index()].fact.clone()])),
            Component::Input(chosen) => {
                let known = &network.moves[chosen.index()];
                Some(relation("does", vec![network.roles[known.role.index()].clone(), known.term.clone()]))
            }
            Component::Output(output) => Some(network.proposition(output)),
            _ => self.names.get(&node).map(|&name| name.clone()),
        }
    }
}

/// The components within a distance of a named proposition, along edges in either direction, in the order of their
/// nodes; `None` if the network has no such proposition.
pub fn around(network: &Network, proposition: &GroundTerm, distance: usize) -> Option<Vec<NodeIndex>> {
    let index = network.names.binary_search_by(|(name, _)| name.cmp(proposition)).ok()?;
    let near = nodes_within(network, network.names[index].1, distance);
    let mut nodes: Vec<NodeIndex> = near.into_iter().map(|(node, _)| node).collect();
    nodes.sort_unstable();
    Some(nodes)
}
