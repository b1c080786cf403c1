//! Trees in the DOT language of Graphviz.

use super::graphviz::Digraph;
use super::tree::{DrawingTree, NodeOutline};

/// The tree as a directed graph that `dot -Tsvg` draws.
pub fn dot(tree: &DrawingTree) -> String {
    let mut out = Digraph::new(&[
        "node [shape=box, fontname=\"sans-serif\", fontsize=11]",
        "edge [arrowhead=none, fontname=\"sans-serif\", fontsize=10]",
    ]);
    for (index, node) in tree.nodes.iter().enumerate() {
        let shape = match node.shape {
            NodeOutline::Box => None,
            NodeOutline::Up => Some("shape=triangle"),
            NodeOutline::Down => Some("shape=invtriangle"),
            NodeOutline::Round => Some("shape=ellipse"),
            NodeOutline::Double => Some("peripheries=2"),
            NodeOutline::Plain => Some("shape=plain"),
        };
        let bold = node.is_bold.then_some("penwidth=2.5");
        let pale = node.is_pale.then_some("color=gray, fontcolor=gray");
        let cut = node.is_cut.then_some("arrowhead=tee, style=dashed");
        out.node(index, &node.label, shape.into_iter().chain(bold).chain(pale));
        if let Some(parent) = node.parent {
            out.edge(parent, index, Some(&node.edge), bold.into_iter().chain(cut));
        }
    }
    out.end()
}
