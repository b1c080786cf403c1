//! A player of this process, which keeps the position and the clock and asks a strategy for its choices.

use super::equipment::{Equipment, Requirement, Workshop};
use super::{Deadline, Margin, Player, PlayerError, Position, Start};
use crate::log;
use gdl::rules::GroundTerm;
use ggp_game::{Move, Reasoner};
use std::time::Duration;

/// How a player chooses its moves.
pub trait Strategy: Send {
    /// The name of the player.
    fn name(&self) -> String;

    /// Prepares for a match; there is time to think until `stop`.
    fn prepare(&mut self, _start: &Start, _position: &mut Position, _stop: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    /// Chooses one of the legal moves, of which there are at least two, before the deadline; `None` if it has found
    /// none in time.
    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError>;

    /// Thinks about the position while the others do, until the position's interrupt is set.
    fn ponder(&mut self, _position: &mut Position) {}

    /// What it needs in addition to the interpreter. It is set up in the background if the game has no engine yet.
    fn wants(&self) -> Requirement {
        Requirement::Engine
    }

    /// Is told that the position has a new engine or lanes; data of an old engine must be dropped. Should take little
    /// time.
    fn equipped(&mut self, _equipment: Equipment, _position: &mut Position) {}

    /// Is told that a joint move was made, which led to this position.
    fn played(&mut self, _joint_move: &[Move], _position: &mut Position) {}

    /// Is told that the match is over or abandoned, so its data can be dropped.
    fn forget(&mut self) {}
}

impl Strategy for Box<dyn Strategy> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        (**self).prepare(start, position, stop)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        (**self).choose(position, stop)
    }

    fn ponder(&mut self, position: &mut Position) {
        (**self).ponder(position);
    }

    fn wants(&self) -> Requirement {
        (**self).wants()
    }

    fn equipped(&mut self, equipment: Equipment, position: &mut Position) {
        (**self).equipped(equipment, position);
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        (**self).played(joint_move, position);
    }

    fn forget(&mut self) {
        (**self).forget();
    }
}

/// A player around a strategy. A single legal move is the answer at once, and the strategy is not asked. If the
/// strategy finds no move in time, the first legal one is used instead, which is logged and reported
/// ([`Player::stood_in`]). If the strategy fails, that is an error, and the caller makes a random move.
pub struct Participant<S> {
    strategy: S,
    position: Option<Position>,
    margin: Margin,
    workshop: Workshop,
    stood_in: bool,
}

impl<S: Strategy> Participant<S> {
    /// The longest wait for the network is the start clock divided by this; the interpreter's results would be lost
    /// when the network arrives later.
    const SHARE_FOR_ENGINE: u32 = 2;

    /// A player that is in no match.
    pub fn new(strategy: S) -> Self {
        Self { strategy, position: None, margin: Margin::new(), workshop: Workshop::default(), stood_in: false }
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
        self.workshop = Workshop::open(start, self.strategy.wants(), position);
        let wait = Deadline::after(deadline.remaining() / Self::SHARE_FOR_ENGINE);
        self.workshop.equip(position, wait, |equipment, position| self.strategy.equipped(equipment, position));
        self.margin.think(deadline, |stop| self.strategy.prepare(start, position, stop))
    }

    fn play(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) -> Result<GroundTerm, PlayerError> {
        self.stood_in = false;
        if let Some(position) = &mut self.position {
            let now = Deadline::after(Duration::ZERO);
            self.workshop.equip(position, now, |equipment, position| self.strategy.equipped(equipment, position));
        }
        self.advance(last)?;
        let position = self.position.as_mut().ok_or(PlayerError::NotStarted)?;
        let chosen = match position.legal[..] {
            [] => return Err(PlayerError::Over),
            [only] => only,
            [first, ..] => {
                let found = self.margin.think(deadline, |stop| self.strategy.choose(position, stop))?;
                self.stood_in = found.is_none();
                found.unwrap_or(first)
            }
        };
        let term = position.engine.move_term(chosen);
        if self.stood_in {
            log::warn(format_args!(
                "no search chose a move in time: {term}, the first legal one, is used instead player={:?}",
                self.strategy.name()
            ));
        }
        Ok(term)
    }

    fn ponder(&mut self) {
        if let Some(position) = self.position.as_mut().filter(|position| !position.is_over()) {
            self.strategy.ponder(position);
        }
    }

    fn stood_in(&self) -> bool {
        self.stood_in
    }

    fn follow(&mut self, joint_moves: &[Vec<GroundTerm>]) -> Result<(), PlayerError> {
        joint_moves.iter().try_for_each(|joint_move| self.advance(Some(joint_move)))
    }

    fn stop(&mut self, last: Option<&[GroundTerm]>, _: Deadline) -> Result<(), PlayerError> {
        let advanced = self.advance(last);
        self.abort();
        advanced
    }

    fn abort(&mut self) {
        self.position = None;
        self.workshop = Workshop::default();
        self.strategy.forget();
    }
}
