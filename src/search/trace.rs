//! The events of a search, reported to an observer as they happen.
//!
//! A search reports every node that it generates and expands, values, cuts and repeated states to an [`Observer`].
//! Nodes are those of the explored tree: the same state is a different node if it is reached on a different line. The
//! observer `()` ignores everything, and a search with it does no work for reports.

use crate::game::{Move, Role, Utility};

/// A node of the explored tree, numbered from 0 in the order in which the nodes are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct NodeId(u64);

impl NodeId {
    /// The node with this number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number of the node.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// An event of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A round begins: of deepening to a depth, or up to an estimated cost. The nodes of a new tree follow.
    Round {
        /// The bound of the round.
        bound: Bound,
    },
    /// A node has been generated.
    Generated(Generated<'a>),
    /// The successors of a node are searched next.
    Expanded {
        /// The node that is expanded.
        node: NodeId,
        /// The bounds between which the value of the node matters, in searches that prune.
        window: Option<Window>,
    },
    /// The state of a node is terminal.
    Ended {
        /// The node with the terminal state.
        node: NodeId,
        /// Its utility for the role that searches, if the search asked for it.
        utility: Option<Utility>,
    },
    /// A node is not searched because its state has been reached before.
    Repeated {
        /// The node that is not searched.
        node: NodeId,
    },
    /// A node is not searched because it lies beyond the horizon of the search or the bound of the round.
    Beyond {
        /// The node that is not searched.
        node: NodeId,
    },
    /// The value of a node, or a bound on it, is known.
    Valued {
        /// The node that has the value.
        node: NodeId,
        /// One value in searches for one role, otherwise one for each role: utilities, their means, or evaluations.
        values: &'a [f64],
    },
    /// Successors of a node are pruned.
    Cut {
        /// The parent of the pruned nodes.
        node: NodeId,
        /// The number of pruned joint moves, if it is known.
        left_out: Option<u64>,
        /// Which bound or value made the rest unnecessary.
        reason: CutReason,
    },
    /// The nodes that wait to be expanded, the next one first, with their key in the queue if it has one. Reported
    /// before each expansion, to observers that ask for it.
    Frontier {
        /// The waiting nodes with their keys.
        nodes: &'a [(NodeId, Option<u64>)],
    },
    /// The search is over. Reported last, if there is a best line.
    BestLine {
        /// The nodes of the best line, from the first on.
        nodes: &'a [NodeId],
    },
}

/// How a node was generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generated<'a> {
    /// The new node, numbered in the order of generation.
    pub node: NodeId,
    /// Its parent; `None` for the root of a tree.
    pub parent: Option<NodeId>,
    /// The joint move that leads to it, in the order of the roles, or only the moves chosen so far; empty for the root
    /// of a tree.
    pub joint_move: &'a [Move],
    /// The roles that had a choice in the parent. If there is only one, its move identifies the node among its
    /// siblings.
    pub choosing: &'a [Role],
    /// The number of joint moves from the first node.
    pub depth: u32,
    /// Which side decides in this node.
    pub kind: NodeKind,
    /// Cost so far and estimated cost to go, in searches that use a heuristic.
    pub estimate: Option<Estimate>,
}

/// Which side decides in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The role that searches; in searches with a value for each role, the role to move.
    Max,
    /// The opponents of the role that searches.
    Min,
    /// The role `random`, alone.
    Chance,
}

/// The cost of a line through a node, in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Estimate {
    /// From the first node to this one, in moves: g.
    pub so_far: u64,
    /// From this one to a goal, as estimated by the heuristic, in moves: h. `None` if it says that no goal can be
    /// reached.
    pub to_go: Option<u64>,
}

impl Estimate {
    /// From the first node to a goal through this one, in moves: f = g + h.
    pub fn total(self) -> Option<u64> {
        self.to_go.and_then(|to_go| self.so_far.checked_add(to_go))
    }
}

/// The bounds between which the value of a node matters: alpha and beta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// The value that the maximising role can already reach elsewhere.
    pub alpha: f64,
    /// The value to which its opponents can already hold it elsewhere.
    pub beta: f64,
}

/// The bound of a round of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// At most this many joint moves.
    Depth(u32),
    /// At most this estimated cost of the whole line.
    Cost(u64),
}

/// The reason for pruning successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CutReason {
    /// The best possible utility has been found.
    Best,
    /// The value is at least beta: the opponents would not allow this node.
    Beta,
    /// The value is at most alpha: the maximising role would not choose this node.
    Alpha,
}

/// Receives the events of a search.
pub trait Observer {
    /// Whether the observer wants events. A search need not report to one that does not.
    fn is_on(&self) -> bool {
        true
    }

    /// Whether the observer wants [`Event::Frontier`] before each expansion.
    fn wants_frontier(&self) -> bool {
        false
    }

    /// Receives an event at the moment when it happens.
    fn observe(&mut self, event: Event<'_>);
}

/// Ignores all events.
impl Observer for () {
    fn is_on(&self) -> bool {
        false
    }

    fn observe(&mut self, _: Event<'_>) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn is_on(&self) -> bool {
        (**self).is_on()
    }

    fn wants_frontier(&self) -> bool {
        (**self).wants_frontier()
    }

    fn observe(&mut self, event: Event<'_>) {
        (**self).observe(event);
    }
}

/// Ignores all events if there is no observer.
impl<O: Observer> Observer for Option<O> {
    fn is_on(&self) -> bool {
        self.as_ref().is_some_and(O::is_on)
    }

    fn wants_frontier(&self) -> bool {
        self.as_ref().is_some_and(O::wants_frontier)
    }

    fn observe(&mut self, event: Event<'_>) {
        if let Some(observer) = self {
            observer.observe(event);
        }
    }
}

/// Reports to both observers.
impl<A: Observer, B: Observer> Observer for (A, B) {
    fn is_on(&self) -> bool {
        self.0.is_on() || self.1.is_on()
    }

    fn wants_frontier(&self) -> bool {
        self.0.wants_frontier() || self.1.wants_frontier()
    }

    fn observe(&mut self, event: Event<'_>) {
        self.0.observe(event);
        self.1.observe(event);
    }
}
