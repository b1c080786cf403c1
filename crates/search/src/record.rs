//! Observers that keep what a search has done, to show it when the search is over: its tree, its first events, or its
//! rounds.
//!
//! The intervals of the values of a tree's nodes, as far as they are known at a moment, explain alpha-beta.

use super::Worth;
use super::events::{
    Bound, CutReason, Event, GeneratedNode, NodeId, NodeKind, Observer, RoundCost, Window, value_text,
};
use ggp_game::{Role, Utility};
use serde::Serialize;
use std::fmt;

/// The explored nodes of one search or, if it searches in rounds, of its last round.
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
    /// The event that generated the node.
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
    /// True if its state had been reached before.
    pub is_repeated: bool,
    /// True if it was not searched because it lay beyond the horizon or the bound of the round.
    pub is_beyond: bool,
    /// The reason why successors were pruned, and their number if it is known.
    pub cut: Option<(CutReason, Option<u64>)>,
    /// True if it is on the best line.
    pub is_best: bool,
    /// The random games through it, if random play has evaluated it.
    pub sampled: Option<NodeSample>,
}

/// The statistics of a node that random play has evaluated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeSample {
    /// The number of random games through the node.
    pub visits: u32,
    /// The role whose mean utility the node has as its value: the one that alone chose the move to it, or the one that
    /// asks.
    pub side: Role,
    /// True if the value is proven.
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
        // A node without a parent begins a new round, whose tree replaces that of the last one.
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
            // The tree of random games is drawn as it is in the end.
            Event::Selected { .. } | Event::Sampled { .. } | Event::Averaged { .. } => {}
            Event::Round { .. } | Event::RoundOver { .. } | Event::Legal { .. } | Event::Frontier { .. } => {}
        }
    }
}

/// The least and the greatest value that a node may have, as far as its evaluated descendants tell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueInterval {
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

impl ValueInterval {
    /// Nothing is known.
    const OPEN: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The value as it is written into a node: exact, a bound, or both bounds.
    pub fn short(self) -> String {
        let Self { low, high } = self;
        match (low == f64::NEG_INFINITY, high == f64::INFINITY) {
            _ if low == high => value_text(low),
            (true, true) => String::new(),
            (true, false) => format!("≤ {}", value_text(high)),
            (false, true) => format!("≥ {}", value_text(low)),
            (false, false) => format!("{} to {}", value_text(low), value_text(high)),
        }
    }
}

impl fmt::Display for ValueInterval {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}, {}]", value_text(self.low), value_text(self.high))
    }
}

impl ExploredTree {
    /// The children of each node, by their indices.
    pub fn children(&self) -> Vec<Vec<usize>> {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            if let Some(parent) = node.parent {
                children[parent].push(index);
            }
        }
        children
    }

    /// For each node the interval of its value at the moment when the node `last` has been evaluated: later nodes are
    /// not known, and neither are pruned ones. `None` if values of the tree come from a table, where they may be
    /// bounds, if several roles choose at once, or if nodes are missing.
    pub fn intervals(&self, last: usize) -> Option<Vec<ValueInterval>> {
        let is_plain = |node: &super::ExploredNode| !node.is_repeated && node.generated.moves.len() <= 1;
        if self.not_kept > 0 || !self.nodes.iter().all(is_plain) {
            return None;
        }
        let children = self.children();
        let mut intervals = vec![ValueInterval::OPEN; self.nodes.len()];
        // Children come after their parents, so backwards their intervals are known first.
        for (index, node) in self.nodes.iter().enumerate().take(last + 1).rev() {
            let pruned = matches!(node.cut, Some((_, left_out)) if left_out != Some(0));
            intervals[index] = match (&node.values[..], children[index].is_empty()) {
                (&[value], true) => ValueInterval { low: value, high: value },
                (_, true) => ValueInterval::OPEN,
                _ => {
                    let known = children[index].iter().map(|&child| intervals[child]);
                    // The value of a pruned child may be anything.
                    together(node.generated.kind, known.chain(pruned.then_some(ValueInterval::OPEN)))
                }
            };
        }
        Some(intervals)
    }
}

/// The interval of a node from those of its children.
fn together(kind: NodeKind, children: impl Iterator<Item = ValueInterval>) -> ValueInterval {
    let children: Vec<ValueInterval> = children.collect();
    let lows = children.iter().map(|child| child.low);
    let highs = children.iter().map(|child| child.high);
    match kind {
        NodeKind::Max => {
            ValueInterval { low: lows.fold(f64::NEG_INFINITY, f64::max), high: highs.fold(f64::NEG_INFINITY, f64::max) }
        }
        NodeKind::Min => {
            ValueInterval { low: lows.fold(f64::INFINITY, f64::min), high: highs.fold(f64::INFINITY, f64::min) }
        }
        NodeKind::Chance => {
            let count = children.len() as f64;
            ValueInterval { low: lows.sum::<f64>() / count, high: highs.sum::<f64>() / count }
        }
    }
}

/// Stores the first events of a search, up to a limit; later events are only counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The stored events, in order.
    pub events: Vec<Event<'static>>,
    /// The number of events that were not stored.
    pub left_out: u64,
    most: usize,
    /// The number of waiting nodes that are stored of each frontier; `None` for no frontiers.
    waiting: Option<usize>,
    moves: bool,
}

impl Recorder {
    /// Stores at most `most` events.
    pub fn new(most: usize) -> Self {
        Self { events: Vec::new(), left_out: 0, most, waiting: None, moves: false }
    }

    /// Stores the nodes that wait as well: at each change the first ones, up to this number.
    #[must_use]
    pub fn with_frontier(self, nodes: usize) -> Self {
        Self { waiting: Some(nodes), ..self }
    }

    /// Stores the legal moves of expanded nodes as well.
    #[must_use]
    pub fn with_moves(self) -> Self {
        Self { moves: true, ..self }
    }
}

impl Observer for Recorder {
    fn wants_frontier(&self) -> bool {
        self.waiting.is_some() && self.events.len() < self.most
    }

    fn wants_moves(&self) -> bool {
        self.moves
    }

    fn observe(&mut self, event: &Event<'_>) {
        if self.events.len() >= self.most && !matches!(event, Event::BestLine { .. }) {
            self.left_out += 1;
            return;
        }
        self.events.push(match (event, self.waiting) {
            (Event::Frontier { nodes }, Some(most)) => {
                Event::Frontier { nodes: nodes[..most.min(nodes.len())].to_vec().into() }
            }
            (event, _) => event.map_moves(|&chosen| chosen),
        });
    }
}

/// An observer that keeps the cost of each round of an iterative search, and nothing else.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RoundRecorder {
    /// The rounds that are over, in order.
    pub rounds: Vec<EndedRound>,
}

/// A round of an iterative search that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct EndedRound {
    /// The bound of the round.
    #[serde(flatten)]
    pub bound: Bound,
    /// Its cost, without the rounds before it.
    #[serde(flatten)]
    pub cost: RoundCost,
}

impl Observer for RoundRecorder {
    fn is_on(&self) -> bool {
        false
    }

    fn observe(&mut self, event: &Event<'_>) {
        if let &Event::RoundOver { bound, cost } = event {
            self.rounds.push(EndedRound { bound, cost });
        }
    }
}
