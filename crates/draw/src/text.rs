//! Trees as plain text, one line per node.

use super::tree::{DrawingNode, DrawingTree, NodeOutline};

/// The tree with lines from the nodes to their parents. A bold node has a star, a cut one a cross at its line;
/// chance nodes stand in parentheses, terminal nodes in brackets.
pub fn text(tree: &DrawingTree) -> String {
    let children = tree.children();
    let mut out = String::new();
    // Nodes to draw, with the texts before them and before their children.
    let mut stack = match tree.nodes.is_empty() {
        true => Vec::new(),
        false => vec![(0, String::new(), String::new())],
    };
    while let Some((index, before, below)) = stack.pop() {
        out += &format!("{before}{}\n", line(&tree.nodes[index]));
        for (at, &child) in children[index].iter().enumerate().rev() {
            let is_last = at + 1 == children[index].len();
            let (corner, bar) = match (is_last, tree.nodes[child].is_cut) {
                (true, false) => ("└─ ", "   "),
                (false, false) => ("├─ ", "│  "),
                (true, true) => ("└× ", "   "),
                (false, true) => ("├× ", "│  "),
            };
            stack.push((child, format!("{below}{corner}"), format!("{below}{bar}")));
        }
    }
    out
}

fn line(node: &DrawingNode) -> String {
    let label = node.label.join(", ");
    let label = match node.shape {
        NodeOutline::Round => format!("({label})"),
        NodeOutline::Double => format!("[{label}]"),
        NodeOutline::Up => format!("△ {label}"),
        NodeOutline::Down => format!("▽ {label}"),
        NodeOutline::Box | NodeOutline::Plain => label,
    };
    let star = if node.is_bold { " *" } else { "" };
    match node.edge.as_str() {
        "" => format!("{label}{star}"),
        edge => format!("{edge}: {label}{star}"),
    }
}
