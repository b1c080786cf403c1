//! The events of a search, reported to an observer as they happen.
//!
//! A search reports every node that it generates and expands, values, cuts and repeated states to an [`Observer`].
//! Nodes are those of the explored tree: the same state is a different node if it is reached on a different line. The
//! observer `()` ignores everything, and a search with it does no work for reports.

use super::{Cost, Worth};
use ggp_game::{Move, Utility};
use serde::{Serialize, Serializer};
use std::borrow::Cow;

/// A node of the explored tree, numbered from 0 in the order in which the nodes are generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct NodeId(u64);

impl NodeId {
    /// The node with this number.
    pub(crate) fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number of the node.
    pub fn number(self) -> u64 {
        self.0
    }
}

/// An event of a search, with moves of type `M`: numbers of a reasoner, or terms once it is shown. A search lends its
/// lists; `Event::map_moves` makes an event that owns them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event<'a, M: Clone = Move> {
    /// A round begins: of deepening to a depth, or up to an estimated cost. The nodes of a new tree follow.
    Round {
        /// The bound of the round.
        #[serde(flatten)]
        bound: Bound,
    },
    /// A round is over, also one that solved the problem.
    RoundOver {
        /// The bound of the round.
        #[serde(flatten)]
        bound: Bound,
        /// The cost of the round, without the rounds before it. Flattened as well, since a bound may be named `cost`.
        #[serde(flatten)]
        cost: RoundCost,
    },
    /// A node has been generated.
    Generated(GeneratedNode<'a, M>),
    /// The successors of a node are searched next.
    Expanded {
        /// The node that is expanded.
        node: NodeId,
        /// The bounds between which the value of the node matters, in searches that prune.
        #[serde(flatten, skip_serializing_if = "Option::is_none")]
        window: Option<Window>,
    },
    /// The legal moves of a node that is expanded, to observers that ask for them.
    Legal {
        /// The node that is expanded.
        node: NodeId,
        /// Its moves, in the order in which they are tried.
        moves: Cow<'a, [M]>,
    },
    /// The state of a node is terminal.
    Ended {
        /// The node with the terminal state.
        node: NodeId,
        /// Its utility for the role that searches, if the search has evaluated it.
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
        /// With an evaluation, wins and losses are infinite, and an unknown value counts as it is ranked.
        values: Cow<'a, [f64]>,
        /// The same values as answers show them; empty in searches of means.
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        worths: Cow<'a, [Worth]>,
    },
    /// The bounds in the parent of a node, after the node has been evaluated, in searches that prune.
    Narrowed {
        /// The node that has been evaluated.
        node: NodeId,
        /// The bounds of its parent, which the value of the node may have narrowed.
        #[serde(flatten)]
        window: Window,
    },
    /// Successors of a node are pruned.
    Cut {
        /// The parent of the pruned nodes.
        node: NodeId,
        /// The number of pruned joint moves, if it is known.
        left_out: Option<u64>,
        /// The bound or value that made the rest unnecessary.
        reason: CutReason,
    },
    /// The nodes that wait to be expanded, the next one first, with their key in the queue if it has one; a node from
    /// which no goal can be reached waits behind all others, without a key. Reported to observers that ask for it,
    /// whenever a node was put into the queue or taken from it.
    Frontier {
        /// The waiting nodes with their keys.
        nodes: Cow<'a, [(NodeId, Option<u64>)]>,
    },
    /// A visit of a tree of random games goes on to a node that it knows, since its move has the greatest bound.
    Selected {
        /// The node behind the move.
        node: NodeId,
        /// The upper confidence bound of the move, if one role alone chose it.
        bound: Option<f64>,
    },
    /// A random game was played from a node.
    Sampled {
        /// The node from which it was played.
        node: NodeId,
        /// Its utility for each role.
        utilities: Cow<'a, [f64]>,
    },
    /// A game through a node was counted.
    Averaged {
        /// The node through which it went.
        node: NodeId,
        /// The number of games through it.
        visits: u32,
        /// Their mean utility for the role that alone chose the move to the node, or at the root for the one that
        /// asks; `None` if several chose.
        mean: Option<f64>,
    },
    /// The search is over. Reported last, if there is a best line.
    BestLine {
        /// The nodes of the best line, from the first on.
        nodes: Cow<'a, [NodeId]>,
    },
}

impl<M: Clone> Event<'_, M> {
    /// The same event, with `map` applied to each move and all lists owned.
    pub fn map_moves<N: Clone>(&self, map: impl FnMut(&M) -> N) -> Event<'static, N> {
        match self {
            &Event::Round { bound } => Event::Round { bound },
            &Event::RoundOver { bound, cost } => Event::RoundOver { bound, cost },
            Event::Legal { node, moves } => Event::Legal { node: *node, moves: moves.iter().map(map).collect() },
            Event::Generated(generated) => Event::Generated(generated.map_moves(map)),
            &Event::Expanded { node, window } => Event::Expanded { node, window },
            &Event::Ended { node, utility } => Event::Ended { node, utility },
            &Event::Repeated { node } => Event::Repeated { node },
            &Event::Beyond { node } => Event::Beyond { node },
            Event::Valued { node, values, worths } => {
                let values = values.to_vec().into();
                let worths = worths.to_vec().into();
                Event::Valued { node: *node, values, worths }
            }
            &Event::Narrowed { node, window } => Event::Narrowed { node, window },
            &Event::Cut { node, left_out, reason } => Event::Cut { node, left_out, reason },
            Event::Frontier { nodes } => Event::Frontier { nodes: nodes.to_vec().into() },
            &Event::Selected { node, bound } => Event::Selected { node, bound },
            Event::Sampled { node, utilities } => Event::Sampled { node: *node, utilities: utilities.to_vec().into() },
            &Event::Averaged { node, visits, mean } => Event::Averaged { node, visits, mean },
            Event::BestLine { nodes } => Event::BestLine { nodes: nodes.to_vec().into() },
        }
    }
}

/// Description of a new node.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GeneratedNode<'a, M: Clone = Move> {
    /// The new node, numbered in the order of generation.
    pub node: NodeId,
    /// Its parent; `None` for the root of a tree.
    pub parent: Option<NodeId>,
    /// The moves that distinguish it from its siblings, in the order of their roles: of the joint move, those of the
    /// roles that had a choice, or all moves if no role had one; empty for the root of a tree.
    pub moves: Cow<'a, [M]>,
    /// The number of joint moves from the first node.
    pub depth: u32,
    /// The side that decides in this node.
    #[serde(rename = "decides")]
    pub kind: NodeKind,
    /// Cost so far and estimated cost to go, in searches that use a heuristic.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The probability of the moves, where a model of the opponents predicts them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
}

impl<M: Clone> GeneratedNode<'_, M> {
    /// The same node, with `map` applied to each move and the list owned.
    pub(crate) fn map_moves<N: Clone>(&self, map: impl FnMut(&M) -> N) -> GeneratedNode<'static, N> {
        let &Self { node, parent, ref moves, depth, kind, estimate, probability } = self;
        GeneratedNode { node, parent, moves: moves.iter().map(map).collect(), depth, kind, estimate, probability }
    }
}

/// Side that decides in a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Estimate {
    /// g: the moves from the first node to this one.
    pub so_far: u64,
    /// h: the moves from this node to a goal, as the heuristic estimates them. `None` if it says that no goal can be
    /// reached.
    pub to_go: Option<u64>,
}

impl Estimate {
    /// f = g + h: the moves from the first node to a goal through this one.
    pub fn total(self) -> Option<u64> {
        self.to_go.and_then(|to_go| self.so_far.checked_add(to_go))
    }
}

/// The bounds between which the value of a node matters: alpha and beta. They are serialized as text, since they may be
/// infinite.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Window {
    /// The value that the maximising role can already reach elsewhere.
    #[serde(serialize_with = "serialize_as_text")]
    pub alpha: f64,
    /// The value to which its opponents can already hold it elsewhere.
    #[serde(serialize_with = "serialize_as_text")]
    pub beta: f64,
}

fn serialize_as_text<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&value_text(*value))
}

/// The texts of the values of a node: those that answers show, if there are any.
pub fn shown_values(values: &[f64], worths: &[Worth]) -> Vec<String> {
    match worths {
        [] => values.iter().copied().map(value_text).collect(),
        worths => worths.iter().map(|worth| worth.number()).collect(),
    }
}

/// The text of a value: with at most three digits after the point.
pub fn value_text(value: f64) -> String {
    if value.is_infinite() {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}∞")
    } else {
        // Adding zero makes a negative zero positive.
        format!("{}", (value * 1e3).round() / 1e3 + 0.0)
    }
}

/// The bound of a round of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    /// At most this many joint moves.
    Depth(u32),
    /// At most this estimated cost of the whole line.
    Cost(u64),
    /// No bound: the last round, through what the heuristic calls hopeless.
    Unlimited,
}

/// Cost of a round of an iterative search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RoundCost {
    /// Nodes generated.
    pub nodes: u64,
    /// Nodes expanded.
    pub expanded: u64,
    /// Nodes taken from the stack, in searches that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pops: Option<u64>,
}

impl RoundCost {
    /// The difference of the costs of a search before and after a round.
    pub(super) fn between(before: &Cost, after: &Cost) -> Self {
        Self {
            nodes: after.nodes - before.nodes,
            expanded: after.expanded - before.expanded,
            pops: after.pops.map(|pops| pops - before.pops.unwrap_or(0)),
        }
    }
}

/// The reason for pruning successors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
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
    /// True if the observer wants events. A search need not report to one that does not.
    fn is_on(&self) -> bool {
        true
    }

    /// True if the observer wants [`Event::Frontier`].
    fn wants_frontier(&self) -> bool {
        false
    }

    /// True if the observer wants [`Event::Legal`].
    fn wants_moves(&self) -> bool {
        false
    }

    /// Receives an event at the moment when it happens.
    fn observe(&mut self, event: &Event<'_>);
}

/// Ignores all events.
impl Observer for () {
    fn is_on(&self) -> bool {
        false
    }

    fn observe(&mut self, _: &Event<'_>) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    fn is_on(&self) -> bool {
        (**self).is_on()
    }

    fn wants_frontier(&self) -> bool {
        (**self).wants_frontier()
    }

    fn wants_moves(&self) -> bool {
        (**self).wants_moves()
    }

    fn observe(&mut self, event: &Event<'_>) {
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

    fn wants_moves(&self) -> bool {
        self.as_ref().is_some_and(O::wants_moves)
    }

    fn observe(&mut self, event: &Event<'_>) {
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

    fn wants_moves(&self) -> bool {
        self.0.wants_moves() || self.1.wants_moves()
    }

    fn observe(&mut self, event: &Event<'_>) {
        self.0.observe(event);
        self.1.observe(event);
    }
}
