//! Graphs in the DOT language of Graphviz.

use super::{Figure, Graph};
use crate::drawing::graphviz::Digraph;

pub(super) fn dot(graph: &Graph) -> String {
    let mut dot = Digraph::new(&["rankdir=LR", "node [fontname=\"sans-serif\", fontsize=10]"]);
    for (index, node) in graph.nodes.iter().enumerate() {
        let (shape, sign) = match node.figure {
            Figure::Rectangle => ("shape=box", None),
            Figure::Parallelogram => ("shape=parallelogram", None),
            Figure::Double => ("shape=doubleoctagon", None),
            Figure::Ellipse => ("shape=ellipse", None),
            Figure::And => ("shape=house", Some("and")),
            Figure::Or => ("shape=invhouse", Some("or")),
            Figure::Not => ("shape=triangle", Some("not")),
            Figure::Words => ("shape=plaintext", None),
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
