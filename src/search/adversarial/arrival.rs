//! How a search of several players comes to a state, and a turn on the way to the next one.

use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::search::{Guarantee, NodeId};

/// How a search reached a state.
#[derive(Clone, Copy)]
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
    /// The probability of the joint move, where a model of the opponents predicts it.
    pub(super) probability: Option<f64>,
}

impl<'a> Arrival<'a> {
    /// The arrival at the first state.
    pub(super) const ROOT: Arrival<'static> =
        Arrival { parent: None, joint_move: &[], choosing: &[], depth: 0, choices: 0, probability: None };

    /// The arrival at the next state by a joint move.
    pub(super) fn next(self, parent: NodeId, joint_move: &'a [Move], choosing: &'a [Role]) -> Self {
        let choices = self.choices + u32::from(!choosing.is_empty());
        Self { parent: Some(parent), joint_move, choosing, depth: self.depth + 1, choices, probability: None }
    }
}

/// The node that is being searched, and how the search came there.
#[derive(Clone, Copy)]
pub(super) struct Here<'h> {
    pub(super) node: NodeId,
    pub(super) arrival: Arrival<'h>,
    /// The roles that have a choice in it.
    pub(super) choosing: &'h [Role],
}

impl<'h> Here<'h> {
    /// The arrival at the next state by a joint move.
    pub(super) fn next(self, joint_move: &'h [Move]) -> Arrival<'h> {
        self.arrival.next(self.node, joint_move, self.choosing)
    }

    /// What the best of the finished moves says of the value, if this is the first choice of the search.
    pub(super) fn first_choice(self, asking: Role) -> Option<Guarantee> {
        let guarantee = || if self.choosing.contains(&asking) { Guarantee::AtLeast } else { Guarantee::AtMost };
        self.is_first_choice().then(guarantee)
    }

    /// Whether this is the first choice of the search.
    pub(super) fn is_first_choice(self) -> bool {
        self.arrival.choices == 0 && !self.choosing.is_empty()
    }

    /// Whether the search came here without a choice and goes on without one.
    pub(super) fn is_before_choice(self) -> bool {
        self.arrival.choices == 0 && self.choosing.is_empty()
    }
}

/// The moves of a turn that is decided role by role. The next turn uses its memory.
#[derive(Default)]
pub(super) struct RoleByRole {
    /// The joint move so far, where roles that have not decided make their first move.
    pub(super) joint_moves: JointMoves,
    /// The roles that have a choice.
    pub(super) choosing: Vec<Role>,
    /// The same, in the order in which they decide.
    pub(super) deciding: Vec<Role>,
}

impl RoleByRole {
    /// Reads the moves of a state that is not terminal. `first` decides first, then the others in their order, and last
    /// those that move at random.
    pub(super) fn read<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        first: Role,
        is_random: impl Fn(Role) -> bool,
    ) -> Result<(), ReasonError> {
        let Self { joint_moves, choosing, deciding } = self;
        joint_moves.read(reasoner, state)?;
        choosing.clear();
        choosing.extend(joint_moves.each_choosing());
        deciding.clone_from(choosing);
        deciding.sort_by_key(|&role| if role == first { 0 } else { 1 + u8::from(is_random(role)) });
        Ok(())
    }
}

/// A turn that is decided role by role.
pub(super) struct PartialTurn<'t> {
    pub(super) node: NodeId,
    pub(super) arrival: Arrival<'t>,
    pub(super) choices: Box<RoleByRole>,
    /// The probability of the moves so far of roles that a model predicts.
    pub(super) probability: Option<f64>,
}

impl PartialTurn<'_> {
    /// The node in which the turn is made.
    pub(super) fn here(&self) -> Here<'_> {
        Here { node: self.node, arrival: self.arrival, choosing: &self.choices.choosing }
    }

    /// The joint move, and the arrival at the next state by it.
    pub(super) fn made(&self) -> (&[Move], Arrival<'_>) {
        let joint_move = self.choices.joint_moves.current();
        let next = self.here().next(joint_move);
        (joint_move, Arrival { probability: self.probability, ..next })
    }
}
