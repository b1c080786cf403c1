//! The states after the joint moves of a turn, computed shortly before a search reaches them.
//!
//! An engine that updates its values from state to state would go back to the state of the turn for each successor. So
//! several successors are computed at once, as many as the engine says, and the search then goes from one to the next.
//! A search that often leaves a turn early says how many it expects to reach; if it reaches more, the others follow.
//! What the search finds and counts is the same for every number: an error is reported when its state is reached.

use super::turn_moves::TurnMoves;
use crate::game::{Move, ReasonError, Reasoner};
use crate::number::to_u32;
use std::ops::Range;

/// Joint moves of one state, each at a position in the order in which they are tried.
pub(super) trait Positions {
    /// The number of joint moves.
    fn len(&self) -> usize;

    /// The index of the joint move at a position, which no change of the order changes.
    fn index(&self, position: usize) -> u32;

    /// The moves of the joint move at a position, in the order of the roles.
    fn joint_move(&mut self, position: usize) -> &[Move];
}

impl Positions for &TurnMoves {
    fn len(&self) -> usize {
        TurnMoves::len(self)
    }

    fn index(&self, position: usize) -> u32 {
        TurnMoves::index(self, position)
    }

    fn joint_move(&mut self, position: usize) -> &[Move] {
        TurnMoves::joint_move(self, position)
    }
}

/// The successors of one state. Their memory is reused.
pub(super) struct Successors<S> {
    /// The states that are computed, and memory for further ones.
    states: Vec<S>,
    computed: ComputedSuccessors,
    /// The number of successors that the search expects to reach.
    expected: usize,
    /// The number that it has reached: one more than the greatest position asked for.
    reached: usize,
}

/// Which successors are computed.
enum ComputedSuccessors {
    /// Those of the joint moves at these positions.
    Positions(Range<usize>),
    /// All, by the indices of the joint moves.
    All,
}

impl<S> Successors<S> {
    pub(super) fn new() -> Self {
        Self { states: Vec::new(), computed: ComputedSuccessors::Positions(0..0), expected: usize::MAX, reached: 0 }
    }

    /// Forgets the successors, and keeps their memory. All successors are expected to be reached.
    pub(super) fn clear(&mut self) {
        (self.computed, self.expected, self.reached) = (ComputedSuccessors::Positions(0..0), usize::MAX, 0);
    }

    /// Expects the search to reach this number of successors, at least one.
    pub(super) fn expect(&mut self, count: usize) {
        self.expected = count.max(1);
    }

    /// The number of successors that the search has reached.
    pub(super) fn reached(&self) -> usize {
        self.reached
    }

    /// The state after the joint move at a position.
    #[inline]
    pub(super) fn at<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        mut moves: impl Positions,
        position: usize,
    ) -> Result<&S, ReasonError> {
        self.reached = self.reached.max(position + 1);
        let number = match &self.computed {
            ComputedSuccessors::All => moves.index(position) as usize,
            ComputedSuccessors::Positions(known) if known.contains(&position) => position - known.start,
            ComputedSuccessors::Positions(_) => {
                self.compute_from(reasoner, state, &mut moves, position)?;
                0
            }
        };
        Ok(&self.states[number])
    }

    /// Computes the successors from a position on.
    fn compute_from<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        moves: &mut impl Positions,
        position: usize,
    ) -> Result<(), ReasonError> {
        self.computed = ComputedSuccessors::Positions(0..0);
        let wanted = if position == 0 { self.expected } else { usize::MAX };
        let end = moves.len().min(position + wanted.min(reasoner.successors_at_once()));
        self.compute(0, reasoner, state, moves.joint_move(position))?;
        let mut computed = 1;
        // What fails for a later one is reported if the search reaches it.
        while position + computed < end
            && self.compute(computed, reasoner, state, moves.joint_move(position + computed)).is_ok()
        {
            computed += 1;
        }
        self.computed = ComputedSuccessors::Positions(position..position + computed);
        Ok(())
    }

    /// Computes all successors; until the turn is over they are found whatever the order of the joint moves.
    pub(super) fn compute_all<R: Reasoner<State = S>>(
        &mut self,
        reasoner: &mut R,
        state: &S,
        moves: &TurnMoves,
    ) -> Result<&[S], ReasonError> {
        for index in 0..moves.len() {
            self.compute(index, reasoner, state, moves.with_index(to_u32(index)))?;
        }
        self.computed = ComputedSuccessors::All;
        Ok(&self.states[..moves.len()])
    }

    /// Computes the state after a joint move, and stores it as the one with this number; all before it are there.
    fn compute<R: Reasoner<State = S>>(
        &mut self,
        number: usize,
        reasoner: &mut R,
        state: &S,
        joint_move: &[Move],
    ) -> Result<(), ReasonError> {
        match self.states.get_mut(number) {
            Some(next) => reasoner.next_state_into(state, joint_move, next),
            None => {
                self.states.push(reasoner.next_state(state, joint_move)?);
                Ok(())
            }
        }
    }
}
