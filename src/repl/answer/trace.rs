//! What was observed of a search, as part of its answer: its events, and the tree that it explored.

use crate::drawing::{self, Node, Shape, Tree};
use crate::game::Reasoner;
use crate::rules::GroundTerm;
use crate::search::trace::{Estimate, NodeKind, value_text};
use crate::search::{Event, ExploredNode, ExploredTree, NodeId, Recorder};
use serde::Serialize;

/// The events of a search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Trace {
    /// The events, in the order in which they happened.
    pub(crate) events: Vec<Event<'static, GroundTerm>>,
    /// The states of the nodes, if `--positions` was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) positions: Vec<NodePosition>,
    /// The number of later events, which are not shown.
    pub(crate) left_out: u64,
}

/// The state of a node.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NodePosition {
    /// The node.
    pub node: NodeId,
    /// The facts that hold in its state, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    pub text: String,
}

/// A file with a drawing of the explored tree.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DrawnTree {
    /// The format of the drawing.
    pub(crate) format: TreeFormat,
    /// The name of the file.
    pub(crate) file: String,
    /// The number of nodes of the explored tree.
    pub(crate) nodes: u64,
    /// The number of nodes that are drawn individually; the others are summarised.
    pub(crate) drawn: u64,
}

/// The format of a drawn tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TreeFormat {
    /// Text with box-drawing characters, for a terminal.
    Text,
    /// The input language of Graphviz.
    Dot,
    /// SVG, which browsers show.
    Svg,
}

impl TreeFormat {
    /// The format with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        [("text", Self::Text), ("dot", Self::Dot), ("svg", Self::Svg)]
            .into_iter()
            .find_map(|(known, format)| (known == name).then_some(format))
    }
}

impl Trace {
    /// The recorded events, with moves as the reasoner's terms.
    pub(crate) fn of<R: Reasoner>(recorder: Recorder, reasoner: &R) -> Self {
        let Recorder { events, left_out, .. } = recorder;
        let shown = |event: &Event<'_>| event.map_moves(|&chosen| reasoner.move_term(chosen));
        Self { events: events.iter().map(shown).collect(), left_out, positions: Vec::new() }
    }
}

impl DrawnTree {
    /// Draws a tree, folded to about `most` nodes; returns its description and its text.
    pub(crate) fn of<R: Reasoner>(
        explored: &ExploredTree,
        reasoner: &R,
        format: TreeFormat,
        file: String,
        most: usize,
    ) -> (Self, String) {
        let nodes = explored.nodes.len() as u64 + explored.not_kept;
        let mut tree = Tree { nodes: explored.nodes.iter().map(|node| shape(node, explored, reasoner)).collect() };
        add_cuts(&mut tree, explored);
        tree = tree.folded(most);
        if explored.not_kept > 0 {
            let label = vec![format!("… {} nodes more", explored.not_kept)];
            tree.nodes.push(Node { parent: Some(0), label, shape: Shape::Plain, is_pale: true, ..Node::default() });
        }
        let text = match format {
            TreeFormat::Text => drawing::text(&tree),
            TreeFormat::Dot => drawing::dot(&tree),
            TreeFormat::Svg => drawing::svg(&tree),
        };
        let drawn = tree.nodes.iter().filter(|node| node.shape != Shape::Plain).count() as u64;
        (Self { format, file, nodes, drawn }, text)
    }
}

/// The drawn form of a node.
fn shape<R: Reasoner>(node: &ExploredNode, explored: &ExploredTree, reasoner: &R) -> Node {
    let first = explored.nodes[0].generated.node.number();
    let mut label = vec![format!("#{}", node.generated.node.number() - first)];
    if let Some(estimate) = node.generated.estimate {
        label.push(estimate_text(estimate));
    }
    if let Some(window) = node.window {
        label.push(format!("α {}, β {}", value_text(window.alpha), value_text(window.beta)));
    }
    if !node.values.is_empty() {
        let values: Vec<String> = node.values.iter().copied().map(value_text).collect();
        label.push(values.join(", "));
    } else if let Some(Some(utility)) = node.ended {
        label.push(utility.to_string());
    }
    if node.is_repeated {
        label.push("seen".to_string());
    }
    let shape = match node.generated.kind {
        _ if node.ended.is_some() => Shape::Double,
        NodeKind::Max => Shape::Box,
        NodeKind::Min => Shape::Soft,
        NodeKind::Chance => Shape::Round,
    };
    let moves: Vec<String> =
        node.generated.moves.iter().map(|&chosen| reasoner.move_term(chosen).to_string()).collect();
    Node {
        parent: node.parent,
        edge: moves.join(", "),
        label,
        shape,
        is_bold: node.is_best,
        is_pale: node.is_repeated || node.is_beyond,
        is_cut: false,
    }
}

/// Adds a node wherever successors were pruned.
fn add_cuts(tree: &mut Tree, explored: &ExploredTree) {
    for (index, node) in explored.nodes.iter().enumerate() {
        if let Some((_, left_out)) = node.cut {
            let label = match left_out {
                Some(1) => "1 move".to_string(),
                Some(count) => format!("{count} moves"),
                None => "…".to_string(),
            };
            tree.nodes.push(Node {
                parent: Some(index),
                label: vec![label],
                shape: Shape::Plain,
                is_pale: true,
                is_cut: true,
                ..Node::default()
            });
        }
    }
}

/// Cost so far, estimated cost to go, and their sum, as text.
pub(crate) fn estimate_text(estimate: Estimate) -> String {
    match (estimate.to_go, estimate.total()) {
        (Some(to_go), Some(total)) => format!("{} + {to_go} = {total}", estimate.so_far),
        _ => format!("{} + ∞", estimate.so_far),
    }
}
