//! The data of a drawing: nodes with labels, each below its parent.

use super::grid::Grid;

/// A tree; a parent comes before its children, and children of one parent are in order. The first node is the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawingTree {
    /// The nodes, parents before children.
    pub nodes: Vec<DrawingNode>,
}

/// A node as it is drawn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DrawingNode {
    /// The index of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// The text of the edge from its parent.
    pub edge: String,
    /// The text of the node, line by line, for drawings in which its shape holds all of it.
    pub label: Vec<String>,
    /// The value, which an SVG drawing writes into the shape; the rest of the label is then written beside it.
    pub value: String,
    /// The text beside the shape of an SVG drawing, line by line.
    pub notes: Vec<String>,
    /// A board that an SVG drawing shows below the shape.
    pub board: Grid,
    /// The outline of the node.
    pub shape: NodeOutline,
    /// Whether it is bold, with the edge to it.
    pub is_bold: bool,
    /// Whether it is pale, because it was not searched.
    pub is_pale: bool,
    /// Whether it was cut off, so that the edge to it is crossed out.
    pub is_cut: bool,
    /// Whether only its space is kept: in a panel, because it is not known yet.
    pub is_hidden: bool,
    /// How much it matters when the tree is folded, in trees whose nodes have weights; never more than its parent's.
    pub weight: u32,
}

/// The outline of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeOutline {
    /// A box with sharp corners.
    #[default]
    Box,
    /// A triangle with its tip above: a node in which the side that maximises decides.
    Up,
    /// A triangle with its tip below: a node in which the other side decides.
    Down,
    /// A circle or ellipse, for chance nodes.
    Round,
    /// A double box, for terminal nodes.
    Double,
    /// Text without an outline.
    Plain,
}

impl DrawingNode {
    /// The lines inside the shape of an SVG drawing: the value, or the whole label where there are no notes.
    pub(super) fn inside(&self) -> &[String] {
        if self.notes.is_empty() && self.value.is_empty() { &self.label } else { std::slice::from_ref(&self.value) }
    }
}

impl DrawingTree {
    /// For each node, the indices of its children.
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
