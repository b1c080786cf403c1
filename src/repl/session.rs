//! What a session remembers: the game that is loaded, and the way that was played in it.

use super::CommandError;
use crate::engine::{self, EngineKind, Game};
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use crate::interpreter::{Interpreter, State};
use crate::rules::GroundTerm;
use crate::search::Budget;
use crate::suggestion::nearest;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// One person's work: at most one game, and settings that outlive it.
pub struct Session {
    directory: PathBuf,
    engine: EngineKind,
    interrupt: Arc<AtomicBool>,
    current: Option<Match>,
}

impl Session {
    /// No game yet; relative paths start at `directory`, and setting the flag stops what is running.
    pub fn new(directory: impl Into<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        Self { directory: directory.into(), engine: EngineKind::default(), interrupt, current: None }
    }

    /// Loads a game in the place of the current one, which stays where that fails.
    pub fn load(&mut self, name: &str) -> Result<&mut Match, CommandError> {
        let game = engine::load(name, &self.directory, self.engine)?;
        self.begin(game)
    }

    /// Begins a match of a game that has been loaded already.
    pub fn begin(&mut self, mut game: Game) -> Result<&mut Match, CommandError> {
        game.reasoner.set_interrupt(self.interrupt.clone());
        Ok(self.current.insert(Match::new(game)?))
    }

    /// The current match; an error where no game is loaded.
    pub fn current(&mut self) -> Result<&mut Match, CommandError> {
        self.current.as_mut().ok_or(CommandError::NoGame)
    }

    /// The name of the loaded game.
    pub fn game_name(&self) -> Option<&str> {
        self.current.as_ref().map(|current| current.game.name.as_str())
    }

    /// Where relative paths start.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The engine that games are loaded with.
    pub fn engine(&self) -> EngineKind {
        self.engine
    }

    /// Loads games with this engine from now on.
    pub fn set_engine(&mut self, engine: EngineKind) {
        self.engine = engine;
    }

    /// What a search may use: everything, until it is interrupted.
    pub fn budget(&self) -> Budget {
        Budget::new().with_interrupt(self.interrupt.clone())
    }
}

/// A game being played: the initial state and every ply since.
pub struct Match {
    /// The game.
    pub game: Game,
    initial: State,
    plies: Vec<Ply>,
}

struct Ply {
    joint_move: Vec<Move>,
    state: State,
}

impl Match {
    fn new(mut game: Game) -> Result<Self, ReasonError> {
        let initial = game.reasoner.initial_state()?;
        Ok(Self { game, initial, plies: Vec::new() })
    }

    /// The engine, and the state that the match has come to.
    pub fn position(&mut self) -> (&mut Interpreter, &State) {
        let state = self.plies.last().map_or(&self.initial, |ply| &ply.state);
        (&mut self.game.reasoner, state)
    }

    /// The engine, and the state in which the match began.
    pub fn beginning(&mut self) -> (&mut Interpreter, &State) {
        (&mut self.game.reasoner, &self.initial)
    }

    /// How many joint moves have been played.
    pub fn ply(&self) -> usize {
        self.plies.len()
    }

    /// The joint move that led to the current state.
    pub fn last_joint_move(&self) -> Option<&[Move]> {
        self.plies.last().map(|ply| ply.joint_move.as_slice())
    }

    /// The roles of the game.
    pub fn roles(&self) -> &[GroundTerm] {
        self.game.reasoner.roles()
    }

    /// The role of this name.
    pub fn role(&self, name: &GroundTerm) -> Result<Role, CommandError> {
        let unknown = || {
            let names: Vec<String> = self.roles().iter().map(ToString::to_string).collect();
            let near = nearest(&name.to_string(), names.iter().map(String::as_str));
            let near = near.into_iter().map(str::to_string).collect();
            CommandError::UnknownRole { name: name.clone(), near }
        };
        self.roles().iter().position(|role| role == name).map(Role::new).ok_or_else(unknown)
    }

    /// Whether the game is over.
    pub fn is_over(&mut self) -> Result<bool, ReasonError> {
        let (reasoner, state) = self.position();
        reasoner.is_terminal(state)
    }

    /// The joint moves of the current state; an error where the game is over.
    pub fn joint_moves(&mut self) -> Result<JointMoves, CommandError> {
        if self.is_over()? {
            return Err(CommandError::Over);
        }
        let (reasoner, state) = self.position();
        Ok(JointMoves::of(reasoner, state)?)
    }

    /// The state after a legal joint move, which is not played.
    pub fn after(&mut self, joint_move: &[Move]) -> Result<State, ReasonError> {
        let (reasoner, state) = self.position();
        reasoner.next_state(state, joint_move)
    }

    /// Plays a legal joint move.
    pub fn play(&mut self, joint_move: Vec<Move>) -> Result<(), ReasonError> {
        let state = self.after(&joint_move)?;
        self.plies.push(Ply { joint_move, state });
        Ok(())
    }

    /// Takes back so many plies, or all where there are not so many; gives how many were taken back.
    pub fn undo(&mut self, plies: usize) -> usize {
        let kept = self.plies.len().saturating_sub(plies);
        let undone = self.plies.len() - kept;
        self.plies.truncate(kept);
        undone
    }
}
