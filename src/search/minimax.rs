//! `minimax`: what a role can force, whatever all others do.

use super::budget::Meter;
use super::outcome::Halt;
use super::{Budget, Outcome, SearchError};
use crate::game::{JointMoves, Move, Reasoner, Role, Utility};

/// What a role can force, and the move that it should make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The utility.
    pub utility: Utility,
    /// The first move, in canonical order, that forces it; `None` in a terminal state.
    pub chosen: Option<Move>,
}

/// The utility that `role` can force from a state when all other roles play together against it.
///
/// Where moves are simultaneous the value is the pessimistic one: the others choose knowing the role's move. In a
/// turn-taking game of two opponents that is the game's value.
///
/// - Guarantee: exact where the game tree below the state is finite and the budget allows; otherwise the best of the moves
///   that were searched to their end.
/// - Cost: every node of the tree below the state; nothing is cut off, and no state is remembered.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small multiple-player games.
pub fn minimax<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
    budget: &Budget,
) -> Result<Outcome<Choice>, SearchError> {
    let mut search = Search { reasoner, meter: Meter::start(budget), role, best: None };
    let end = search.value(state, 0);
    search.meter.outcome(end, search.best)
}

struct Search<'a, R> {
    reasoner: &'a mut R,
    meter: Meter<'a>,
    role: Role,
    /// The best of the first moves that have been searched to their end.
    best: Option<Choice>,
}

impl<R: Reasoner> Search<'_, R> {
    /// The best over the role's own moves.
    fn value(&mut self, state: &R::State, depth: u32) -> Result<Choice, Halt> {
        self.meter.visit(depth)?;
        if self.reasoner.is_terminal(state)? {
            let utility = self.reasoner.goal(state, self.role)?;
            return Ok(Choice { utility, chosen: None });
        }
        self.meter.expand();
        let mut joint_moves = JointMoves::of(self.reasoner, state)?;
        let (mut best, own_moves) = (None, joint_moves.legal(self.role).len());
        for place in 0..own_moves {
            joint_moves.hold(self.role, place);
            let utility = self.worst_reply(state, &mut joint_moves, depth)?;
            if best.is_none_or(|best: Choice| utility > best.utility) {
                best = Some(Choice { utility, chosen: Some(joint_moves.legal(self.role)[place]) });
            }
            if depth == 0 {
                self.best = best;
            }
        }
        Ok(best.expect("a state that is not terminal has at least one joint move"))
    }

    /// The worst over all replies of the others to the move that is held.
    fn worst_reply(&mut self, state: &R::State, replies: &mut JointMoves, depth: u32) -> Result<Utility, Halt> {
        let mut worst = None;
        loop {
            let next = self.reasoner.next_state(state, replies.current())?;
            let utility = self.value(&next, depth + 1)?.utility;
            worst = Some(worst.map_or(utility, |worst: Utility| worst.min(utility)));
            if !replies.advance() {
                break;
            }
        }
        Ok(worst.expect("there is a first joint move"))
    }
}
