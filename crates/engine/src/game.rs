//! A loaded game: its text, its rules, the interpreter that answers questions about it, and the engine that plays it.

use super::slot::{EngineError, EngineSlot};
use super::{CheckedSheet, Engine, EngineOptions, EngineState};
use crate::ground::{Symmetries, ground, symmetries};
use crate::interpreter::{Interpreter, QueryError, State};
use crate::program::Program;
use crate::propnet::{Inspector, Propnet, PropnetError, build};
use gdl::diagnostic::Diagnostic;
use gdl::limits::Limits;
use gdl::rules::RuleSet;
use gdl::syntax::Source;
use gdl::syntax::ast::Sheet;
use ggp_game::{ReasonError, Reasoner};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A game that can be queried and played.
///
/// Single questions, queries and explanations go to the interpreter, which is available at once. What visits many
/// states (searches, random play, replays) uses the [engine](Game::engine), which is set up when it is first needed: a
/// question about a large game does not have to wait for grounding.
pub struct Game {
    /// The name of the game in the library, or that of the file.
    pub name: String,
    /// The text of the rule sheet; all spans refer to it.
    pub source: Source,
    /// The parsed rule sheet, with spans into `source`.
    pub sheet: Sheet,
    /// The normalised rules, from which the engines work.
    pub rules: Arc<RuleSet>,
    /// The problems of the rule sheet: warnings only.
    pub diagnostics: Vec<Diagnostic>,
    /// Answers queries and explains, whichever engine plays.
    pub interpreter: Interpreter,
    slot: EngineSlot,
    /// The network as the rules have it, if it has been asked for.
    inspector: Option<Arc<Inspector>>,
    /// Whether [`Game::state_from_facts`] has made a state, which legal play need not reach.
    pub(super) has_set_states: bool,
}

impl Game {
    /// Makes a game from a text without errors.
    pub(super) fn new(
        name: String,
        source: Source,
        CheckedSheet { sheet, rules, diagnostics }: CheckedSheet,
        options: EngineOptions,
        compiled: Option<Program>,
    ) -> Result<Self, QueryError> {
        let rules = Arc::new(rules);
        let interpreter = Interpreter::within(rules.clone(), options.limits.clone())?;
        let slot = EngineSlot::new(options, source.text(), compiled);
        Ok(Self { name, source, sheet, rules, diagnostics, interpreter, slot, inspector: None, has_set_states: false })
    }

    /// The engine that plays and searches; it is set up when it is first needed, which may take the whole budget.
    ///
    /// If the kind is [`EngineKind::Auto`](super::EngineKind::Auto) and the network cannot be built, the interpreter
    /// plays, and [`Game::take_notes`] says why. If building is interrupted, that is an error, and the interpreter
    /// plays from then on.
    ///
    /// # Errors
    /// If the options select the network and it cannot be built, or if building is interrupted.
    pub fn engine(&mut self) -> Result<&mut Engine, EngineError> {
        self.slot.engine(&mut self.interpreter)
    }

    /// Plays from now on with a network that the caller has built for this game. If it could not be built, or does not
    /// begin as the rules say, the same follows as for one that [`Game::engine`] builds.
    ///
    /// # Errors
    /// Those of [`Game::engine`]; the game then keeps its current engine.
    pub fn adopt(&mut self, built: Result<Propnet, PropnetError>) -> Result<&mut Engine, EngineError> {
        self.slot.adopt(&mut self.interpreter, built)
    }

    /// The engine, without the rest of the game; an error if there is none ([`Game::engine`]).
    pub fn into_engine(mut self) -> Result<Engine, EngineError> {
        self.slot.into_engine(&mut self.interpreter)
    }

    /// The engine, and its own state for one of the game's: what a search begins with.
    ///
    /// Once [`Game::state_from_facts`] has made a state, the network is built without what it takes for granted in
    /// legal play. Where it cannot hold a state even so, the interpreter takes over, with a note.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn engine_at(&mut self, state: &State) -> Result<(&mut Engine, EngineState), EngineError> {
        self.engine_for(state, !self.has_set_states)
    }

    /// As [`Game::engine_at`], where the caller knows whether legal play leads from the initial state to this one.
    pub fn engine_for(&mut self, state: &State, is_reached: bool) -> Result<(&mut Engine, EngineState), EngineError> {
        self.slot.engine_for(&mut self.interpreter, state, is_reached)
    }

    /// The symmetries of the game's rules, within the limits of its engine.
    ///
    /// # Errors
    /// If the rules cannot be grounded, or the limits end the search.
    pub fn symmetries(&self) -> Result<Symmetries, EngineError> {
        let EngineOptions { budget, limits, .. } = self.options();
        let grounding = ground(&self.rules, &budget.clone().with_limits(limits)).map_err(PropnetError::from)?;
        Ok(symmetries(&grounding, limits).map_err(ReasonError::from)?)
    }

    /// The network as the rules have it, before any pass; it is built when it is first asked for, within the limits of
    /// the engine, and kept.
    ///
    /// # Errors
    /// If the rules cannot be grounded, or the limits end the work.
    pub fn inspector(&mut self) -> Result<Arc<Inspector>, EngineError> {
        if let Some(inspector) = &self.inspector {
            return Ok(inspector.clone());
        }
        let EngineOptions { budget, limits, .. } = self.options();
        let grounding = ground(&self.rules, &budget.clone().with_limits(limits)).map_err(PropnetError::from)?;
        let inspector = Arc::new(Inspector::new(build(&grounding, limits)?));
        Ok(self.inspector.insert(inspector).clone())
    }

    /// The engine that plays, if it has been set up.
    pub fn engine_in_use(&self) -> Option<&Engine> {
        self.slot.in_use()
    }

    /// A separate engine for this game, for another thread: a fork of the one that plays or, if none has been set up,
    /// of the interpreter.
    pub fn fork_engine(&self) -> Engine {
        match self.slot.in_use() {
            Some(engine) => engine.fork(),
            None => Engine::Interpreter(Box::new(self.interpreter.fork())),
        }
    }

    /// Another game of the same rules, with forks of the interpreter and of the engine: each answers for the states of
    /// the other, and what happens to one does not change the other.
    pub fn fork(&self) -> Self {
        Self {
            name: self.name.clone(),
            source: self.source.clone(),
            sheet: self.sheet.clone(),
            rules: Arc::clone(&self.rules),
            diagnostics: self.diagnostics.clone(),
            interpreter: self.interpreter.fork(),
            slot: self.slot.fork(),
            inspector: self.inspector.clone(),
            has_set_states: self.has_set_states,
        }
    }

    /// Takes what a fork has set up and found since: its engine, and answers that are kept. Returns whether it has been
    /// taken, which it is if the fork plays with the same kind of engine.
    pub fn take_from(&mut self, fork: Self) -> bool {
        if !Arc::ptr_eq(&self.rules, &fork.rules) || self.options().kind != fork.options().kind {
            return false;
        }
        self.interpreter = fork.interpreter;
        self.inspector = fork.inspector;
        self.has_set_states = fork.has_set_states;
        fork.slot.replace(&mut self.slot);
        true
    }

    /// The options of the engine.
    pub fn options(&self) -> &EngineOptions {
        &self.slot.options
    }

    /// Plays with another engine from now on. An engine selected by name is set up at once.
    ///
    /// # Errors
    /// Those of [`Game::engine`]; the game then keeps its current engine.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        self.slot.set_options(&mut self.interpreter, options)
    }

    /// The limits on setting up its engines and on each question: those with which a search of the game is stopped
    /// inside a question.
    pub fn limits(&self) -> &Limits {
        &self.options().limits
    }

    /// Replaces the limits of the interpreter, of the engine that plays, and of everything that is set up later.
    pub fn set_limits(&mut self, limits: Limits) {
        self.interpreter.set_limits(limits.clone());
        self.slot.set_limits(limits);
    }

    /// Removes and returns the notes for the user about what happened to the engine.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.slot.take_notes(format!("plays {}", self.name)).collect()
    }

    /// Why the interpreter plays, if it replaced the network.
    pub fn why_no_propnet(&self) -> Option<&str> {
        self.slot.why_no_propnet()
    }

    /// Compares the network of a compiled game with the rule sheet: what differs, roles or initial states, if anything
    /// does.
    ///
    /// # Errors
    /// Those of the interpreter, if it has no initial state.
    pub(super) fn foreign_network(&mut self) -> Result<Option<&'static str>, ReasonError> {
        self.slot.foreign_network(&mut self.interpreter)
    }

    /// A function that builds the network on any thread, using only the rules of the game; it stops soon after the flag
    /// is set.
    pub(super) fn builder(
        &self,
        interrupt: Arc<AtomicBool>,
    ) -> impl FnOnce() -> Result<Engine, EngineError> + Send + use<> {
        self.slot.builder(self.interpreter.fork(), interrupt)
    }
}
