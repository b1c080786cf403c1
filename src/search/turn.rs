//! A turn as the searches for one role against all others see it: its own moves, and what the others can answer to each.

use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};

/// The joint moves of a state that is not over.
pub(super) struct Turn<S> {
    /// The roles that have more than one legal move. Where there is none, the joint move is forced, and no ply.
    pub(super) choosing: Vec<Role>,
    /// One entry for each move of the role, in the order in which they are tried.
    pub(super) options: Vec<Choosing<S>>,
}

/// A move of the role.
pub(super) struct Choosing<S> {
    /// The joint moves that have it, in the order in which they are tried.
    pub(super) replies: Vec<Reply<S>>,
}

/// A joint move.
pub(super) struct Reply<S> {
    /// Its place in canonical order.
    pub(super) index: u32,
    /// One move a role.
    pub(super) joint_move: Vec<Move>,
    /// The state it leads to, where somebody has looked already.
    pub(super) next: Option<S>,
}

impl<S> Turn<S> {
    /// The turn of a state that is not terminal, all in canonical order. A role without a legal move is an error.
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

    /// Puts the joint move of this place, and the option it belongs to, before all others.
    pub(super) fn put_first(&mut self, index: u32) {
        for option in &mut self.options {
            option.replies.sort_by_key(|reply| reply.index != index);
        }
        self.options.sort_by_key(|option| option.replies[0].index != index);
    }
}
