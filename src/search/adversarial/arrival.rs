//! How a search of several players comes to a state.

use crate::game::{Move, Role};
use crate::search::{Guarantee, NodeId};

/// How a search reached a state.
pub(super) struct Arrival<'a> {
    /// The predecessor; `None` for the first state.
    pub(super) parent: Option<NodeId>,
    pub(super) joint_move: &'a [Move],
    /// The roles that had a choice in the predecessor.
    pub(super) choosing: &'a [Role],
    /// The number of joint moves from the first state.
    pub(super) depth: u32,
    /// The number of turns from the first state in which some role had a choice.
    pub(super) choices: u32,
    /// The number of joint moves without a choice in a row, up to this state.
    pub(super) forced: u32,
    /// The probability of the joint move, where a model of the opponents predicts it.
    pub(super) probability: Option<f64>,
}

impl<'a> Arrival<'a> {
    /// The arrival at the first state.
    pub(super) const ROOT: Arrival<'static> =
        Arrival { parent: None, joint_move: &[], choosing: &[], depth: 0, choices: 0, forced: 0, probability: None };
}

/// The node that is being searched, and how the search came there.
#[derive(Clone, Copy)]
pub(super) struct VisitedNode<'h> {
    pub(super) node: NodeId,
    pub(super) arrival: &'h Arrival<'h>,
    /// The roles that have a choice in it.
    pub(super) choosing: &'h [Role],
}

impl<'h> VisitedNode<'h> {
    /// The arrival at the next state by a joint move.
    #[inline]
    pub(super) fn next(self, joint_move: &'h [Move]) -> Arrival<'h> {
        let Self { node, arrival, choosing } = self;
        let depth = arrival.depth + 1;
        let choices = arrival.choices + u32::from(!choosing.is_empty());
        let forced = if choosing.is_empty() { arrival.forced + 1 } else { 0 };
        Arrival { parent: Some(node), joint_move, choosing, depth, choices, forced, probability: None }
    }

    /// What the best of the finished moves says of the value, if this is the first choice of the search.
    pub(super) fn first_choice(self, asking: Role) -> Option<Guarantee> {
        let guarantee = || if self.choosing.contains(&asking) { Guarantee::AtLeast } else { Guarantee::AtMost };
        self.is_first_choice().then(guarantee)
    }

    /// Whether this is the first choice of the search.
    #[inline]
    pub(super) fn is_first_choice(self) -> bool {
        self.arrival.choices == 0 && !self.choosing.is_empty()
    }

    /// Whether the search came here without a choice and goes on without one.
    #[inline]
    pub(super) fn is_before_choice(self) -> bool {
        self.arrival.choices == 0 && self.choosing.is_empty()
    }
}
