//! What takes part in a match: the messages of the GGP protocol as methods.

pub mod alphabeta;
pub mod auto;
pub mod deliberation;
pub mod expectimax;
pub mod human;
pub mod legal;
pub mod mcts;
pub mod minimax;
pub mod montecarlo;
pub mod planner;
pub mod random;

use super::{Clocks, Deadline};
use crate::engine::{FeatureError, Game};
use crate::game::{ReasonError, Role};
use crate::rules::GroundTerm;
use crate::search::SearchError;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A player of one role in one match at a time.
///
/// Moves are terms of the game's sheet. Each method should return before its deadline; whoever calls has to enforce that, and to reckon
/// with panics (a seat does both). An error of [`Player::play`] means that there is no move; the caller takes another for it, and
/// goes on asking.
pub trait Player: Send {
    /// What it is called.
    fn name(&self) -> String;

    /// Looks at a game before any match of it.
    fn preview(&mut self, _game: &Arc<Game>, _deadline: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    /// A match begins; what was left of another is given up.
    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError>;

    /// The move to make now. `last` is the joint move that was made, one move a role; `None` at the first turn.
    fn play(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) -> Result<GroundTerm, PlayerError>;

    /// Whether the last move was chosen by no search: the first legal one stood in, since nothing had been found in time.
    fn stood_in(&self) -> bool {
        false
    }

    /// The match is over, after this joint move.
    fn stop(&mut self, last: Option<&[GroundTerm]>, deadline: Deadline) -> Result<(), PlayerError>;

    /// The match is given up.
    fn abort(&mut self);
}

/// What a player is told at the start of a match.
#[derive(Clone)]
pub struct Start {
    /// What the match is called.
    pub match_id: String,
    /// The game. Its engine has been set up where it is to be more than the interpreter.
    pub game: Arc<Game>,
    /// The role to be played.
    pub role: Role,
    /// How long the player may think.
    pub clocks: Clocks,
    /// Set by somebody who wants the player to stop thinking.
    pub interrupt: Arc<AtomicBool>,
}

/// Why a player has no answer.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The search is not for such a game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The evaluation cannot be had.
    #[error(transparent)]
    Evaluation(#[from] FeatureError),
    /// There is no match to play in.
    #[error("no match has been started")]
    NotStarted,
    /// There is nothing to be played.
    #[error("the game is over")]
    Over,
    /// The joint move that was made has not one move for each role.
    #[error("the last joint move has {found} moves, and the game {expected} roles")]
    WrongNumber {
        /// How many roles there are.
        expected: usize,
        /// How many moves there were.
        found: usize,
    },
    /// A move that is said to have been made cannot have been.
    #[error("{chosen} was not legal for {role}")]
    Illegal {
        /// The role.
        role: GroundTerm,
        /// The move.
        chosen: GroundTerm,
    },
    /// The player is a person, who gives no move.
    #[error("nobody answers")]
    NoAnswer,
    /// The player is on another machine.
    #[error("{0}")]
    Remote(String),
    /// The player is on another machine, and has not answered in time.
    #[error("no answer in time")]
    Late,
    /// The player is on another machine, and is in another match or cannot be reached.
    #[error("{0}")]
    Absent(String),
}
