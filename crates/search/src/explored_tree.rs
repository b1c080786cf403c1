//! The tree that a search has explored, built from the events of its observer, for drawing.

use super::Worth;
use super::events::{CutReason, Event, GeneratedNode, NodeId, Observer, Window};
use ggp_game::{Role, Utility};

/// The nodes of one search or, if it searches in rounds, of its last round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ExploredTree {
    /// The kept nodes, in the order in which they were generated; the first is the root.
    pub nodes: Vec<ExploredNode>,
    /// The number of generated nodes that were not kept because the tree was full.
    pub not_kept: u64,
    most: usize,
    expanded: u64,
}

/// A node with everything that was observed of it.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploredNode {
    /// How the node was generated.
    pub generated: GeneratedNode<'static>,
    /// The index of its parent in [`ExploredTree::nodes`].
    pub parent: Option<usize>,
    /// The ordinal number of its expansion, from 1.
    pub expanded: Option<u64>,
    /// Alpha and beta when it was expanded.
    pub window: Option<Window>,
    /// Alpha and beta in its parent after it was evaluated.
    pub narrowed: Option<Window>,
    /// Its values: one for the role that asks or, in maxn, one for each role. Empty if none was found.
    pub values: Vec<f64>,
    /// The same values as answers show them; empty in searches of means.
    pub worths: Vec<Worth>,
    /// Set if the game is over in it, with its utility if the rules give one.
    pub ended: Option<Option<Utility>>,
    /// Whether its state had been reached before.
    pub is_repeated: bool,
    /// Whether it was not searched because it lay beyond the horizon or the bound of the round.
    pub is_beyond: bool,
    /// Why successors were pruned, and their number if it is known.
    pub cut: Option<(CutReason, Option<u64>)>,
    /// Whether it is on the best line.
    pub is_best: bool,
    /// The random games through it, if random play has evaluated it.
    pub sampled: Option<NodeSample>,
}

/// What random play says of a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeSample {
    /// The number of random games through the node.
    pub visits: u32,
    /// The role whose mean utility the node has as its value: the one that alone chose the move to it, or the one that
    /// asks.
    pub side: Role,
    /// Whether the value is proven.
    pub is_proven: bool,
}

impl ExploredTree {
    /// The number of nodes to list of a tree of random games.
    pub const MOST_SAMPLED: usize = 2_000;

    /// Keeps the first `most` nodes of the search, or of each round.
    pub fn new(most: usize) -> Self {
        Self { nodes: Vec::new(), not_kept: 0, most, expanded: 0 }
    }

    /// The tree of nodes that are known already, parents before children, and the number of those that are not among
    /// them.
    pub(super) fn from_nodes(nodes: Vec<ExploredNode>, not_kept: u64) -> Self {
        Self { most: nodes.len(), nodes, not_kept, expanded: 0 }
    }

    /// The index of a node, if it was kept. The numbers of a round are consecutive.
    fn index(&self, node: NodeId) -> Option<usize> {
        let first = self.nodes.first()?.generated.node.number();
        let index = usize::try_from(node.number().checked_sub(first)?).ok()?;
        (index < self.nodes.len()).then_some(index)
    }

    fn change(&mut self, node: NodeId, change: impl FnOnce(&mut ExploredNode)) {
        if let Some(index) = self.index(node) {
            change(&mut self.nodes[index]);
        }
    }

    fn add(&mut self, generated: &GeneratedNode<'_>) {
        if generated.parent.is_none() {
            *self = Self::new(self.most);
        }
        if self.nodes.len() >= self.most {
            self.not_kept += 1;
            return;
        }
        let parent = generated.parent.and_then(|parent| self.index(parent));
        self.nodes.push(ExploredNode::new(generated.map_moves(|&chosen| chosen), parent));
    }
}

impl ExploredNode {
    /// A node of which only its generation is known.
    pub(super) fn new(generated: GeneratedNode<'static>, parent: Option<usize>) -> Self {
        Self {
            generated,
            parent,
            expanded: None,
            window: None,
            narrowed: None,
            values: Vec::new(),
            worths: Vec::new(),
            ended: None,
            is_repeated: false,
            is_beyond: false,
            cut: None,
            is_best: false,
            sampled: None,
        }
    }
}

impl Observer for ExploredTree {
    fn observe(&mut self, event: &Event<'_>) {
        match event {
            Event::Generated(generated) => self.add(generated),
            &Event::Expanded { node, window } => {
                self.expanded += 1;
                let order = self.expanded;
                self.change(node, |node| (node.expanded, node.window) = (Some(order), window));
            }
            &Event::Ended { node, utility } => self.change(node, |node| node.ended = Some(utility)),
            &Event::Repeated { node } => self.change(node, |node| node.is_repeated = true),
            &Event::Beyond { node } => self.change(node, |node| node.is_beyond = true),
            Event::Valued { node, values, worths } => {
                self.change(*node, |node| (node.values, node.worths) = (values.to_vec(), worths.to_vec()));
            }
            &Event::Narrowed { node, window } => self.change(node, |node| node.narrowed = Some(window)),
            &Event::Cut { node, left_out, reason } => self.change(node, |node| node.cut = Some((reason, left_out))),
            Event::BestLine { nodes } => nodes.iter().for_each(|&node| self.change(node, |node| node.is_best = true)),
            Event::Round { .. } | Event::RoundOver { .. } | Event::Legal { .. } | Event::Frontier { .. } => {}
        }
    }
}
