//! Statistics of a network, and labels for its components.

use super::netlist::Netlist;
use super::network::{Component, Network, Output};
use super::order::ComponentOrder;
use crate::program::FluentId;
use gdl::limits::unlimited;
use gdl::rules::GroundTerm;
use ggp_game::Role;
use petgraph::graph::NodeIndex;
use rustc_hash::FxHashMap;
use serde::Serialize;

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
    let order = ComponentOrder::from_inputs(netlist.input_lists());
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
        let relation = |name: &str, arguments: &[&GroundTerm]| GroundTerm {
            name: name.into(),
            arguments: arguments.iter().map(|&term| term.clone()).collect(),
        };
        let about = |name: &str, role: Role, term: &GroundTerm| relation(name, &[&network.roles[role.index()], term]);
        let fact = |fluent: FluentId| &network.fluents[fluent.index()].fact;
        let moves = &network.moves;
        let goals = &network.goals;
        Some(match *network.component(node) {
            Component::Base(fluent) => relation("true", &[fact(fluent)]),
            Component::Input(chosen) => about("does", moves[chosen.index()].role, &moves[chosen.index()].term),
            Component::Output(Output::Next(fluent)) => relation("next", &[fact(fluent)]),
            Component::Output(Output::Legal(chosen)) => {
                about("legal", moves[chosen.index()].role, &moves[chosen.index()].term)
            }
            Component::Output(Output::Goal(goal)) => about("goal", goals[goal].role, &goals[goal].value),
            Component::Output(Output::Terminal) => GroundTerm::symbol("terminal"),
            Component::Output(Output::Feature(feature)) => network.features[feature].clone(),
            _ => return self.names.get(&node).map(|&name| name.clone()),
        })
    }
}

/// The components within a distance of a named proposition, along edges in either direction, in the order of their
/// nodes; `None` if the network has no such proposition.
pub fn around(network: &Network, proposition: &GroundTerm, distance: usize) -> Option<Vec<NodeIndex>> {
    let index = network.names.binary_search_by(|(name, _)| name.cmp(proposition)).ok()?;
    let mut reached = vec![network.names[index].1];
    let mut border = reached.clone();
    for _ in 0..distance {
        let neighbours = border.iter().flat_map(|&node| network.graph.neighbors_undirected(node));
        let mut next: Vec<NodeIndex> = neighbours.collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|node| !reached.contains(node));
        reached.extend(&next);
        border = next;
    }
    reached.sort_unstable();
    Some(reached)
}
