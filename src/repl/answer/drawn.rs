//! The explored tree of a search as a drawing: shapes for the sides that decide, values and bounds, probabilities, and
//! on demand the boards.

mod list;
mod scene;
mod stages;

pub(crate) use scene::{NodeScene, Scene, SceneBoards};
pub(crate) use stages::Stages;

use gdl::quantity::{counted, counted_as, grouped};
use ggp_draw as drawing;
use ggp_draw::{DrawingNode, DrawingTree, NodeOutline};
use ggp_game::Reasoner;
use ggp_search::events::{Estimate, NodeKind, shown_values, value_text};
use ggp_search::{ExploredNode, ExploredTree, NodeSample, ValueInterval};
use serde::Serialize;

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
    /// A line for each node, indented by its depth, with its score and the bounds after it.
    List,
    /// The input language of Graphviz.
    Dot,
    /// SVG, which browsers show.
    Svg,
    /// SVG with a panel for each stage of alpha-beta.
    Stages,
}

impl TreeFormat {
    /// The format with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        let known = [
            ("text", Self::Text),
            ("list", Self::List),
            ("dot", Self::Dot),
            ("svg", Self::Svg),
            ("stages", Self::Stages),
        ];
        known.into_iter().find_map(|(known, format)| (known == name).then_some(format))
    }
}

impl DrawnTree {
    /// A sentence about the file.
    pub(super) fn text(&self) -> String {
        let folded = match self.drawn == self.nodes {
            true => String::new(),
            false => format!(", {} of them drawn, the others counted", grouped(self.drawn)),
        };
        format!("{}: the explored tree, {}{folded}\n", self.file, counted_as(self.nodes, "node", "nodes"))
    }

    /// Draws a tree, folded to about `most` nodes; returns its description and its text.
    pub(crate) fn new<R: Reasoner>(
        explored: &ExploredTree,
        scene: &Scene,
        reasoner: &R,
        format: TreeFormat,
        file: String,
        most: usize,
    ) -> (Self, String) {
        let nodes = explored.nodes.len() as u64 + explored.not_kept;
        let described = |drawn| Self { format, file, nodes, drawn };
        match format {
            TreeFormat::List => (described(nodes), list::list(explored, scene, reasoner)),
            TreeFormat::Stages => (described(nodes), stages::panels(explored, scene, reasoner)),
            TreeFormat::Text | TreeFormat::Dot | TreeFormat::Svg => {
                let mut tree = picture(explored, scene, reasoner).folded(most);
                if explored.not_kept > 0 {
                    let label = vec![format!("… {} nodes more", explored.not_kept)];
                    let rest = DrawingNode {
                        parent: Some(0),
                        label,
                        shape: NodeOutline::Plain,
                        is_pale: true,
                        ..DrawingNode::default()
                    };
                    tree.nodes.push(rest);
                }
                let text = match format {
                    TreeFormat::Text => drawing::text(&tree),
                    TreeFormat::Dot => drawing::dot(&tree),
                    _ => drawing::svg(&tree),
                };
                let drawn = tree.nodes.iter().filter(|node| node.shape != NodeOutline::Plain).count() as u64;
                (described(drawn), text)
            }
        }
    }
}

/// The drawn form of a whole tree; children that a scene joins are drawn once.
fn picture<R: Reasoner>(explored: &ExploredTree, scene: &Scene, reasoner: &R) -> DrawingTree {
    let last = explored.nodes.len().saturating_sub(1);
    let intervals = if scene.has_windows { explored.intervals(last) } else { None };
    let ties = ties(explored, scene, intervals.as_deref());
    let mut tree = DrawingTree::default();
    let mut indices = vec![None; explored.nodes.len()];
    for (index, node) in explored.nodes.iter().enumerate() {
        let parent = node.parent.and_then(|parent| indices[parent]);
        if scene.is_joined(index) || node.parent.is_some() && parent.is_none() {
            continue;
        }
        let interval = intervals.as_ref().map(|intervals| intervals[index]);
        let drawn = shape(node, explored, interval, scene.node(index), reasoner);
        indices[index] = Some(tree.nodes.len());
        tree.nodes.push(DrawingNode { parent, ..marked_as_equal(drawn, ties[index]) });
    }
    add_cuts(&mut tree, explored, &indices);
    tree
}

/// The drawn form of a node.
fn shape<R: Reasoner>(
    node: &ExploredNode,
    explored: &ExploredTree,
    interval: Option<ValueInterval>,
    sight: &NodeScene,
    reasoner: &R,
) -> DrawingNode {
    let first = explored.nodes[0].generated.node.number();
    let number = format!("#{}", node.generated.node.number() - first);
    let mut label = vec![match &sight.roles[..] {
        "" => number,
        roles => format!("{number} {roles}"),
    }];
    if let Some(estimate) = node.generated.estimate {
        label.push(estimate_text(estimate));
    }
    if let Some(window) = node.window {
        label.push(format!("α {}, β {}", value_text(window.alpha), value_text(window.beta)));
    }
    label.extend(node.sampled.map(|sampled| counted(sampled.visits as usize, "visit")));
    let mut notes = label.clone();
    let value = value(node, interval);
    label.extend((!value.is_empty()).then(|| value.clone()));
    if let Some(side) = side(node, reasoner) {
        label.extend((!value.is_empty()).then(|| side.clone()));
        notes.extend((!value.is_empty()).then_some(side));
    }
    if node.is_repeated {
        label.push("seen".to_string());
        notes.push("seen".to_string());
    }
    let shape = match node.generated.kind {
        _ if node.ended.is_some() => NodeOutline::Double,
        // With a value for each role every role maximises its own.
        NodeKind::Max | NodeKind::Min if node.values.len() > 1 => NodeOutline::Up,
        NodeKind::Max => NodeOutline::Up,
        NodeKind::Min => NodeOutline::Down,
        NodeKind::Chance => NodeOutline::Round,
    };
    DrawingNode {
        edge: edge(node, sight, reasoner),
        label,
        value,
        notes,
        board: sight.board.clone(),
        shape,
        is_bold: node.is_best,
        is_pale: node.is_repeated || node.is_beyond,
        weight: node.sampled.map_or(0, |sampled| sampled.visits),
        ..DrawingNode::default()
    }
}

/// Whose mean the value of a sampled node is, and whether it is proven; `None` if there is nothing to say.
fn side<R: Reasoner>(node: &ExploredNode, reasoner: &R) -> Option<String> {
    let NodeSample { side, is_proven, .. } = node.sampled?;
    let proven = if is_proven { "proven" } else { "" };
    match reasoner.roles() {
        [_] => is_proven.then(|| proven.to_string()),
        roles => Some(format!("{proven} for {}", roles[side.index()]).trim_start().to_string()),
    }
}

/// The value of a node: a mean with one decimal; a bound where only that is known; several values where several roles
/// have one.
fn value(node: &ExploredNode, interval: Option<ValueInterval>) -> String {
    let shown = shown_values(&node.values, &node.worths);
    match (&shown[..], interval) {
        ([_], _) if node.sampled.is_some_and(|sampled| !sampled.is_proven) => format!("{:.1}", node.values[0]),
        ([_], Some(interval)) if interval.low != interval.high => interval.short(),
        ([], _) => node.ended.flatten().map_or(String::new(), |utility| utility.to_string()),
        ([value], _) => value.clone(),
        (values, _) => format!("({})", values.join(", ")),
    }
}

/// The moves to a node, with the probability where chance makes them, and the number of joined siblings.
fn edge<R: Reasoner>(node: &ExploredNode, sight: &NodeScene, reasoner: &R) -> String {
    let moves = node.generated.moves.iter().map(|&chosen| reasoner.move_term(chosen));
    let moves: Vec<String> = match sight.chance.is_some_and(|(ways, _)| ways > 1) {
        // Equal moves of chance that lead to one state are named by their function.
        true => moves.map(|chosen| chosen.name.to_string()).collect(),
        false => moves.map(|chosen| chosen.to_string()).collect(),
    };
    let moves = moves.join(", ");
    if let Some(probability) = node.generated.probability {
        return format!("{moves} {}", (probability * 1e4).round() / 1e4);
    }
    match (sight.chance, sight.joined) {
        (Some((ways, all)), _) => {
            let divisor = greatest_common_divisor(ways, all);
            format!("{moves} {}/{}", ways / divisor, all / divisor)
        }
        (None, 0) => moves,
        (None, joined) => format!("{moves} ×{}", joined + 1),
    }
}

fn greatest_common_divisor(left: usize, right: usize) -> usize {
    if right == 0 { left.max(1) } else { greatest_common_divisor(right, left % right) }
}

/// For each node whether another child of its parent is worth as much to the side that decides there, which takes one
/// of them.
fn ties(explored: &ExploredTree, scene: &Scene, intervals: Option<&[ValueInterval]>) -> Vec<bool> {
    let mut tied = vec![false; explored.nodes.len()];
    for (parent, children) in explored.children().iter().enumerate() {
        let decides = scene.node(parent).decides;
        let worth = |node: usize| {
            let values = &explored.nodes[node].values;
            let is_exact = intervals.is_none_or(|intervals| intervals[node].low == intervals[node].high)
                && explored.nodes[node].sampled.is_none_or(|sampled| sampled.is_proven);
            let own = if values.len() > 1 { values.get(decides?) } else { values.first() };
            if is_exact { own.copied() } else { None }
        };
        let is_chance = explored.nodes[parent].generated.kind == NodeKind::Chance;
        let Some(best) = children.iter().find(|&&child| explored.nodes[child].is_best).and_then(|&child| worth(child))
        else {
            continue;
        };
        let equal: Vec<usize> = children.iter().copied().filter(|&child| worth(child) == Some(best)).collect();
        if equal.len() > 1 && !is_chance && explored.nodes[parent].is_best {
            equal.iter().for_each(|&child| tied[child] = true);
        }
    }
    tied
}

/// A node that is marked as one of several equally good children.
fn marked_as_equal(mut node: DrawingNode, is_tied: bool) -> DrawingNode {
    if is_tied {
        node.label.push("tie".to_string());
        node.notes.push("tie".to_string());
    }
    node
}

/// Adds a node wherever successors were pruned.
fn add_cuts(tree: &mut DrawingTree, explored: &ExploredTree, indices: &[Option<usize>]) {
    for (node, &index) in explored.nodes.iter().zip(indices) {
        if let (Some((_, left_out)), Some(index)) = (node.cut, index) {
            let label = match left_out {
                Some(1) => "1 move".to_string(),
                Some(count) => format!("{count} moves"),
                None => "…".to_string(),
            };
            tree.nodes.push(DrawingNode {
                parent: Some(index),
                label: vec![label],
                shape: NodeOutline::Plain,
                is_pale: true,
                is_cut: true,
                ..DrawingNode::default()
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
