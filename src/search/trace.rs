//! What happens inside of a search, told as it happens to whoever looks on.
//!
//! A search tells an [`Observer`] of every node that it generates and expands, of values, cuts and repeated states. Nodes
//! are the places of the explored tree: the same state is another node when it is reached another way. The observer `()`
//! does not look, and a search with it does nothing for it: that is what searches without a trace run with.

use crate::game::{Move, Role, Utility};

/// A node of the explored tree, numbered from 0 in the order in which the nodes are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
#[serde(transparent)]
pub struct NodeId(u64);

impl NodeId {
    /// The node of this number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// Something that happens in a search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event<'a> {
    /// A round begins: of deepening to a depth, or up to an estimated cost. The nodes of a new tree follow.
    Round {
        /// What bounds it.
        bound: Bound,
    },
    /// A node has been generated.
    Generated(Generated<'a>),
    /// The successors of a node are looked at now.
    Expanded {
        /// The node.
        node: NodeId,
        /// The values between which the node matters, in searches that prune.
        window: Option<Window>,
    },
    /// The game is over in a node.
    Ended {
        /// The node.
        node: NodeId,
        /// What it is worth to the role that searches, if it was asked for.
        utility: Option<Utility>,
    },
    /// A node is left alone because its state has been reached before.
    Repeated {
        /// The node.
        node: NodeId,
    },
    /// A node is left alone because it lies deeper, or costs more, than this search or this round may go.
    Beyond {
        /// The node.
        node: NodeId,
    },
    /// The value of a node is known, or bounded.
    Valued {
        /// The node.
        node: NodeId,
        /// One value in searches for one role, one for each role in the others. Utilities, their means, or evaluations.
        values: &'a [f64],
    },
    /// Successors of a node are left out, because they cannot matter any more.
    Cut {
        /// The node whose successors they would be.
        node: NodeId,
        /// How many joint moves were left out, where that is known.
        left_out: Option<u64>,
        /// Why.
        reason: CutReason,
    },
    /// The nodes that wait to be expanded, the next one first, with what they are ordered by, if by anything. Only for
    /// observers that ask for it, before each expansion.
    Frontier {
        /// The nodes.
        nodes: &'a [(NodeId, Option<u64>)],
    },
    /// The search has come to its end: the nodes of the best line, from the first on.
    BestLine {
        /// The nodes.
        nodes: &'a [NodeId],
    },
}

/// How a node was generated.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Generated<'a> {
    /// The node.
    pub node: NodeId,
    /// The node that it is a successor of; `None` for the first of a tree.
    pub parent: Option<NodeId>,
    /// The joint move that leads to it, one move a role, or only the moves that have been chosen so far; empty for the first of a tree.
    pub joint_move: &'a [Move],
    /// The roles that had a choice in the parent. Where that is one, its move says it all.
    pub choosing: &'a [Role],
    /// How many joint moves it is away from the first node.
    pub depth: u32,
    /// Who decides what happens next.
    pub kind: NodeKind,
    /// Cost so far and estimated cost to go, in searches that are led by them.
    pub estimate: Option<Estimate>,
}

/// Who decides what happens after a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeKind {
    /// The role that searches, or in searches with a value for each role the one that is to move.
    Max,
    /// Its opponents.
    Min,
    /// Chance.
    Chance,
}

/// The cost of a line through a node, in moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Estimate {
    /// From the first node to this one: g.
    pub so_far: u64,
    /// From this one to a goal, as the heuristic estimates it: h. `None` where it says that there is no way.
    pub to_go: Option<u64>,
}

impl Estimate {
    /// From the first node to a goal through this one: f = g + h.
    pub fn total(self) -> Option<u64> {
        self.to_go.and_then(|to_go| self.so_far.checked_add(to_go))
    }
}

/// The values between which a node matters: alpha and beta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Window {
    /// What the role that maximises is sure of already.
    pub alpha: f64,
    /// What its opponents allow at most.
    pub beta: f64,
}

/// What bounds a round of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The number of joint moves.
    Depth(u32),
    /// The estimated cost of the whole line.
    Cost(u64),
}

/// Why successors of a node are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum CutReason {
    /// The best possible utility has been found.
    Best,
    /// The value is at least beta: the opponents will not let it come to this.
    Beta,
    /// The value is at most alpha: the role that maximises will not let it come to this.
    Alpha,
}

/// Somebody who looks on at a search.
pub trait Observer {
    /// Whether it looks at all. Searches need not tell anything to one that does not.
    fn is_on(&self) -> bool {
        true
    }

    /// Whether it wants to see the nodes that wait, before each expansion.
    fn wants_frontier(&self) -> bool {
        false
    }

    /// Sees what happens.
    fn observe(&mut self, event: Event<'_>);
}

/// Nobody.
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

/// Somebody, perhaps.
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

/// Two who look on.
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
