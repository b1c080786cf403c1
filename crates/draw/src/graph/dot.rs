//! Graphs in the DOT language of Graphviz.

use super::{Graph, GraphShape};
use crate::graphviz::Digraph;

pub(super) fn dot(graph: &Graph) -> String {
    let mut dot = Digraph::new(&["rankdir=LR", "node [fontname=\"sans-serif\", fontsize=10]"]);
    for (index, node) in graph.nodes.iter().enumerate() {
        let (shape, sign) = match node.figure {
            GraphShape::Rectangle => ("shape=box", None),
            GraphShape::Parallelogram => ("shape=parallelogram", None),
            GraphShape::Double => ("shape=doubleoctagon", None),
            GraphShape::Ellipse => ("shape=ellipse", None),
            GraphShape::And => ("shape=house", Some("and")),
            GraphShape::Or => ("shape=invhouse", Some("or")),
            GraphShape::Not => ("shape=triangle", Some("not")),
            GraphShape::Words => ("shape=plaintext", None),
        };
        let lines: Vec<&str> = sign.into_iter().chain(node.words.iter().map(String::as_str)).collect();
        let border = node.is_border.then_some("style=dashed");
        dot.node(index, &lines, [shape].into_iter().chain(border));
    }
    for &(from, to) in &graph.edges {
        dot.edge(from, to, None, []);
    }
    dot.end()
}
