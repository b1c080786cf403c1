//! What follows from a whole batch of states: the one place where a search over all states asks its reasoner.
//!
//! An engine that works on many states at a time has only to fill an [`Expansions`] another way.

use crate::game::{Fluent, JointMoves, ReasonError, Reasoner, Role, Utility};

/// What follows from the states of a batch, in their order.
#[derive(Debug, Default)]
pub(super) struct Expansions {
    /// One for each state of the batch.
    pub(super) states: Vec<Expansion>,
    /// The facts of all successors, one state behind the other.
    fluents: Vec<Fluent>,
    /// Where each successor ends in `fluents`.
    ends: Vec<usize>,
}

/// What follows from a state.
#[derive(Debug)]
pub(super) enum Expansion {
    /// The game is over, and this is what it is worth, role by role.
    End(Vec<Utility>),
    /// The game goes on.
    Turn {
        /// The roles that have a choice.
        choosing: Vec<Role>,
        /// How many joint moves there are.
        joint_moves: usize,
    },
}

impl Expansions {
    /// Looks at all states of a batch.
    pub(super) fn fill<R: Reasoner>(&mut self, reasoner: &mut R, batch: &[R::State]) -> Result<(), ReasonError> {
        self.states.clear();
        self.fluents.clear();
        self.ends.clear();
        let (roles, mut facts) = (reasoner.roles().len(), Vec::new());
        for state in batch {
            if reasoner.is_terminal(state)? {
                let goals = (0..roles).map(|role| reasoner.goal(state, Role::new(role)));
                self.states.push(Expansion::End(goals.collect::<Result<_, _>>()?));
                continue;
            }
            let mut joint_moves = JointMoves::of(reasoner, state)?;
            let before = self.ends.len();
            loop {
                let next = reasoner.next_state(state, joint_moves.current())?;
                reasoner.fluents(&next, &mut facts);
                self.fluents.extend_from_slice(&facts);
                self.ends.push(self.fluents.len());
                if !joint_moves.advance() {
                    break;
                }
            }
            let joint_moves_count = self.ends.len() - before;
            self.states.push(Expansion::Turn { choosing: joint_moves.choosing(), joint_moves: joint_moves_count });
        }
        Ok(())
    }

    /// The facts of a successor; successors are numbered through the whole batch.
    pub(super) fn successor(&self, number: usize) -> &[Fluent] {
        let start = if number == 0 { 0 } else { self.ends[number - 1] };
        &self.fluents[start..self.ends[number]]
    }
}
