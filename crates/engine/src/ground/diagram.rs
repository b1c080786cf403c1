//! Decision diagrams: sets of tuples, compact if a relation has many tuples but few distinct remainders.
//!
//! A node represents the possible values of the columns from its level on: for each value of its column, the node of
//! the rest. Equal nodes are shared, so the 9! permutations of nine values take 512 nodes, one for each set of used
//! values. Every path has all levels, which makes the diagram an automaton whose transitions are relations.
//! (Multi-valued decision diagrams: Srinivasan, Kam, Malik and Brayton, 1990.)

use gdl::number::to_u32;
use gdl::sorting;
use rustc_hash::FxHashMap;

/// A node, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct DiagramNode(u32);

/// The node of the empty set, at every level.
pub(super) const NOTHING: DiagramNode = DiagramNode(0);
/// The node after the last level.
const END: DiagramNode = DiagramNode(1);

/// A diagram that would have more nodes, or need more steps to build, is given up.
const MOST_NODES: usize = 1 << 13;
const MOST_STEPS: usize = 1 << 17;

/// An operation on two sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum SetOperation {
    /// The intersection.
    And,
    /// The union.
    Or,
    /// The difference: the first set without the second.
    Minus,
}

/// A transition of a diagram: at some level, from a node by a value to a node of the next level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct DiagramStep {
    pub(super) from: DiagramNode,
    pub(super) value: usize,
    pub(super) to: DiagramNode,
}

/// Sets of tuples of values below `values`, all with the same number of columns.
#[derive(Debug)]
pub(super) struct Diagram {
    values: usize,
    levels: usize,
    /// For each node its children, by value; the two terminal nodes have none.
    nodes: Vec<Box<[DiagramNode]>>,
    numbers: FxHashMap<Box<[DiagramNode]>, DiagramNode>,
    combined: FxHashMap<(SetOperation, DiagramNode, DiagramNode), DiagramNode>,
}

impl Diagram {
    /// A diagram that has no set yet.
    pub(super) fn new(values: usize, levels: usize) -> Self {
        let ends = vec![Box::default(), Box::default()];
        Self { values, levels, nodes: ends, numbers: FxHashMap::default(), combined: FxHashMap::default() }
    }

    /// The set of all tuples.
    pub(super) fn everything(&mut self) -> DiagramNode {
        self.fixed(&[])
    }

    /// The tuples that have these values in these columns.
    pub(super) fn fixed(&mut self, wanted: &[(usize, usize)]) -> DiagramNode {
        (0..self.levels).rev().fold(END, |rest, level| {
            let fits = |value| wanted.iter().all(|&(column, wanted)| column != level || wanted == value);
            let children = (0..self.values).map(|value| if fits(value) { rest } else { NOTHING }).collect();
            self.node(children)
        })
    }

    /// The tuples that have the same value in two columns; `None` if that exceeds the limits.
    pub(super) fn same(&mut self, left: usize, right: usize) -> Option<DiagramNode> {
        (0..self.values).try_fold(NOTHING, |all, value| {
            let both = self.fixed(&[(left, value), (right, value)]);
            self.combine(SetOperation::Or, all, both)
        })
    }

    /// Applies an operation to two sets; `None` if that exceeds the limits.
    pub(super) fn combine(
        &mut self,
        operation: SetOperation,
        left: DiagramNode,
        right: DiagramNode,
    ) -> Option<DiagramNode> {
        match operation {
            SetOperation::And | SetOperation::Minus if left == NOTHING => return Some(NOTHING),
            SetOperation::And if right == NOTHING || left == right => return Some(right),
            SetOperation::Or if left == NOTHING || left == right => return Some(right),
            SetOperation::Or | SetOperation::Minus if right == NOTHING => return Some(left),
            SetOperation::Minus if left == right => return Some(NOTHING),
            _ => {}
        }
        if let Some(&known) = self.combined.get(&(operation, left, right)) {
            return Some(known);
        }
        if self.nodes.len() > MOST_NODES || self.combined.len() > MOST_STEPS {
            return None;
        }
        let child = |diagram: &Self, node: DiagramNode, value: usize| diagram.nodes[node.0 as usize][value];
        let children: Option<Box<[DiagramNode]>> = (0..self.values)
            .map(|value| self.combine(operation, child(self, left, value), child(self, right, value)))
            .collect();
        let node = self.node(children?);
        self.combined.insert((operation, left, right), node);
        Some(node)
    }

    /// The number of tuples of a set.
    pub(super) fn count(&self, root: DiagramNode) -> f64 {
        // The children of a node are older than the node.
        let mut counts = vec![0.0, 1.0];
        for children in &self.nodes[2..] {
            counts.push(children.iter().map(|child| counts[child.0 as usize]).sum());
        }
        counts[root.0 as usize]
    }

    /// The transitions of each level on the paths from a root to the end.
    pub(super) fn steps(&self, root: DiagramNode) -> Vec<Vec<DiagramStep>> {
        let mut level = vec![root];
        let each = (0..self.levels).map(|_| {
            let steps_of = |&from: &DiagramNode| {
                let children = self.nodes[from.0 as usize].iter().enumerate();
                children.filter(|&(_, &to)| to != NOTHING).map(move |(value, &to)| DiagramStep { from, value, to })
            };
            let steps: Vec<DiagramStep> = level.iter().flat_map(steps_of).collect();
            level = steps.iter().map(|step| step.to).collect();
            sorting::sort_by_key(&mut level, |node| node.0);
            level.dedup();
            steps
        });
        each.collect()
    }

    fn node(&mut self, children: Box<[DiagramNode]>) -> DiagramNode {
        if children.iter().all(|&child| child == NOTHING) {
            return NOTHING;
        }
        let next = DiagramNode(to_u32(self.nodes.len()));
        *self.numbers.entry(children).or_insert_with_key(|children| {
            self.nodes.push(children.clone());
            next
        })
    }
}

impl DiagramNode {
    /// The number of the node in its diagram.
    pub(super) fn number(self) -> u32 {
        self.0
    }
}
