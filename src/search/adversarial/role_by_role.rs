//! A turn as searches see it that decide it role by role.
//!
//! The role that asks decides first, even if it has only one move; then the others that have a choice decide, each for
//! itself or all together. Joint moves are made one after the other and never listed, since there may be millions.

use super::arrival::{Arrival, Here};
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
    /// For each decision, its roles among these, and the number of their moves.
    decisions: Vec<(Range<usize>, usize)>,
    /// The states after the moves of the last decision.
    successors: Successors<S>,
}

impl<S> RoleByRole<S> {
    /// No moves.
    pub(super) fn new() -> Self {
        let (joint_moves, choosing, deciding, decisions) = Default::default();
        Self { joint_moves, choosing, deciding, decisions, successors: Successors::new() }
    }

    /// Reads the moves of a state that is not terminal.
    pub(super) fn read<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        deciders: &Deciders<impl Fn(Role) -> bool>,
    ) -> Result<(), ReasonError> {
        let Self { joint_moves, choosing, deciding, decisions, successors } = self;
        successors.clear();
        joint_moves.read(reasoner, state)?;
        choosing.clear();
        choosing.extend(joint_moves.each_choosing());
        deciding.clear();
        deciding.push(deciders.first);
        deciding.extend(choosing.iter().filter(|&&role| role != deciders.first));
        deciding[1..].sort_by_key(|&role| (deciders.is_random)(role));
        decisions.clear();
        let step = if deciders.together { deciding.len() } else { 1 };
        let others = (1..deciding.len()).step_by(step).map(|start| start..deciding.len().min(start + step));
        for roles in std::iter::once(0..1).chain(others) {
            let counts = deciding[roles.clone()].iter().map(|&role| joint_moves.legal(role).len());
            let count = counts.fold(1, usize::saturating_mul);
            decisions.push((roles, count));
        }
        Ok(())
    }

    /// The role of each decision, or the first of its roles.
    pub(super) fn deciders(&self) -> impl Iterator<Item = Role> {
        self.decisions.iter().map(|(roles, _)| self.deciding[roles.start])
    }

    /// The number of moves of a decision.
    pub(super) fn count(&self, decision: usize) -> usize {
        self.decisions[decision].1
    }

    /// Whether this is the last decision.
    pub(super) fn is_last(&self, decision: usize) -> bool {
        decision + 1 == self.decisions.len()
    }

    /// Whether this is the first decision that is a choice.
    pub(super) fn is_first_choice(&self, decision: usize) -> bool {
        self.count(decision) > 1 && self.decisions[..decision].iter().all(|(_, count)| *count == 1)
    }

    /// Makes the move with an index in a decision that is not the last. No successor is known then.
    pub(super) fn choose(&mut self, decision: usize, index: usize) {
        self.successors.clear();
        let Self { joint_moves, deciding, decisions, .. } = self;
        choose(joint_moves, &deciding[decisions[decision].0.clone()], index);
    }

    /// Makes the move with an index in the last decision, and with it the joint move.
    pub(super) fn make<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        index: usize,
    ) -> Result<Made<'_, S>, ReasonError> {
        let Self { joint_moves, choosing, deciding, decisions, successors } = self;
        let (roles, count) = decisions.last().expect("the role that asks decides").clone();
        let roles = &deciding[roles];
        let next = successors.at(reasoner, state, LastMoves { joint_moves, roles, count }, index)?;
        // The moves of later successors may have been made since.
        choose(joint_moves, roles, index);
        Ok(Made { next, joint_move: joint_moves.current(), choosing })
    }
}

/// A joint move that is made, and the state after it.
pub(super) struct Made<'m, S> {
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
fn choose(joint_moves: &mut JointMoves, roles: &[Role], mut index: usize) {
    if let &[role] = roles {
        return joint_moves.choose(role, index);
    }
    for &role in roles.iter().rev() {
        let count = joint_moves.legal(role).len();
        joint_moves.choose(role, index % count);
        index /= count;
    }
}

/// A turn that is decided role by role.
pub(super) struct PartialTurn<'t, S> {
    pub(super) node: NodeId,
    pub(super) arrival: Arrival<'t>,
    pub(super) choices: Box<RoleByRole<S>>,
    /// The probability of the moves so far of roles that a model predicts.
    pub(super) probability: Option<f64>,
}

impl<S> PartialTurn<'_, S> {
    /// The node in which the turn is made.
    pub(super) fn here(&self) -> Here<'_> {
        Here { node: self.node, arrival: self.arrival, choosing: &self.choices.choosing }
    }
}
