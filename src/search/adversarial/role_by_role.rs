//! A turn as searches see it that decide it role by role.
//!
//! The role that asks decides first, even if it has only one move; then the others that have a choice decide, each for
//! itself or all together. Joint moves are made one after the other and never listed, since there may be millions.

use super::arrival::{Arrival, VisitedNode};
use super::successors::{Positions, Successors};
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::number::to_u32;
use crate::search::NodeId;
use std::ops::Range;

/// The order in which the roles decide.
pub(super) struct Deciders<F> {
    /// The role that decides first.
    pub(super) first: Role,
    /// Whether all others make one decision together.
    pub(super) together: bool,
    /// The roles that decide last, since they move at random.
    pub(super) is_random: F,
}

/// The moves of a turn that is decided role by role. The next turn uses its memory.
pub(super) struct RoleByRole<S> {
    /// The joint move so far, where roles that have not decided make their first move.
    pub(super) joint_moves: JointMoves,
    /// The roles that have a choice.
    pub(super) choosing: Vec<Role>,
    /// The role that asks, and the others that have a choice, in the order in which they decide.
    deciding: Vec<Role>,
    /// For each decision, the end of its roles among these, and the number of their moves.
    decisions: Vec<(usize, usize)>,
    /// The first decision that is a choice; the last if there is none.
    first_choice: usize,
    /// Where the roles of the last decision begin.
    last: usize,
    /// The states after the moves of the last decision.
    successors: Successors<S>,
}

impl<S> RoleByRole<S> {
    /// No moves.
    pub(super) fn new() -> Self {
        let (joint_moves, choosing, deciding, decisions) = Default::default();
        Self { joint_moves, choosing, deciding, decisions, first_choice: 0, last: 0, successors: Successors::new() }
    }

    /// Reads the moves of a state that is not terminal.
    pub(super) fn read<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        deciders: &Deciders<impl Fn(Role) -> bool>,
    ) -> Result<(), ReasonError> {
        let Self { joint_moves, choosing, deciding, decisions, first_choice, last, successors } = self;
        successors.clear();
        joint_moves.read(reasoner, state)?;
        choosing.clear();
        choosing.extend(joint_moves.each_choosing());
        deciding.clear();
        deciding.push(deciders.first);
        // Roles that move at random decide last.
        for is_random in [false, true] {
            for &role in &*choosing {
                if role != deciders.first && (deciders.is_random)(role) == is_random {
                    deciding.push(role);
                }
            }
        }
        decisions.clear();
        let own = joint_moves.legal(deciders.first).len();
        decisions.push((1, own));
        *last = 0;
        for (start, &role) in (1..).zip(&deciding[1..]) {
            let count = joint_moves.legal(role).len();
            match decisions.last_mut() {
                Some(others) if deciders.together && start > 1 => *others = (start + 1, others.1.saturating_mul(count)),
                _ => {
                    decisions.push((start + 1, count));
                    *last = start;
                }
            }
        }
        // Of the others only those that have a choice decide.
        *first_choice = usize::from(own == 1 && deciding.len() > 1);
        Ok(())
    }

    /// The roles of a decision.
    fn roles(&self, decision: usize) -> Range<usize> {
        let start = decision.checked_sub(1).map_or(0, |before| self.decisions[before].0);
        start..self.decisions[decision].0
    }

    /// All roles that decide.
    pub(super) fn deciding(&self) -> &[Role] {
        &self.deciding
    }

    /// The first of the roles of a decision, and the number of their moves.
    #[inline]
    pub(super) fn decision(&self, decision: usize) -> (Role, usize) {
        (self.deciding[self.roles(decision).start], self.decisions[decision].1)
    }

    /// Whether this is the last decision.
    #[inline]
    pub(super) fn is_last(&self, decision: usize) -> bool {
        decision + 1 == self.decisions.len()
    }

    /// The first decision that is a choice; the last if there is none.
    pub(super) fn first_choice(&self) -> usize {
        self.first_choice
    }

    /// Makes the move with an index in a decision that is not the last. No successor is known then.
    pub(super) fn choose(&mut self, decision: usize, index: usize) {
        self.successors.clear();
        let roles = self.roles(decision);
        choose(&mut self.joint_moves, &self.deciding[roles], index);
    }

    /// Makes the move with an index in the last decision, and with it the joint move.
    #[inline]
    pub(super) fn make<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        index: usize,
    ) -> Result<MadeMove<'_, S>, ReasonError> {
        let Self { joint_moves, choosing, deciding, decisions, last, successors, .. } = self;
        let roles = &deciding[*last..];
        let count = decisions.last().map_or(0, |decision| decision.1);
        let next = successors.at(reasoner, state, LastMoves { joint_moves, roles, count }, index)?;
        // The moves of later successors may have been made since.
        choose(joint_moves, roles, index);
        Ok(MadeMove { next, joint_move: joint_moves.current(), choosing })
    }
}

/// A joint move that is made, and the state after it.
pub(super) struct MadeMove<'m, S> {
    pub(super) next: &'m S,
    pub(super) joint_move: &'m [Move],
    /// The roles that had a choice.
    pub(super) choosing: &'m [Role],
}

/// The joint moves of the last decision.
struct LastMoves<'m> {
    joint_moves: &'m mut JointMoves,
    roles: &'m [Role],
    count: usize,
}

impl Positions for LastMoves<'_> {
    fn len(&self) -> usize {
        self.count
    }

    fn index(&self, position: usize) -> u32 {
        to_u32(position)
    }

    fn joint_move(&mut self, position: usize) -> &[Move] {
        choose(self.joint_moves, self.roles, position);
        self.joint_moves.current()
    }
}

/// Sets the moves of some roles to those with this index, which counts them like numbers: the last role's move changes
/// fastest.
#[inline]
fn choose(joint_moves: &mut JointMoves, roles: &[Role], index: usize) {
    match *roles {
        [role] => joint_moves.choose(role, index),
        _ => choose_together(joint_moves, roles, index),
    }
}

fn choose_together(joint_moves: &mut JointMoves, roles: &[Role], mut index: usize) {
    for &role in roles.iter().rev() {
        let count = joint_moves.legal(role).len();
        joint_moves.choose(role, index % count);
        index /= count;
    }
}

/// A turn that is decided role by role.
pub(super) struct PartialTurn<'t, S> {
    pub(super) node: NodeId,
    pub(super) arrival: &'t Arrival<'t>,
    pub(super) choices: Box<RoleByRole<S>>,
    /// The probability of the moves so far of roles that a model predicts.
    pub(super) probability: Option<f64>,
}

impl<S> PartialTurn<'_, S> {
    /// The node in which the turn is made.
    pub(super) fn node(&self) -> VisitedNode<'_> {
        VisitedNode { node: self.node, arrival: self.arrival, choosing: &self.choices.choosing }
    }

    /// Whether this is the first choice of the search.
    pub(super) fn is_first_choice(&self) -> bool {
        self.arrival.choices == 0 && !self.choices.choosing.is_empty()
    }
}
