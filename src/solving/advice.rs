//! Best play from a state, as a database knows it.

use super::database::{Database, Known};
use super::error::SolvingError;
use super::run::Identity;
use crate::game::{JointMoves, Move, ReasonError, Reasoner};

/// A joint move, and what is known of the state behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ahead {
    /// The joint move, in the order of the roles.
    pub joint_move: Vec<Move>,
    /// What is known of the state that it leads to.
    pub known: Known,
}

impl Database {
    /// Whether the reasoner numbers fluents as the database does: another network of the same game may not.
    pub fn fits<R: Reasoner>(&self, reasoner: &R) -> bool {
        Identity::packing_of(reasoner, &self.keys.groups()) == self.manifest.packing
    }

    /// What is known of the successors of a state, one for each joint move in canonical order; none of a terminal
    /// state.
    ///
    /// # Errors
    /// Those of [`Database::find`] and of the engine.
    pub fn ahead<R: Reasoner>(&self, reasoner: &mut R, state: &R::State) -> Result<Vec<Ahead>, SolvingError> {
        let mut ahead = Vec::new();
        if reasoner.is_terminal(state)? {
            return Ok(ahead);
        }
        let mut joint_moves = JointMoves::of(reasoner, state)?;
        loop {
            let joint_move = joint_moves.current().to_vec();
            let next = reasoner.next_state(state, &joint_move)?;
            let known = self.find(reasoner, &next)?.ok_or(SolvingError::Reason(ReasonError::NoKey))?;
            ahead.push(Ahead { joint_move, known });
            if !joint_moves.advance() {
                return Ok(ahead);
            }
        }
    }

    /// The joint moves of best play from a state: each the first that leads to the same ending and, where distances are
    /// stored, one joint move nearer to it. The line ends with the game, or where a state repeats.
    ///
    /// # Errors
    /// Those of [`Database::ahead`].
    pub fn line<R: Reasoner>(&self, reasoner: &mut R, state: &R::State) -> Result<Vec<Vec<Move>>, SolvingError> {
        let (mut line, mut state, mut passed) = (Vec::new(), state.clone(), Vec::new());
        let Some(mut known) = self.find(reasoner, &state)? else { return Ok(line) };
        while !passed.contains(&state) {
            let is_next = |ahead: &Ahead| {
                let nearer = known.moves.is_none_or(|moves| ahead.known.moves.unwrap_or(0) + 1 == moves);
                ahead.known.utilities == known.utilities && nearer
            };
            let Some(next) = self.ahead(reasoner, &state)?.into_iter().find(is_next) else { break };
            let after = reasoner.next_state(&state, &next.joint_move)?;
            passed.push(std::mem::replace(&mut state, after));
            known = next.known;
            line.push(next.joint_move);
        }
        Ok(line)
    }
}
