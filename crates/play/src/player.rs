//! The interface of players: the messages of the GGP protocol as methods.

pub(crate) mod auto;
pub(crate) mod hidden;
pub(crate) mod learning;
mod lesson;
pub(crate) mod neural;
pub(crate) mod planning;
pub(crate) mod searching;
#[doc(hidden)]
pub mod simple;
pub(crate) mod stored;

use super::{Deadline, WorkGroup};
use crate::ask::PredictorError;
use crate::ask::network::NetworkReadError;
use gdl::rules::{GroundTerm, NoGroundTerm};
use ggp_engine::{EngineError, FeatureError, Game};
use ggp_game::{ReasonError, Role};
use ggp_search::solving::SolvingError;
use ggp_search::{Advice, Outcome, SearchError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A player of one role, in one match at a time.
///
/// Moves are terms of the game's rule sheet. Each method should return before its deadline; the caller has to enforce
/// that, and to handle panics (a seat does both). An error of [`Player::play`] means that there is no move; the caller
/// makes another for it, and continues the match.
pub trait Player: Send {
    /// The name of the player.
    fn name(&self) -> String;

    /// Shows the player a game before any match of it.
    fn preview(&mut self, _game: &Arc<Game>, _deadline: Deadline) -> Result<(), PlayerError> {
        Ok(())
    }

    /// A match begins; a match that is still running is abandoned.
    fn start(&mut self, start: &Start, deadline: Deadline) -> Result<(), PlayerError>;

    /// The move to make now, after this turn.
    fn play(&mut self, last: &LastTurn, deadline: Deadline) -> Result<GroundTerm, PlayerError>;

    /// True if the last move was the first legal one because no search had chosen a move in time.
    fn stood_in(&self) -> bool {
        false
    }

    /// What the last search found, if the last move comes from one.
    #[doc(hidden)]
    fn thought(&self) -> Option<Thought> {
        None
    }

    /// Called after a move, while the others think. The player may think on until its interrupt is set.
    fn ponder(&mut self) {}

    /// Follows the joint moves of a match that has just been started anew because moves were taken back.
    ///
    /// # Errors
    /// If it cannot, as a player on another machine.
    #[doc(hidden)]
    fn follow(&mut self, _joint_moves: &[Vec<GroundTerm>]) -> Result<(), PlayerError> {
        Err(PlayerError::NotStarted)
    }

    /// The match is over, after this turn.
    fn stop(&mut self, last: &LastTurn, deadline: Deadline) -> Result<(), PlayerError>;

    /// The match is abandoned without a result.
    fn abort(&mut self);
}

/// What a player is told of the last turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LastTurn {
    /// The joint move, in the order of the roles; `None` at the first turn.
    JointMove(Option<Vec<GroundTerm>>),
    /// What the role of the player knows of it, in a game with rules for `sees` (GDL-II).
    View {
        /// The number of joint moves so far.
        turn: usize,
        /// The move of the role; `None` at the first turn.
        chosen: Option<GroundTerm>,
        /// The percepts of the role.
        percepts: Vec<GroundTerm>,
    },
}

impl LastTurn {
    /// There is none: it is the first turn.
    pub const FIRST: Self = Self::JointMove(None);

    /// The joint move, if the player is told it.
    pub fn joint_move(&self) -> Option<&[GroundTerm]> {
        match self {
            Self::JointMove(joint_move) => joint_move.as_deref(),
            Self::View { .. } => None,
        }
    }
}

/// What the search for a move found, for people who watch.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize)]
pub struct Thought {
    /// The value of the move for the role: a utility, or a mean of utilities; `None` if it is unknown or an estimate.
    pub value: Option<f64>,
    /// True if the value is exact.
    pub is_proven: bool,
    /// The number of random games from the position, earlier ones that were kept included.
    pub playouts: u64,
    /// The number of states of the search.
    pub nodes: u64,
    /// The greatest number of joint moves that the search looked ahead.
    pub depth: u32,
}

impl Thought {
    /// A search without random games.
    pub(crate) fn of_search<T>(outcome: &Outcome<T>, value: Option<f64>) -> Self {
        let is_proven = value.is_some() && outcome.is_exact();
        Self { value, is_proven, playouts: 0, nodes: outcome.cost.nodes, depth: outcome.cost.depth }
    }

    /// A search by random games, as many as `repeats` at each visit.
    pub(crate) fn of_playouts(outcome: &Outcome<Advice>, repeats: usize) -> Option<Self> {
        let advice = outcome.answer.as_ref()?;
        let rated = advice.options.iter().find(|rated| rated.chosen == advice.chosen);
        let proven = advice.proven.or_else(|| rated.and_then(|rated| rated.proven));
        let mean = rated.filter(|rated| rated.visits > 0).map(|rated| rated.mean);
        Some(Self {
            value: proven.or(mean),
            is_proven: proven.is_some(),
            playouts: advice.visits() * repeats as u64,
            nodes: outcome.cost.nodes,
            depth: outcome.cost.depth,
        })
    }
}

/// The thinking time of the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// The time before the first move.
    pub start: Duration,
    /// The time for each move.
    pub play: Duration,
}

/// The data of a match that a player gets at its start.
#[derive(Clone)]
pub struct Start {
    /// The identifier of the match.
    pub match_id: String,
    /// The game. Its engine has been set up, unless the interpreter is to play.
    pub game: Arc<Game>,
    /// The role of the player.
    pub role: Role,
    /// The thinking time of the player.
    pub clocks: Clocks,
    /// Setting this flag stops the player's thinking.
    pub interrupt: Arc<AtomicBool>,
    /// Counts the threads that the player starts for the match.
    pub works: WorkGroup,
}

/// The error of a player that has no answer.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The search does not support the game.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The evaluation cannot be loaded.
    #[error(transparent)]
    Evaluation(#[from] FeatureError),
    /// A term that names a move which a search should try first is not ground.
    #[error(transparent)]
    Order(#[from] NoGroundTerm),
    /// The model of the opponents cannot be set up.
    #[error(transparent)]
    Predictor(#[from] PredictorError),
    /// The network of `ggp train` cannot be read.
    #[error(transparent)]
    Network(#[from] NetworkReadError),
    /// The files of a solved game cannot be read.
    #[error(transparent)]
    Database(#[from] SolvingError),
    /// No match has been started.
    #[error("no match has been started")]
    NotStarted,
    /// The game is over, so there is no move to make.
    #[error("the game is over")]
    Over,
    /// The number of moves of the last joint move differs from the number of roles.
    #[error("the last joint move has {found} moves, and the game {expected} roles")]
    WrongNumber {
        /// The number of roles of the game.
        expected: usize,
        /// The number of reported moves.
        found: usize,
    },
    /// A reported move was not legal.
    #[error("{chosen} was not legal for {role}")]
    Illegal {
        /// The role that is said to have made the move.
        role: GroundTerm,
        /// The move that was not legal for it.
        chosen: GroundTerm,
    },
    /// The turn that is told does not follow the one before.
    #[error("turn {found} is told after {expected} joint moves")]
    WrongTurn {
        /// The number of joint moves after which it is told.
        expected: usize,
        /// The number of joint moves that the message gives.
        found: usize,
    },
    /// What is told of the last turn does not suit the game or the match.
    #[error("{0}")]
    WrongForm(&'static str),
    /// No line of the game agrees with the moves and percepts of the role.
    #[error("no state agrees with this move and these percepts")]
    Inconsistent,
    /// No state has been found in time that agrees with the moves and percepts of the role.
    #[error("no state that agrees with the percepts was found in time")]
    NoPossibleState,
    /// The player needs the whole state, and is told only the percepts of its role.
    #[error(
        "{0} needs the whole state, and the manager tells only percepts: auto, cfr, mccfr, equilibrium and ismcts need no more"
    )]
    NeedsState(String),
    /// The player is a person, who gives no move.
    #[error("the person does not answer")]
    NoAnswer,
    /// The player is a person, who takes the last move back.
    #[doc(hidden)]
    #[error("the person takes a move back")]
    TakenBack,
    /// An error of a player on another machine.
    #[error("{0}")]
    Remote(String),
    /// A player on another machine has not answered in time.
    #[error("no answer in time")]
    Late,
    /// A player on another machine is in another match or cannot be reached.
    #[error("{0}")]
    Absent(String),
}

impl From<EngineError> for PlayerError {
    fn from(error: EngineError) -> Self {
        match error {
            EngineError::Reason(error) => Self::Reason(error),
            EngineError::Propnet(error) => Self::Evaluation(error.into()),
        }
    }
}
