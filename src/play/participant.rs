//! A player of this process: it keeps the position and the clock, and asks a strategy for its choices.

use super::{Deadline, Margin, Player, PlayerError, Position, Start};
use crate::game::{Move, Reasoner};
use crate::rules::GroundTerm;

/// How a player chooses its moves.
pub trait Strategy: Send {
    /// What the player is called.
    fn name(&self) -> String;

    /// A match begins; there is time to think until the deadline.
    fn prepare(&mut self, _start: &Start, _position: &mut Position, _stop: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Chooses one of the legal moves, of which there are at least two, before the deadline.
    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Move, PlayerError>;

    /// A joint move was made, which led to this position.
    fn played(&mut self, _joint_move: &[Move], _position: &mut Position) {}

    /// The match is over or given up: what was kept for it can go.
    fn forget(&mut self) {}
}

/// A player around a strategy. Where there is only one legal move the strategy is not asked; where it fails, that is an error, and
/// whoever runs the match takes a random move.
pub struct Participant<S> {
    strategy: S,
    position: Option<Position>,
    margin: Margin,
}

impl<S: Strategy> Participant<S> {
    /// A player that is in no match.
    pub fn new(strategy: S) -> Self {
        Self { strategy, position: None, margin: Margin::new() }
    }

    /// How it chooses.
    pub fn strategy(&self) -> &S {
        &self.strategy
    }

    fn advance(&mut self, last: Option<&[GroundTerm]>) -> Result<(), PlayerError> {
        let position = self.position.as_mut().ok_or(PlayerError::NotStarted)?;
        if let Some(last) = last {
            let joint_move = position.advance(last)?;
            self.strategy.played(&joint_move, position);
        }
        Ok(())
    }
}

impl<S: Strategy> Player for Participant<S> {
    fn name(&self) -> String {
        self.strategy.name()
    }

    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError> {
        self.strategy.forget();
        let position = self.position.insert(Position::initial(start)?);
        self.margin.think(deadline, |stop| self.strategy.prepare(start, position, stop))
    }

    fn play(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        self.advance(last)?;
        let position = self.position.as_mut().ok_or(PlayerError::NotStarted)?;
        let chosen = match position.legal[..] {
            [] => return Err(PlayerError::Over),
            [only] => only,
            _ => self.margin.think(deadline, |stop| self.strategy.choose(position, stop))?,
        };
        Ok(position.engine.move_term(chosen))
    }

    fn stop(&mut self, last: Option<&[GroundTerm]>, _: Deadline) -> Result<(), PlayerError> {
        let advanced = self.advance(last);
        self.abort();
        advanced
    }

    fn abort(&mut self) {
        self.position = None;
        self.strategy.forget();
    }
}
