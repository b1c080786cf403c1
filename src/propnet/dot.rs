//! Networks in the DOT language of Graphviz.

use super::describe::Labels;
use super::network::{Component, Network};
use petgraph::graph::NodeIndex;
use std::fmt::Write;

/// Writes some components of a network and the edges between them in the DOT language. The shape shows the kind: bases
/// are boxes, inputs parallelograms, outputs double octagons, views ellipses, conjunctions houses, disjunctions
/// inverted houses, negations triangles. Components with a neighbour outside the part are dashed.
pub fn dot(network: &Network, nodes: &[NodeIndex]) -> String {
    let labels = Labels::new(network);
    let is_shown = shown(network, nodes);
    let mut text = String::from("digraph propnet {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=10];\n");
    for &node in nodes {
        let shape = match network.component(node) {
            Component::Base(_) => "box",
            Component::Input(_) => "parallelogram",
            Component::Output(_) => "doubleoctagon",
            Component::View => "ellipse",
            Component::And => "house",
            Component::Or => "invhouse",
            Component::Not => "triangle",
            Component::Constant(_) => "plaintext",
        };
        let lines: Vec<String> =
            labels.sign(node).map(str::to_string).into_iter().chain(labels.proposition(node)).collect();
        let label: Vec<String> = lines.iter().map(|line| escape(line)).collect();
        let is_border = network.graph.neighbors_undirected(node).any(|other| !is_shown[other.index()]);
        let style = if is_border { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  n{} [shape={shape}, label=\"{}\"{style}];", node.index(), label.join("\\n"));
    }
    for &node in nodes {
        for input in network.inputs(node).into_iter().filter(|input| is_shown[input.index()]) {
            let _ = writeln!(text, "  n{} -> n{};", input.index(), node.index());
        }
    }
    text + "}\n"
}

/// Which components are shown, by node.
pub(super) fn shown(network: &Network, nodes: &[NodeIndex]) -> Vec<bool> {
    let mut is_shown = vec![false; network.graph.node_count()];
    nodes.iter().for_each(|node| is_shown[node.index()] = true);
    is_shown
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
