//! A turn as searches for one role against all others see it: the role's moves, and the others' replies to each.

use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};

/// The joint moves of a state that is not terminal.
pub(super) struct RoleTurn<S> {
    /// The roles that have more than one legal move. If there are none, the joint move is forced and is not a ply.
    pub(super) choosing: Vec<Role>,
    /// One entry for each move of the role, in the order in which they are tried.
    pub(super) options: Vec<Choosing<S>>,
}

/// A move of the role.
pub(super) struct Choosing<S> {
    /// The joint moves that contain it, in the order in which they are tried.
    pub(super) replies: Vec<Reply<S>>,
}

/// One joint move of a turn.
pub(super) struct Reply<S> {
    /// Its index in canonical order.
    pub(super) index: u32,
    /// The moves, in the order of the roles.
    pub(super) joint_move: Vec<Move>,
    /// The state after it, if move ordering has computed it already.
    pub(super) next: Option<S>,
}

impl<S> RoleTurn<S> {
    /// The turn of a state that is not terminal, in canonical order. A role without a legal move is an error.
    pub(super) fn of<R: Reasoner<State = S>>(reasoner: &mut R, state: &S, role: Role) -> Result<Self, ReasonError> {
        let mut joint_moves = JointMoves::of(reasoner, state)?;
        let choosing = joint_moves.choosing();
        let mut options = Vec::with_capacity(joint_moves.legal(role).len());
        let mut index = 0;
        for own in 0..joint_moves.legal(role).len() {
            joint_moves.hold(role, own);
            let mut replies = Vec::new();
            loop {
                replies.push(Reply { index, joint_move: joint_moves.current().to_vec(), next: None });
                index += 1;
                if !joint_moves.advance() {
                    break;
                }
            }
            options.push(Choosing { replies });
        }
        Ok(Self { choosing, options })
    }

    /// Moves the joint move with this index, and the option that contains it, before all others.
    pub(super) fn put_first(&mut self, index: u32) {
        for option in &mut self.options {
            option.replies.sort_by_key(|reply| reply.index != index);
        }
        self.options.sort_by_key(|option| option.replies[0].index != index);
    }
}
