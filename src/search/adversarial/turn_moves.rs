//! The joint moves of a turn, as searches for one role against all others try them.

use crate::game::{JointMoves, Move, Reasoner, Role};
use crate::limits::Stop;
use crate::number::to_u32;
use crate::search::outcome::Halt;
use std::ops::Range;

/// The joint moves of a turn. Each has an index, which counts them in canonical order of the role's moves, and for each
/// of these of the others' replies; and a position in the order in which they are tried.
#[derive(Default)]
pub(super) struct TurnMoves {
    /// The roles that have more than one legal move. If there are none, the joint move is forced.
    pub(super) choosing: Vec<Role>,
    /// One entry for each move of the role, in the order in which they are tried.
    pub(super) options: Vec<MoveReplies>,
    /// The index of each joint move, by its position. The joint moves of an option follow each other.
    order: Vec<u32>,
    /// The moves of each joint move, by its index, in the order of the roles.
    moves: Vec<Move>,
    roles: usize,
    /// Scratch.
    joint_moves: JointMoves,
    before: Vec<u32>,
}

/// A move of the role: the positions of the joint moves that contain it.
#[derive(Clone, Copy)]
pub(super) struct MoveReplies {
    start: u32,
    end: u32,
}

impl MoveReplies {
    /// The positions of its joint moves, which are the replies to it.
    pub(super) fn replies(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl TurnMoves {
    /// Reads the turn of a state that is not terminal, in canonical order. The joint moves may take this much memory,
    /// in bytes.
    ///
    /// # Errors
    /// If a role has no legal move, or the joint moves need more memory.
    pub(super) fn read<R: Reasoner>(
        &mut self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
        memory: u64,
    ) -> Result<(), Halt> {
        let Self { choosing, options, order, moves, roles, joint_moves, .. } = self;
        joint_moves.read(reasoner, state)?;
        if Self::bytes_of(joint_moves.count(), reasoner.roles().len()) > memory {
            return Err(Stop::Memory { limit: memory }.into());
        }
        choosing.clear();
        choosing.extend(joint_moves.each_choosing());
        *roles = reasoner.roles().len();
        options.clear();
        order.clear();
        moves.clear();
        if let [only] = choosing[..] {
            // Nothing but its moves has to be enumerated.
            for index in 0..joint_moves.legal(only).len() {
                joint_moves.choose(only, index);
                order.push(to_u32(index));
                joint_moves.current().iter().for_each(|&chosen| moves.push(chosen));
            }
            let count = to_u32(order.len());
            match only == role {
                true => options.extend((0..count).map(|index| MoveReplies { start: index, end: index + 1 })),
                false => options.push(MoveReplies { start: 0, end: count }),
            }
            return Ok(());
        }
        order.reserve(joint_moves.count());
        moves.reserve(joint_moves.count() * *roles);
        joint_moves.hold(role, 0);
        for own in 0..joint_moves.legal(role).len() {
            let start = to_u32(order.len());
            // The others are at their first moves again.
            joint_moves.choose(role, own);
            loop {
                order.push(to_u32(order.len()));
                moves.extend(joint_moves.current().iter().copied());
                if !joint_moves.advance() {
                    break;
                }
            }
            options.push(MoveReplies { start, end: to_u32(order.len()) });
        }
        Ok(())
    }

    /// The memory that a number of joint moves takes, in bytes.
    fn bytes_of(joint_moves: usize, roles: usize) -> u64 {
        (joint_moves as u64).saturating_mul((size_of::<u32>() + roles * size_of::<Move>()) as u64)
    }

    /// The number of joint moves.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// The index of the joint move at a position.
    pub(super) fn index(&self, position: usize) -> u32 {
        self.order[position]
    }

    /// The moves of the joint move at a position, in the order of the roles.
    pub(super) fn joint_move(&self, position: usize) -> &[Move] {
        self.with_index(self.order[position])
    }

    /// The moves of the joint move with an index, in the order of the roles.
    pub(super) fn with_index(&self, index: u32) -> &[Move] {
        let start = index as usize * self.roles;
        &self.moves[start..start + self.roles]
    }

    /// Changes the order in which the replies to each option are tried.
    pub(super) fn reorder_replies(&mut self, mut reorder: impl FnMut(&mut [u32])) {
        for option in &self.options {
            reorder(&mut self.order[option.replies()]);
        }
    }

    /// Changes the order in which the options are tried; `order` has the indices of the joint moves by their positions
    /// before the change.
    pub(super) fn reorder_options(&mut self, reorder: impl FnOnce(&mut [MoveReplies], &[u32])) {
        reorder(&mut self.options, &self.order);
        std::mem::swap(&mut self.order, &mut self.before);
        self.order.clear();
        for option in &mut self.options {
            let start = to_u32(self.order.len());
            self.order.extend_from_slice(&self.before[option.replies()]);
            *option = MoveReplies { start, end: to_u32(self.order.len()) };
        }
    }

    /// Moves the joint move with this index, and the option that contains it, before all others.
    pub(super) fn put_first(&mut self, index: u32) {
        self.reorder_replies(|replies| replies.sort_by_key(|&reply| reply != index));
        self.reorder_options(|options, order| options.sort_by_key(|option| order[option.start as usize] != index));
    }
}
