//! What a player judges states by that are not over, and the engine that can ask for it.

use super::{PlayerError, Position, Start};
use crate::engine::{Feature, Featured};
use crate::game::{Move, ReasonError, Reasoner, Role};
use crate::search::{Contest, SearchError};
use std::path::Path;

/// A search for the move of one role among several.
pub trait Question {
    /// The move, where one has been found; in any engine.
    fn ask<R: Reasoner>(&self, reasoner: &mut R, contest: Contest<'_, R>) -> Result<Option<Move>, SearchError>;
}

/// An evaluation of states: a sheet of rules, or what every game has.
pub enum Judge {
    /// The goal value as it stands, and, of less weight, the number of legal moves.
    Generic,
    /// The sum of `evaluation(Role,Key,N)`.
    Sheet(Box<Featured>),
}

impl Judge {
    /// The evaluation that a sheet of the library or a file gives; without one that of all games.
    pub fn of(sheet: Option<&str>, start: &Start) -> Result<Self, PlayerError> {
        let Some(sheet) = sheet else { return Ok(Self::Generic) };
        Ok(Self::Sheet(Box::new(Featured::load(&start.game, sheet, Path::new(""), Feature::Evaluation)?)))
    }

    /// Asks a question about a position, in the engine that knows the evaluation.
    pub fn ask(&mut self, position: &mut Position, question: &impl Question) -> Result<Option<Move>, PlayerError> {
        let (engine, role) = (&mut position.engine, position.role);
        match self {
            Self::Generic => {
                let mut evaluation = generic;
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut evaluation) };
                Ok(question.ask(engine, contest)?)
            }
            Self::Sheet(featured) => {
                let Featured { reasoner, features, .. } = &mut **featured;
                reasoner.set_interrupt(position.interrupt.clone());
                let state = reasoner.state_from_facts(&engine.facts(&position.state))?;
                let contest = Contest { state: &state, role, evaluation: Some(features) };
                let chosen = question.ask(reasoner, contest)?;
                let term = chosen.map(|chosen| reasoner.move_term(chosen));
                Ok(term.map(|term| engine.find_move(&term)).transpose()?)
            }
        }
    }
}

/// What can be said about a state of any game: its goal value now, where there is one, and how many moves the role has.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on heuristic search: mobility and goal proximity.
fn generic<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<i64, ReasonError> {
    /// What a point of the goal value counts, in moves.
    const POINT: i64 = 10;
    let goal = match reasoner.goal(state, role) {
        Ok(utility) => i64::from(utility.0),
        Err(error @ (ReasonError::Limit { .. } | ReasonError::Interrupted)) => return Err(error),
        Err(_) => 0,
    };
    let mut moves = Vec::new();
    reasoner.legal_moves(state, role, &mut moves)?;
    Ok(POINT * goal + moves.len() as i64)
}
