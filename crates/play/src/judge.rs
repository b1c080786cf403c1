//! The evaluation that a player uses for states at the horizon, and the engine that computes it.

use super::{Deadline, PlayerError, Position, Start};
use crate::ask::guess;
use gdl::limits::Limits;
use ggp_engine::{Engine, EngineError, Feature, FeaturedGame, FeaturedState};
use ggp_game::{Move, Reasoner};
use ggp_search::{Contest, LearnedEvaluation, SearchError};
use std::path::Path;

/// The network of a game and a sheet has the time before the first move divided by this to be set up; if that is not
/// enough, the interpreter evaluates.
const SHARE_FOR_NETWORK: u32 = 2;

/// A search for the move of one role.
pub(crate) trait MoveSearch {
    /// Runs the search; returns the move, if one has been found.
    fn ask(&mut self, engine: &mut Engine, contest: Contest<'_, Engine>) -> Result<Option<Move>, SearchError>;
}

/// An evaluation of states: none, by a rule sheet, by what has been learned, or by what every game has.
pub(crate) enum Judge {
    /// What lies beyond the horizon is unknown.
    Nothing,
    /// The goal value in the state and, with less weight, the number of legal moves.
    Guess,
    /// The sum of `evaluation(Role,Key,N)` of a rule sheet.
    Sheet(Box<FeaturedGame>),
    /// What the player has learned in games against itself, with the engine of the position.
    Learned(Box<LearnedEvaluation>),
}

impl Judge {
    /// The evaluation of a sheet, from the library or a file; without a sheet another.
    pub(crate) fn load(sheet: Option<&str>, otherwise: Self, start: &Start) -> Result<Self, PlayerError> {
        let Some(sheet) = sheet else { return Ok(otherwise) };
        Ok(Self::Sheet(Box::new(load_sheet(sheet, Feature::Evaluation, start)?)))
    }

    /// Runs a search from a position, in the engine that computes the evaluation.
    pub(crate) fn ask(
        &mut self,
        position: &mut Position,
        question: &mut impl MoveSearch,
    ) -> Result<Option<Move>, PlayerError> {
        let engine = &mut position.engine;
        let role = position.role;
        match self {
            Self::Nothing => Ok(question.ask(engine, Contest::new(&position.state, role))?),
            Self::Guess => {
                let mut evaluation = guess;
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut evaluation), table: false };
                Ok(question.ask(engine, contest)?)
            }
            Self::Learned(learned) => {
                let contest = Contest { state: &position.state, role, evaluation: Some(&mut **learned), table: false };
                Ok(question.ask(engine, contest)?)
            }
            Self::Sheet(featured) => {
                featured.set_limits(Limits::new().with_interrupt(position.interrupt.clone()));
                let facts = engine.facts(&position.state);
                let FeaturedState { engine: reasoner, state, features, .. } = featured.at(&facts, true)?;
                let contest = Contest { state: &state, role, evaluation: Some(features), table: false };
                let chosen = question.ask(reasoner, contest)?;
                let term = chosen.map(|chosen| reasoner.move_term(chosen));
                Ok(term.map(|term| engine.find_move(&term)).transpose()?)
            }
        }
    }
}

/// The game with a sheet of features, from the library or a file, set up as far as the start clock allows.
pub(crate) fn load_sheet(sheet: &str, feature: Feature, start: &Start) -> Result<FeaturedGame, PlayerError> {
    let mut featured = FeaturedGame::load(&start.game, sheet, Path::new(""), feature)?;
    match featured.set_up_within(set_up_limits(start)) {
        Ok(()) | Err(EngineError::Reason(_)) => Ok(featured),
        Err(error @ EngineError::Propnet(_)) => Err(error.into()),
    }
}

/// What setting up the engine of an evaluation may take of the start clock.
pub(crate) fn set_up_limits(start: &Start) -> Limits {
    let time = start.clocks.start / SHARE_FOR_NETWORK;
    Limits::new().with_interrupt(start.interrupt.clone()).with_deadline(Deadline::after(time))
}
