//! What a session remembers: the game that is loaded, the way that was played in it ([`Match`]), and settings.

mod course;

pub use course::{Match, Step};

use super::CommandError;
use crate::engine::{self, EngineKind};
use crate::search::Budget;
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
        let fresh = self.open(name)?;
        Ok(self.begin(fresh))
    }

    /// Loads a game and gives a match of it, which does not take the place of the current one yet.
    pub fn open(&self, name: &str) -> Result<Match, CommandError> {
        let mut game = engine::load(name, &self.directory, self.engine)?;
        game.reasoner.set_interrupt(self.interrupt.clone());
        Ok(Match::new(game, name)?)
    }

    /// Puts a match in the place of the current one.
    pub fn begin(&mut self, fresh: Match) -> &mut Match {
        self.current.insert(fresh)
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
