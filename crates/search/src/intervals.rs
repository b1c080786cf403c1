//! The intervals in which the values of nodes must lie, at any moment of a search: what alpha-beta is explained with.

use super::events::{NodeKind, value_text};
use super::explored_tree::ExploredTree;
use std::fmt;

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
        for (index, node) in self.nodes.iter().enumerate().take(last + 1).rev() {
            let pruned = matches!(node.cut, Some((_, left_out)) if left_out != Some(0));
            intervals[index] = match (&node.values[..], children[index].is_empty()) {
                (&[value], true) => ValueInterval { low: value, high: value },
                (_, true) => ValueInterval::OPEN,
                _ => {
                    let known = children[index].iter().map(|&child| intervals[child]);
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
