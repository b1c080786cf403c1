//! Labelled trees: their data, a reduction to a readable size, and drawings as plain text and for Graphviz.

use super::document::Digraph;
use super::grid::Grid;
use gdl::sorting;
use std::cmp::Reverse;
use std::collections::VecDeque;

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
    /// True if it is bold, with the edge to it.
    pub is_bold: bool,
    /// True if it is pale, because it was not searched.
    pub is_pale: bool,
    /// True if it was cut off, so that the edge to it is crossed out.
    pub is_cut: bool,
    /// True if only its space is kept: in a panel, because it is not known yet.
    pub is_hidden: bool,
    /// The importance for folding, in trees whose nodes have weights; never more than its parent's.
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

impl DrawingTree {
    /// The tree with about `most` nodes or fewer: first the bold ones and their siblings, then those nearest to the
    /// root; in a tree with weights the heaviest. Omitted children become one node, which shows the number of omitted
    /// nodes including all descendants.
    pub fn folded(&self, most: usize) -> Self {
        if self.nodes.len() <= most {
            return self.clone();
        }
        let children = self.children();
        let has_weights = self.nodes.iter().any(|node| node.weight > 0);
        let is_kept = if has_weights { self.choose_heaviest(most) } else { self.choose(&children, most) };
        let sizes = self.sizes();
        let mut indices = vec![None; self.nodes.len()];
        let mut folded = Self::default();
        for (index, node) in self.nodes.iter().enumerate() {
            if is_kept[index] {
                indices[index] = Some(folded.nodes.len());
                // A parent comes before its children, so its new index is known.
                let parent = node.parent.and_then(|parent| indices[parent]);
                folded.nodes.push(DrawingNode { parent, ..node.clone() });
            }
        }
        for (index, children) in children.iter().enumerate() {
            let hidden: usize = children.iter().filter(|&&child| !is_kept[child]).map(|&child| sizes[child]).sum();
            if is_kept[index] && hidden > 0 {
                let label = vec![format!("… {hidden} {}", if hidden == 1 { "node" } else { "nodes" })];
                folded.nodes.push(DrawingNode {
                    parent: indices[index],
                    label,
                    shape: NodeOutline::Plain,
                    is_pale: true,
                    ..DrawingNode::default()
                });
            }
        }
        folded
    }

    /// True for each node that is kept. All children of a node are kept or none, so that a fold never hides only some
    /// siblings.
    fn choose(&self, children: &[Vec<usize>], most: usize) -> Vec<bool> {
        let mut is_kept = vec![false; self.nodes.len()];
        let mut kept = 1;
        is_kept[0] = true;
        let bold = self.nodes.iter().enumerate().filter(|(_, node)| node.is_bold);
        let bold: Vec<usize> = bold.map(|(index, _)| index).collect();
        let mut queue: VecDeque<usize> = bold.into_iter().chain([0]).collect();
        while let Some(index) = queue.pop_front() {
            let fresh: Vec<usize> = children[index].iter().copied().filter(|&child| !is_kept[child]).collect();
            if !is_kept[index] || kept + fresh.len() > most {
                continue;
            }
            for child in fresh {
                is_kept[child] = true;
                kept += 1;
            }
            queue.extend(children[index].iter().copied());
        }
        is_kept
    }

    /// True for the `most` heaviest nodes. Bold nodes come first; of equal weights the parents do.
    fn choose_heaviest(&self, most: usize) -> Vec<bool> {
        let mut order: Vec<usize> = (0..self.nodes.len()).collect();
        sorting::sort_by_key(&mut order, |&index| {
            (Reverse(self.nodes[index].is_bold), Reverse(self.nodes[index].weight), index)
        });
        let mut is_kept = vec![false; self.nodes.len()];
        order.into_iter().take(most).for_each(|index| is_kept[index] = true);
        is_kept
    }

    /// The number of nodes of the subtree of each node.
    fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![1; self.nodes.len()];
        // Children come after their parents, so a size is complete when it is added to the parent's.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if let Some(parent) = node.parent {
                sizes[parent] += sizes[index];
            }
        }
        sizes
    }
}

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
