//! A loaded game with its two engines: the interpreter, and the engine that plays.

use super::{Checked, Engine, EngineKind, EngineOptions, EngineState};
use crate::diagnostic::Diagnostic;
use crate::game::{ReasonError, Reasoner};
use crate::ground::GroundError;
use crate::interpreter::{self, Interpreter, QueryError};
use crate::limits::Limits;
use crate::propnet::{FOR_PLAY, Program, Propnet, PropnetError};
use crate::rules::RuleSet;
use crate::syntax::Source;
use crate::syntax::ast::Sheet;
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
    /// The parsed rule sheet.
    pub sheet: Sheet,
    /// The normalised rules, from which the engines work.
    pub rules: Arc<RuleSet>,
    /// The problems of the rule sheet: warnings only.
    pub diagnostics: Vec<Diagnostic>,
    /// Answers queries and explains, whichever engine plays.
    pub interpreter: Interpreter,
    options: EngineOptions,
    /// The network, if the game was loaded from a compiled file.
    compiled: Option<Program>,
    engine: Option<Engine>,
    notes: Vec<String>,
    /// Why the interpreter last replaced the network.
    no_propnet: Option<String>,
}

/// Why a game has no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The options select the network, and it cannot be built.
    #[error("the propnet cannot be built: {0}; the engines `interpreter` and `auto` work without it")]
    Propnet(PropnetError),
    /// The interpreter has no answer, or the work was interrupted.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl From<PropnetError> for EngineError {
    fn from(error: PropnetError) -> Self {
        match error {
            PropnetError::Ground(GroundError::Reason(ReasonError::Interrupted)) => ReasonError::Interrupted.into(),
            error => Self::Propnet(error),
        }
    }
}

impl Game {
    /// Makes a game from a text without errors.
    pub(super) fn new(
        name: String,
        source: Source,
        Checked { sheet, rules, diagnostics }: Checked,
        options: EngineOptions,
        compiled: Option<Program>,
    ) -> Result<Self, QueryError> {
        let rules = Arc::new(rules);
        let interpreter = Interpreter::within(rules.clone(), options.limits.clone())?;
        let (engine, notes, no_propnet) = (None, Vec::new(), None);
        Ok(Self { name, source, sheet, rules, diagnostics, interpreter, options, compiled, engine, notes, no_propnet })
    }

    /// The engine that plays and searches; it is set up when it is first needed, which may take the whole budget.
    ///
    /// If the kind is [`EngineKind::Auto`] and the network cannot be built, the interpreter plays, and
    /// [`Game::take_notes`] says why. If building is interrupted, that is an error, and the interpreter plays from then
    /// on.
    ///
    /// # Errors
    /// If the options select the network and it cannot be built, or if building is interrupted.
    pub fn engine(&mut self) -> Result<&mut Engine, EngineError> {
        if self.engine.is_none() {
            self.engine = Some(self.set_up()?);
        }
        Ok(self.engine.as_mut().expect("the engine has been set up"))
    }

    /// The engine, without the rest of the game; an error if there is none ([`Game::engine`]).
    pub fn into_engine(mut self) -> Result<Engine, EngineError> {
        self.engine()?;
        Ok(self.engine.expect("the engine has been set up"))
    }

    /// The engine, and its own state for one of the interpreter's.
    ///
    /// `is_reached` says that legal play leads from the initial state to this one. For other states the network is
    /// built again, without the passes that rely on legal play ([`FOR_PLAY`]). If it cannot represent the state even
    /// so, the interpreter replaces it and leaves a note.
    ///
    /// # Errors
    /// Those of [`Game::engine`].
    pub fn engine_at(
        &mut self,
        state: &interpreter::State,
        is_reached: bool,
    ) -> Result<(&mut Engine, EngineState), EngineError> {
        if !is_reached && self.options.kind != EngineKind::Interpreter {
            self.expect_any_state();
        }
        let state = match self.engine()? {
            Engine::Interpreter(_) => EngineState::Interpreter(state.clone()),
            Engine::Propnet(_) => self.convert(state),
        };
        Ok((self.engine()?, state))
    }

    /// The engine that plays, if it has been set up.
    pub fn engine_in_use(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// A separate engine for this game, for another thread: a fork of the one that plays or, if none has been set up,
    /// of the interpreter.
    pub fn fork_engine(&self) -> Engine {
        match &self.engine {
            Some(engine) => engine.fork(),
            None => Engine::Interpreter(Box::new(self.interpreter.fork())),
        }
    }

    /// The options of the engine.
    pub fn options(&self) -> &EngineOptions {
        &self.options
    }

    /// Plays with another engine from now on. An engine selected by name is set up at once.
    ///
    /// # Errors
    /// Those of [`Game::engine`]; the game then keeps its current engine.
    pub fn set_options(&mut self, options: EngineOptions) -> Result<(), EngineError> {
        let before = (std::mem::replace(&mut self.options, options), self.engine.take());
        if self.options.kind != EngineKind::Auto
            && let Err(error) = self.engine()
        {
            (self.options, self.engine) = before;
            return Err(error);
        }
        Ok(())
    }

    /// Replaces the limits of the interpreter, of the engine that plays, and of everything that is set up later.
    pub fn set_limits(&mut self, limits: Limits) {
        self.interpreter.set_limits(limits.clone());
        if let Some(engine) = &mut self.engine {
            engine.set_limits(limits.clone());
        }
        self.options = std::mem::take(&mut self.options).with_limits(limits);
    }

    /// Removes and returns the notes for the user about what happened to the engine.
    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    /// Why the interpreter plays, if it replaced the network.
    pub fn why_no_propnet(&self) -> Option<&str> {
        self.no_propnet.as_deref()
    }

    /// Compares the network of a compiled game with the rule sheet: what differs, roles or initial states, if anything
    /// does.
    ///
    /// # Errors
    /// Those of the interpreter, if it has no initial state.
    pub(super) fn foreign_network(&mut self) -> Result<Option<&'static str>, ReasonError> {
        let Some(program) = &self.compiled else { return Ok(None) };
        if program.roles != self.interpreter.roles() {
            return Ok(Some("roles"));
        }
        let initial = self.interpreter.initial_state()?;
        let is_same = program.facts_in(&program.initial).eq(&self.interpreter.facts(&initial));
        Ok((!is_same).then_some("initial states"))
    }

    fn set_up(&mut self) -> Result<Engine, EngineError> {
        if self.options.kind == EngineKind::Interpreter {
            return Ok(Engine::Interpreter(Box::new(self.interpreter.fork())));
        }
        let initial = self.interpreter.initial_state()?;
        let facts = self.interpreter.facts(&initial);
        let built = self.propnet().and_then(|propnet| propnet.check_initial(&facts).map(|()| propnet));
        let error = match built {
            Ok(propnet) => return Ok(Engine::Propnet(Box::new(propnet))),
            Err(error) => error,
        };
        if self.options.kind == EngineKind::Propnet {
            return Err(error.into());
        }
        let interpreter = self.stand_in(&error);
        match EngineError::from(error) {
            EngineError::Reason(error @ ReasonError::Interrupted) => {
                self.engine = Some(interpreter);
                Err(error.into())
            }
            _ => Ok(interpreter),
        }
    }

    /// The network for the options: the compiled one, unless a pass is switched off.
    fn propnet(&self) -> Result<Propnet, PropnetError> {
        let options = &self.options.propnet;
        if let Some(program) = self.compiled_program() {
            return Ok(Propnet::within(program.clone(), options, &self.options.budget.work())?);
        }
        let build = || Propnet::new(&self.rules, &self.options.budget, options);
        match &self.options.progress {
            Some(progress) => progress.over(build),
            None => build(),
        }
    }

    /// The network that the game was loaded with; `None` if a pass is switched off.
    fn compiled_program(&self) -> Option<&Program> {
        self.compiled.as_ref().filter(|_| self.options.propnet.without.is_empty())
    }

    /// A function that builds the network on any thread, using only the rules of the game; it stops soon after the flag
    /// is set.
    pub(super) fn builder(
        &self,
        interrupt: Arc<AtomicBool>,
    ) -> impl FnOnce() -> Result<Engine, EngineError> + Send + use<> {
        let (rules, compiled) = (self.rules.clone(), self.compiled_program().cloned());
        let mut interpreter = self.interpreter.fork();
        let EngineOptions { budget, propnet: options, .. } = self.options.clone();
        move || {
            let limits = Limits::none().with_interrupt(interrupt);
            let propnet = match compiled {
                Some(program) => Propnet::within(program, &options, &limits).map_err(PropnetError::from)?,
                None => Propnet::new(&rules, &budget.with_limits(&limits), &options)?,
            };
            let initial = interpreter.initial_state()?;
            propnet.check_initial(&interpreter.facts(&initial))?;
            Ok(Engine::Propnet(Box::new(propnet)))
        }
    }

    /// Switches off the passes that rely on legal play for the next network, and drops the current one if it relies on
    /// them.
    fn expect_any_state(&mut self) {
        let without = &mut self.options.propnet.without;
        let left_out = without.len();
        for pass in FOR_PLAY {
            if !without.iter().any(|name| name == pass) {
                without.push(pass.to_string());
            }
        }
        if without.len() > left_out && matches!(self.engine, Some(Engine::Propnet(_))) {
            self.engine = None;
        }
    }

    /// The network's state with the facts of the interpreter's.
    fn convert(&mut self, state: &interpreter::State) -> EngineState {
        let facts = self.interpreter.facts(state);
        let engine = self.engine.as_mut().expect("the engine has been set up");
        match engine.state_from_facts(&facts) {
            Ok(state) => state,
            Err(error) => {
                self.engine = Some(self.stand_in(&error));
                EngineState::Interpreter(state.clone())
            }
        }
    }

    /// The interpreter as a replacement for the network; leaves a note that says why.
    fn stand_in(&mut self, reason: &dyn std::fmt::Display) -> Engine {
        self.notes.push(format!("the interpreter plays {} instead of the propnet: {reason}", self.name));
        self.no_propnet = Some(reason.to_string());
        Engine::Interpreter(Box::new(self.interpreter.fork()))
    }
}
