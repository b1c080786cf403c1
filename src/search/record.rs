//! Stores what an observer is told, to be shown when the search is over.

use super::trace::{Bound, CutReason, Estimate, Event, Generated, NodeId, NodeKind, Observer, Window};
use crate::game::{Move, Role, Utility};

/// Stores the first events of a search, up to a limit; later events are only counted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recorder {
    /// The stored events, in order.
    pub events: Vec<Recorded>,
    /// The number of events that were not stored.
    pub left_out: u64,
    most: usize,
    frontier: bool,
}

/// A stored [`Event`], which borrows nothing.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "the events and their fields are those of `Event`")]
pub enum Recorded {
    Round { bound: Bound },
    Generated(RecordedNode),
    Expanded { node: NodeId, window: Option<Window> },
    Ended { node: NodeId, utility: Option<Utility> },
    Repeated { node: NodeId },
    Beyond { node: NodeId },
    Valued { node: NodeId, values: Vec<f64> },
    Cut { node: NodeId, left_out: Option<u64>, reason: CutReason },
    Frontier { nodes: Vec<(NodeId, Option<u64>)> },
    BestLine { nodes: Vec<NodeId> },
}

/// A stored [`Generated`] node, which borrows nothing.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedNode {
    /// The number of the node.
    pub node: NodeId,
    /// Its parent; `None` for the first node.
    pub parent: Option<NodeId>,
    /// The moves that distinguish it from its siblings, with their roles: of the joint move, those of the roles that
    /// had a choice, or all moves if no role had one.
    pub moves: Vec<(Role, Move)>,
    /// The number of joint moves from the first node.
    pub depth: u32,
    /// Which side decides in this node.
    pub kind: NodeKind,
    /// Cost so far and estimated cost to go.
    pub estimate: Option<Estimate>,
}

impl RecordedNode {
    /// Copies what is borrowed in a generated node.
    pub fn of(generated: &Generated<'_>) -> Self {
        let &Generated { node, parent, joint_move, choosing, depth, kind, estimate } = generated;
        let all = joint_move.iter().enumerate().map(|(index, &chosen)| (Role::new(index), chosen));
        let moves = all.filter(|(role, _)| choosing.is_empty() || choosing.contains(role)).collect();
        Self { node, parent, moves, depth, kind, estimate }
    }
}

impl Recorder {
    /// Stores at most `most` events; with `frontier`, including the nodes that wait.
    pub fn new(most: usize, frontier: bool) -> Self {
        Self { events: Vec::new(), left_out: 0, most, frontier }
    }
}

impl Observer for Recorder {
    fn wants_frontier(&self) -> bool {
        self.frontier && self.events.len() < self.most
    }

    fn observe(&mut self, event: Event<'_>) {
        if self.events.len() >= self.most && !matches!(event, Event::BestLine { .. }) {
            self.left_out += 1;
            return;
        }
        self.events.push(match event {
            Event::Round { bound } => Recorded::Round { bound },
            Event::Generated(generated) => Recorded::Generated(RecordedNode::of(&generated)),
            Event::Expanded { node, window } => Recorded::Expanded { node, window },
            Event::Ended { node, utility } => Recorded::Ended { node, utility },
            Event::Repeated { node } => Recorded::Repeated { node },
            Event::Beyond { node } => Recorded::Beyond { node },
            Event::Valued { node, values } => Recorded::Valued { node, values: values.to_vec() },
            Event::Cut { node, left_out, reason } => Recorded::Cut { node, left_out, reason },
            Event::Frontier { nodes } => Recorded::Frontier { nodes: nodes.to_vec() },
            Event::BestLine { nodes } => Recorded::BestLine { nodes: nodes.to_vec() },
        });
    }
}
