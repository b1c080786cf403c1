//! What a session remembers: the game that is loaded, the way that was played in it ([`Match`]), and settings.

mod course;
mod saved;

pub use course::{Match, Misfit, Step};

use super::CommandError;
use crate::engine::{self, EngineKind, EngineOptions, Feature, Featured, Measure, Relaxed};
use crate::game::{Chance, Reasoner, Utility};
use crate::interpreter::State;
use crate::search::{Budget, SearchProgress};
use crate::syntax::Dialect;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One person's work: at most one game, and settings that outlive it.
pub struct Session {
    directory: PathBuf,
    engine: EngineOptions,
    interrupt: Arc<AtomicBool>,
    progress: Arc<SearchProgress>,
    current: Option<Match>,
    dialect: Dialect,
    seed: u64,
    /// What chance decides next: the seed, and all that was drawn since.
    pub random: Chance,
}

impl Session {
    /// No game yet; relative paths start at `directory`, and setting the flag stops what is running.
    pub fn new(directory: impl Into<PathBuf>, interrupt: Arc<AtomicBool>) -> Self {
        let (seed, random) = (0, Chance::new(0));
        let engine = EngineOptions::default().with_interrupt(interrupt.clone());
        let dialect = Dialect::Infix;
        Self {
            directory: directory.into(),
            engine,
            interrupt,
            progress: Arc::default(),
            current: None,
            dialect,
            seed,
            random,
        }
    }

    /// Loads a game in the place of the current one, which stays where that fails.
    pub fn load(&mut self, name: &str) -> Result<&mut Match, CommandError> {
        let fresh = self.open(name)?;
        Ok(self.begin(fresh))
    }

    /// Loads a game and gives a match of it, which does not take the place of the current one yet.
    pub fn open(&self, name: &str) -> Result<Match, CommandError> {
        let game = engine::load(name, &self.directory, self.engine.clone())?;
        Ok(Match::new(game, name)?)
    }

    /// Puts a match in the place of the current one.
    pub fn begin(&mut self, fresh: Match) -> &mut Match {
        self.current.insert(fresh)
    }

    /// Puts another match, or none, in the place of the current one, and gives that.
    pub fn exchange(&mut self, other: Option<Match>) -> Option<Match> {
        std::mem::replace(&mut self.current, other)
    }

    /// Loads the current game again, from where it came, and repeats the plies as far as they fit. Where that fails, the old
    /// match stays as it is.
    pub fn reload(&mut self) -> Result<Option<Misfit>, CommandError> {
        let current = self.current()?;
        if current.is_from_standard_input() {
            return Err(CommandError::OnceOnly);
        }
        let (name, steps) = (current.loaded_as.clone(), current.steps());
        let mut fresh = self.open(&name)?;
        let misfit = fresh.repeat(&steps)?;
        self.begin(fresh);
        Ok(misfit)
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

    /// The engine that games are played and searched with.
    pub fn engine(&self) -> EngineKind {
        self.engine.kind
    }

    /// Plays and searches with this engine from now on, the current game too.
    ///
    /// # Errors
    /// Where the current game can have no such engine; then everything stays as it was.
    pub fn set_engine(&mut self, kind: EngineKind) -> Result<(), CommandError> {
        let options = EngineOptions { kind, ..self.engine.clone() };
        if let Some(current) = &mut self.current {
            current.game.set_options(options.clone())?;
        }
        self.engine = options;
        Ok(())
    }

    /// Sets engines up so from now on; to be called before a game is loaded.
    pub fn with_engine(mut self, options: EngineOptions) -> Self {
        self.engine = options.with_interrupt(self.interrupt.clone());
        self
    }

    /// What happened to engines that the person should be told, each thing once.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.current.as_mut().map(|current| current.game.take_notes()).unwrap_or_default()
    }

    /// How the terms of answers are written.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Writes the terms of answers in this dialect from now on.
    pub fn set_dialect(&mut self, dialect: Dialect) {
        self.dialect = dialect;
    }

    /// What chance began with.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Lets chance begin anew.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        self.random = Chance::new(seed);
    }

    /// The flag that stops what is running.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt(self.interrupt.clone())
    }

    /// The loaded game with the rules of another sheet added, and the state where the match stands.
    pub fn featured(&mut self, sheet: &str, feature: Feature) -> Result<(Featured, State), CommandError> {
        let (directory, interrupt) = (self.directory.clone(), self.interrupt.clone());
        let current = self.current()?;
        let mut featured = Featured::load(&current.game, sheet, &directory, feature)?;
        featured.reasoner.set_interrupt(interrupt);
        let (reasoner, state) = current.position();
        let facts = reasoner.facts(state);
        let state = featured.reasoner.state_from_facts(&facts)?;
        Ok((featured, state))
    }

    /// The heuristic that relaxes the deletes of the loaded game.
    pub fn relaxed(&mut self, measure: Measure, goal: Option<Utility>) -> Result<Relaxed, CommandError> {
        let interrupt = self.interrupt.clone();
        Ok(Relaxed::new(&self.current()?.game.rules, measure, goal, interrupt)?)
    }

    /// What a search may use: everything, until it is interrupted. Its progress is that of the session, and begins anew.
    pub fn budget(&self) -> Budget {
        self.progress.reset();
        Budget::new().with_interrupt(self.interrupt.clone()).with_progress(self.progress.clone())
    }

    /// How far the running search has come.
    pub fn progress(&self) -> Arc<SearchProgress> {
        self.progress.clone()
    }
}

/// A look at whether somebody wants to stop.
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// The flag itself, for those who look at it themselves.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// Whether somebody wants to.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
