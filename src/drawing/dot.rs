//! Trees in the language of Graphviz.

use super::tree::{Shape, Tree};
use std::fmt::Write;

/// The tree as a directed graph that `dot -Tsvg` draws.
pub fn dot(tree: &Tree) -> String {
    let mut out = "digraph tree {\n  node [shape=box, fontname=\"sans-serif\", fontsize=11];\n".to_string();
    out += "  edge [arrowhead=none, fontname=\"sans-serif\", fontsize=10];\n";
    for (index, node) in tree.nodes.iter().enumerate() {
        let mut attributes = vec![format!("label=\"{}\"", escaped(&node.label.join("\n")))];
        attributes.extend(match node.shape {
            Shape::Box => None,
            Shape::Soft => Some("style=rounded".to_string()),
            Shape::Round => Some("shape=ellipse".to_string()),
            Shape::Double => Some("peripheries=2".to_string()),
            Shape::Plain => Some("shape=plain".to_string()),
        });
        let bold = node.is_bold.then(|| "penwidth=2.5".to_string());
        let pale = node.is_pale.then(|| "color=gray, fontcolor=gray".to_string());
        attributes.extend(bold.into_iter().chain(pale));
        let _ = writeln!(out, "  n{index} [{}];", attributes.join(", "));
        if let Some(parent) = node.parent {
            let mut attributes = vec![format!("label=\"{}\"", escaped(&node.edge))];
            attributes.extend(node.is_bold.then(|| "penwidth=2.5".to_string()));
            attributes.extend(node.is_cut.then(|| "arrowhead=tee, style=dashed".to_string()));
            let _ = writeln!(out, "  n{parent} -> n{index} [{}];", attributes.join(", "));
        }
    }
    out + "}\n"
}

/// Text within quotation marks; line breaks are centred ones.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
