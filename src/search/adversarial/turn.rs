//! A turn as searches for one role against all others see it: the role's moves, and the others' replies to each.
//!
//! A search has a turn for each state on the line that it searches. Turns that are over lend their memory to the next
//! ([`Turns`]), so in the middle of a search none is allocated.

use super::arrival::VisitedNode;
use super::successors::Successors;
use super::turn_moves::TurnMoves;
use crate::game::{Reasoner, Role};
use crate::search::outcome::Halt;

/// The joint moves of a state that is not terminal, and the states after them.
pub(super) struct RoleTurn<S> {
    pub(super) moves: TurnMoves,
    pub(super) successors: Successors<S>,
}

/// A node whose turn a search goes through.
pub(super) struct ExpandedNode<'t, S> {
    pub(super) state: &'t S,
    pub(super) here: VisitedNode<'t>,
    pub(super) moves: &'t TurnMoves,
    pub(super) successors: &'t mut Successors<S>,
}

impl<S> ExpandedNode<'_, S> {
    /// The state after the joint move at a position.
    pub(super) fn successor<R: Reasoner<State = S>>(&mut self, reasoner: &mut R, position: usize) -> Result<&S, Halt> {
        Ok(self.successors.at(reasoner, self.state, self.moves, position)?)
    }
}

/// The memory of turns that are over, which the next turns use.
pub(super) struct Turns<S> {
    // Boxed, so that a turn that is taken and given back is not copied.
    #[expect(clippy::vec_box, reason = "turns are boxed where they are used")]
    spare: Vec<Box<RoleTurn<S>>>,
}

impl<S> Turns<S> {
    /// No memory.
    pub(super) fn new() -> Self {
        Self { spare: Vec::new() }
    }

    /// The turn of a state that is not terminal, in canonical order. Its joint moves may take this much memory, in
    /// bytes.
    ///
    /// # Errors
    /// If a role has no legal move, or the joint moves need more memory.
    pub(super) fn take<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        role: Role,
        memory: u64,
    ) -> Result<Box<RoleTurn<S>>, Halt> {
        let empty = || Box::new(RoleTurn { moves: TurnMoves::default(), successors: Successors::new() });
        let mut turn = self.spare.pop().unwrap_or_else(empty);
        turn.moves.read(reasoner, state, role, memory)?;
        turn.successors.clear();
        Ok(turn)
    }

    /// Gives back the memory of a turn.
    pub(super) fn give_back(&mut self, turn: Box<RoleTurn<S>>) {
        self.spare.push(turn);
    }
}
