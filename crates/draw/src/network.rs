//! Pictures of networks: components as figures, in columns from the inputs to the outputs.

use crate::{Graph, GraphNode, GraphShape};
use ggp_engine::propnet::{Component, ComponentOrder, Labels, Netlist, Network};
use petgraph::graph::NodeIndex;

/// A picture of some components of a network, in order of their indices, and of the edges between them; data flows from
/// left to right. Bases are boxes, inputs parallelograms, outputs boxes with a double border, views ellipses;
/// conjunctions, disjunctions and negations have the shapes of circuit diagrams. Linear in the size of the network.
pub fn network_picture(network: &Network, nodes: &[NodeIndex]) -> Graph {
    let labels = Labels::new(network);
    let mut shown = vec![None; network.graph.node_count()];
    nodes.iter().enumerate().for_each(|(index, node)| shown[node.index()] = Some(index));
    let columns = columns(network, &shown);
    let figure = |&node: &NodeIndex| {
        let (figure, sign) = match network.component(node) {
            Component::Base(_) => (GraphShape::Rectangle, None),
            Component::Input(_) => (GraphShape::Parallelogram, None),
            Component::Output(_) => (GraphShape::Double, None),
            Component::View => (GraphShape::Ellipse, None),
            Component::And => (GraphShape::And, None),
            Component::Or => (GraphShape::Or, None),
            Component::Not => (GraphShape::Not, None),
            Component::Constant(value) => (GraphShape::Words, Some(if *value { "always" } else { "never" })),
        };
        let words =
            sign.map(str::to_string).into_iter().chain(labels.proposition(node).map(|term| term.to_string())).collect();
        let is_border = network.graph.neighbors_undirected(node).any(|other| shown[other.index()].is_none());
        GraphNode { figure, words, column: columns[node.index()], is_border }
    };
    let inputs = |(target, &node)| {
        let sources = network.inputs(node).into_iter().filter_map(|input: NodeIndex| shown[input.index()]);
        sources.map(move |source| (source, target)).collect::<Vec<_>>()
    };
    Graph { nodes: nodes.iter().map(figure).collect(), edges: nodes.iter().enumerate().flat_map(inputs).collect() }
}

/// The column of each component, by node: one to the right of its inputs. On a cycle, the order of the group decides.
fn columns(network: &Network, shown: &[Option<usize>]) -> Vec<usize> {
    let netlist = Netlist::copy_of(network);
    let mut columns = vec![None; network.graph.node_count()];
    for &node in ComponentOrder::from_inputs(netlist.input_lists()).nodes() {
        if shown[node.index()].is_some() {
            let inputs = netlist.inputs(node).iter().filter(|input| shown[input.index()].is_some());
            let last = inputs.filter_map(|input| columns[input.index()]).max();
            columns[node.index()] = Some(last.map_or(0, |last| last + 1));
        }
    }
    columns.into_iter().map(Option::unwrap_or_default).collect()
}
