//! Stages of alpha-beta: after each evaluated leaf the interval in which the value of each open node must lie, as a
//! table and as panels.

use super::{Scene, add_cuts, edge};
use crate::table::{Column, Table};
use gdl::rules::GroundTerm;
use ggp_draw::{self as drawing, DrawingNode, DrawingTree, NodeOutline};
use ggp_game::Reasoner;
use ggp_search::events::{NodeKind, shown_values};
use ggp_search::{ExploredNode, ExploredTree};
use serde::Serialize;

/// All stages that are shown.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Stages {
    stages: Vec<LeafStage>,
    /// The number of later stages.
    left_out: usize,
}

/// The moment after the evaluation of a leaf.
#[derive(Clone, Debug, Serialize)]
struct LeafStage {
    /// The moves to the leaf.
    leaf: Vec<GroundTerm>,
    value: f64,
    /// The same value as answers show it.
    #[serde(skip)]
    shown: String,
    /// The open nodes, from the root to the parent of the leaf.
    open: Vec<OpenNode>,
}

/// A node on the line to a leaf.
#[derive(Clone, Debug, Serialize)]
struct OpenNode {
    /// The moves from its parent; empty for the root.
    moves: Vec<GroundTerm>,
    /// The interval of its value, as text: bounds may be infinite.
    interval: String,
    /// The number of its moves that are cut at this stage.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<u64>,
}

/// The greatest numbers of stages in a table and of panels.
const MOST_STAGES: usize = 100;
const MOST_PANELS: usize = 24;

impl Stages {
    /// The stages of a search; `None` if the intervals are not known ([`ExploredTree::intervals`]).
    pub(crate) fn from_explored<R: Reasoner>(explored: &ExploredTree, reasoner: &R) -> Option<Self> {
        let leaves = leaves(explored);
        let stages: Option<Vec<LeafStage>> =
            leaves.iter().take(MOST_STAGES).map(|&leaf| LeafStage::new(explored, leaf, reasoner)).collect();
        Some(Self { left_out: leaves.len().saturating_sub(MOST_STAGES), stages: stages? })
    }

    /// The table: the leaf with its value, then the nodes on the line to it.
    pub(crate) fn text(&self) -> String {
        let depth = self.stages.iter().map(|stage| stage.open.len()).max().unwrap_or(0);
        let columns = [vec![Column::Right, Column::Left, Column::Right], vec![Column::Left; depth]].concat();
        let name = |moves: &[GroundTerm]| match moves {
            [] => "root".to_string(),
            moves => moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        };
        let node = |node: &OpenNode| {
            let cut = node.cut.map_or(String::new(), |cut| format!(", {cut} cut"));
            format!("{} {}{cut}", name(&node.moves), node.interval)
        };
        let rows = self.stages.iter().enumerate().map(|(number, stage)| {
            let first = [(number + 1).to_string(), name(&stage.leaf), stage.shown.clone()];
            first.into_iter().chain(stage.open.iter().map(node)).collect::<Vec<_>>()
        });
        let head = ["stage", "leaf", "value"].map(str::to_string);
        let table = Table::new(columns).row(head).rows(rows).to_string();
        match self.left_out {
            0 => table,
            count => table + &format!("… {count} stages more\n"),
        }
    }
}

impl LeafStage {
    fn new<R: Reasoner>(explored: &ExploredTree, leaf: usize, reasoner: &R) -> Option<Self> {
        let intervals = explored.intervals(leaf)?;
        let moves = |node: usize| -> Vec<GroundTerm> {
            explored.nodes[node].generated.moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect()
        };
        let open = |node: usize| OpenNode {
            moves: moves(node),
            interval: intervals[node].to_string(),
            cut: cut_by(explored, node, leaf),
        };
        let line: Vec<usize> = line(explored, leaf);
        let ExploredNode { values, worths, .. } = &explored.nodes[leaf];
        let value = values[0];
        let shown = shown_values(values, worths).swap_remove(0);
        Some(Self { leaf: moves(leaf), value, shown, open: line.into_iter().map(open).collect() })
    }
}

/// The number of pruned moves of a node, once the last of its searched descendants has been evaluated.
fn cut_by(explored: &ExploredTree, node: usize, leaf: usize) -> Option<u64> {
    let (_, left_out) = explored.nodes[node].cut?;
    // The cut happened after the last descendant was evaluated, so earlier stages do not show it.
    if last_below(explored, node) <= leaf { left_out } else { None }
}

/// The nodes above a node, from the root on.
fn line(explored: &ExploredTree, node: usize) -> Vec<usize> {
    let mut line: Vec<usize> =
        std::iter::successors(explored.nodes[node].parent, |&at| explored.nodes[at].parent).collect();
    line.reverse();
    line
}

/// The evaluated leaves, in the order of their evaluation.
fn leaves(explored: &ExploredTree) -> Vec<usize> {
    let is_leaf = |&index: &usize| {
        let node = &explored.nodes[index];
        node.expanded.is_none() && node.values.len() == 1
    };
    (0..explored.nodes.len()).filter(is_leaf).collect()
}

/// A picture with a panel for each stage, without the nodes that are not known yet.
pub(super) fn panels<R: Reasoner>(explored: &ExploredTree, scene: &Scene, reasoner: &R) -> String {
    let leaves = leaves(explored);
    let panel = |(number, &leaf): (usize, &usize)| {
        let intervals = explored.intervals(leaf)?;
        let path = line(explored, leaf);
        let mut tree = DrawingTree::default();
        for (index, node) in explored.nodes.iter().enumerate() {
            let is_inner = node.expanded.is_some();
            let shape = match node.generated.kind {
                _ if !is_inner => NodeOutline::Box,
                NodeKind::Max => NodeOutline::Up,
                NodeKind::Min => NodeOutline::Down,
                NodeKind::Chance => NodeOutline::Round,
            };
            let value = if is_inner { String::new() } else { intervals[index].short() };
            let notes = if is_inner { vec![intervals[index].to_string()] } else { Vec::new() };
            tree.nodes.push(DrawingNode {
                parent: node.parent,
                edge: edge(node, scene.node(index), reasoner),
                label: if is_inner { notes.clone() } else { vec![value.clone()] },
                value,
                notes,
                shape,
                is_bold: index == leaf || path.contains(&index),
                is_hidden: index > leaf,
                ..DrawingNode::default()
            });
        }
        let indices: Vec<Option<usize>> = (0..tree.nodes.len()).map(Some).collect();
        add_cuts(&mut tree, explored, &indices);
        for node in tree.nodes.iter_mut().skip(explored.nodes.len()) {
            let parent = node.parent.unwrap_or(0);
            node.is_hidden = last_below(explored, parent) > leaf;
        }
        let title = format!("{}: {} = {}", number + 1, tree.nodes[leaf].edge, tree.nodes[leaf].value);
        Some((title, tree))
    };
    let panels: Vec<(String, DrawingTree)> = leaves.iter().enumerate().take(MOST_PANELS).filter_map(panel).collect();
    drawing::panels(&panels)
}

/// The last node below a node, or the node itself.
fn last_below(explored: &ExploredTree, node: usize) -> usize {
    (node..explored.nodes.len())
        .take_while(|&index| index == node || line(explored, index).contains(&node))
        .last()
        .unwrap_or(node)
}
