//! What is drawn: nodes with labels, each below its parent.

/// A tree; a parent stands before its children, and children of one parent in their order. The first node is the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node as it looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// The place of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// What stands at the line from its parent.
    pub edge: String,
    /// What stands in it, line by line.
    pub label: Vec<String>,
    /// Its outline.
    pub shape: Shape,
    /// Whether it, and the line to it, are bold.
    pub is_bold: bool,
    /// Whether it is pale: it was left alone.
    pub is_pale: bool,
    /// Whether it was cut off: a stroke goes through the line to it.
    pub is_cut: bool,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// A box.
    #[default]
    Box,
    /// A box with round corners: where somebody else decides.
    Soft,
    /// A circle or ellipse: where chance decides.
    Round,
    /// Two boxes, one in the other: an end.
    Double,
    /// No outline: words only.
    Plain,
}

impl Tree {
    /// For each node the places of its children.
    pub(super) fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        children
    }
}
