//! The position of a match, as a player in this process sees it.

use super::{PlayerError, Start};
use crate::ask::{PlayoutOptions, RandomPlay};
use gdl::rules::GroundTerm;
use ggp_engine::{Engine, EngineLanes, EngineState};
use ggp_game::{Move, Reasoner, Role};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A separate engine, the state of the match in it, and the role of the player.
pub struct Position {
    /// The engine; a strategy may ask it anything without changing the position.
    pub engine: Engine,
    /// The current state, one of this engine.
    pub state: EngineState,
    /// The role of the player.
    pub role: Role,
    /// The legal moves of the role, in canonical order; empty if the game is over.
    pub legal: Vec<Move>,
    /// The lanes of the engine, if they were set up in the background.
    pub(crate) lanes: Option<EngineLanes>,
    /// Whether an engine is being set up in the background, which will take the place of this one.
    pub(crate) is_being_set_up: bool,
    /// Setting this flag stops the player's thinking. Questions to the engine are stopped by the flag of the match
    /// alone: a player that is late still follows the match, and never stays between two states.
    pub(crate) interrupt: Arc<AtomicBool>,
}

impl Position {
    /// The position at the start of a match.
    pub(crate) fn initial(start: &Start) -> Result<Self, PlayerError> {
        let mut engine = start.game.fork_engine();
        let state = engine.initial_state()?;
        let mut position = Self {
            engine,
            state,
            role: start.role,
            legal: Vec::new(),
            lanes: None,
            is_being_set_up: false,
            interrupt: start.interrupt.clone(),
        };
        position.update_legal()?;
        Ok(position)
    }

    /// Plays a joint move, and returns it in the engine's numbers.
    ///
    /// # Errors
    /// If it is not a legal joint move of this state; the position then stays as it is.
    pub(crate) fn advance(&mut self, joint_move: &[GroundTerm]) -> Result<Vec<Move>, PlayerError> {
        let roles = self.engine.roles().to_vec();
        if joint_move.len() != roles.len() {
            return Err(PlayerError::WrongNumber { expected: roles.len(), found: joint_move.len() });
        }
        if self.engine.is_terminal(&self.state)? {
            return Err(PlayerError::Over);
        }
        let mut moves = Vec::with_capacity(roles.len());
        let mut legal = Vec::new();
        for (index, (role, term)) in roles.into_iter().zip(joint_move).enumerate() {
            self.engine.legal_moves(&self.state, Role::new(index), &mut legal)?;
            let chosen = self.engine.find_move(term).ok().filter(|chosen| legal.contains(chosen));
            moves.push(chosen.ok_or_else(|| PlayerError::Illegal { role, chosen: term.clone() })?);
        }
        self.state = self.engine.next_state(&self.state, &moves)?;
        self.update_legal()?;
        Ok(moves)
    }

    /// Continues with another engine of the same game, in the state with the same facts.
    ///
    /// # Errors
    /// If the engine cannot represent the state, or has no answer there; the position then stays as it is.
    pub(crate) fn adopt(&mut self, mut engine: Engine) -> Result<(), PlayerError> {
        let state = engine.state_from_facts(&self.engine.facts(&self.state))?;
        let mut legal = Vec::new();
        if !engine.is_terminal(&state)? {
            engine.legal_moves(&state, self.role, &mut legal)?;
        }
        self.engine = engine;
        self.state = state;
        self.legal = legal;
        self.lanes = None;
        Ok(())
    }

    /// Random games, with the best lanes that have arrived for the position so far.
    pub(crate) fn random_play(&self, options: PlayoutOptions, seed: u64) -> RandomPlay {
        RandomPlay::tolerant(self.lanes.as_ref(), options, &self.engine, seed)
    }

    /// Whether the game is over.
    pub(crate) fn is_over(&self) -> bool {
        self.legal.is_empty()
    }

    fn update_legal(&mut self) -> Result<(), PlayerError> {
        self.legal.clear();
        if !self.engine.is_terminal(&self.state)? {
            self.engine.legal_moves(&self.state, self.role, &mut self.legal)?;
        }
        Ok(())
    }
}
