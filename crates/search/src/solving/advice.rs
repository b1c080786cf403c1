//! Best play from a state, as a database knows it.

use super::database::{Database, KnownState};
use super::error::SolvingError;
use super::identity::Identity;
use crate::Rule;
use gdl::number::Real;
use ggp_game::{JointMoves, Move, ReasonError, Reasoner, Role};

/// A joint move, and what is known of the state behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct KnownSuccessor {
    /// The joint move, in the order of the roles.
    pub joint_move: Vec<Move>,
    /// What is known of the state that it leads to.
    pub known: KnownState,
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
    pub fn known_successors<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
    ) -> Result<Vec<KnownSuccessor>, SolvingError> {
        let mut successors = Vec::new();
        if reasoner.is_terminal(state)? {
            return Ok(successors);
        }
        let mut joint_moves = JointMoves::in_state(reasoner, state)?;
        loop {
            let joint_move = joint_moves.current().to_vec();
            let next = reasoner.next_state(state, &joint_move)?;
            let known = self.find(reasoner, &next)?.ok_or(SolvingError::Reason(ReasonError::NoKey))?;
            successors.push(KnownSuccessor { joint_move, known });
            if !joint_moves.advance() {
                return Ok(successors);
            }
        }
    }

    /// The joint moves of best play from a state: each the first that leads to the same ending and, where distances are
    /// stored, one joint move nearer to it. The line ends with the game, or where a state repeats.
    ///
    /// # Errors
    /// Those of [`Database::known_successors`].
    pub fn line<R: Reasoner>(&self, reasoner: &mut R, state: &R::State) -> Result<Vec<Vec<Move>>, SolvingError> {
        let mut line = Vec::new();
        let mut state = state.clone();
        let mut passed = Vec::new();
        let Some(mut known) = self.find(reasoner, &state)? else { return Ok(line) };
        while !passed.contains(&state) {
            let is_next = |successor: &KnownSuccessor| {
                let nearer = known.moves.is_none_or(|moves| successor.known.moves.unwrap_or(0) + 1 == moves);
                successor.known.utilities == known.utilities && nearer
            };
            let Some(next) = self.known_successors(reasoner, &state)?.into_iter().find(is_next) else { break };
            let after = reasoner.next_state(&state, &next.joint_move)?;
            passed.push(std::mem::replace(&mut state, after));
            known = next.known;
            line.push(next.joint_move);
        }
        Ok(line)
    }
    /// Whether best play by the values comes to its end: each joint move leads one layer farther, or distances tell
    /// which is nearer to the end.
    pub fn leads(&self) -> bool {
        self.manifest.united.is_none() || self.manifest.distances
    }

    /// The first of a role's best moves in a state: what the others may do counts at its worst. Of equally good moves
    /// one that wins sooner or loses later is better, if distances are stored. `None` if values are not known, or if
    /// the state is terminal.
    ///
    /// # Errors
    /// Those of [`Database::known_successors`].
    pub fn best_move<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
    ) -> Result<Option<Move>, SolvingError> {
        if self.manifest.chance.is_some() {
            return self.best_on_average(reasoner, state, role);
        }
        if self.find(reasoner, state)?.is_none_or(|known| known.utilities.is_none()) {
            return Ok(None);
        }
        let rule = Rule::new(&self.manifest.endings, self.manifest.roles.len());
        let is_better = |one, other| rule.is_better(role.index(), one, other);
        let mut worst: Vec<(Move, (u16, u32))> = Vec::new();
        for KnownSuccessor { joint_move, known } in self.known_successors(reasoner, state)? {
            let ending = self.manifest.endings.iter().position(|ending| Some(ending) == known.utilities.as_ref());
            // A state without an end that can be forced is worth nothing to a role that is alone.
            let Some(ending) = ending.and_then(|ending| u16::try_from(ending).ok()) else { continue };
            let chosen = joint_move[role.index()];
            let value = (ending, known.moves.unwrap_or(0));
            match worst.iter_mut().find(|(known, _)| *known == chosen) {
                Some((_, known)) if is_better(*known, value) => *known = value,
                Some(_) => {}
                None => worst.push((chosen, value)),
            }
        }
        let best = worst.into_iter().reduce(|best, next| if is_better(next.1, best.1) { next } else { best });
        Ok(best.map(|(chosen, _)| chosen))
    }

    /// The first of a role's moves with the greatest mean; `None` if means are not known.
    fn best_on_average<R: Reasoner>(
        &self,
        reasoner: &mut R,
        state: &R::State,
        role: Role,
    ) -> Result<Option<Move>, SolvingError> {
        let mut best: Option<(Move, f64)> = None;
        for KnownSuccessor { joint_move, known } in self.known_successors(reasoner, state)? {
            let Some(means) = known.means else { return Ok(None) };
            let chosen = joint_move[role.index()];
            let mean = means[role.index()];
            if best.is_none_or(|(_, best)| mean > best + Real::EQUAL) {
                best = Some((chosen, mean));
            }
        }
        Ok(best.map(|(chosen, _)| chosen))
    }
}
