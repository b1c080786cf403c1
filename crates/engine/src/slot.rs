//! The engine that plays a game: selected by options, set up at the first use, and replaced by the interpreter if it
//! cannot be built or cannot hold a state.

use crate::background_builds::{BackgroundBuilds, BuildKey, BuildShare};
use crate::ground::{GroundBudget, GroundError};
use crate::interpreter::Interpreter;
use crate::program::Program;
use crate::propnet::{FOR_PLAY, LeftOut, Propnet, PropnetError};
use crate::rule_answers::InterpreterAnswers;
use crate::{Engine, EngineKind, EngineState, NetworkCache, interpreter, propnet};
use gdl::limits::{Deadline, Limits, Stop};
use ggp_game::files::InputLimit;
use ggp_game::{ReasonError, Reasoner};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The engine that plays a game, and the limits on setting it up. An [`EngineKind`] converts to its defaults.
#[derive(Clone, Debug, Default)]
pub struct EngineOptions {
    /// The engine, or [`EngineKind::Auto`] to choose one.
    pub kind: EngineKind,
    /// The limits on grounding the rules, for the network.
    pub budget: GroundBudget,
    /// The options of optimising and evaluating the network.
    pub propnet: propnet::NetworkOptions,
    /// The largest file that is read for the game.
    pub input: InputLimit,
    /// The limits on loading, on setting up engines, and on each question.
    pub limits: Limits,
    /// The folder of cached networks; by default none.
    pub cache: Option<NetworkCache>,
    /// The callback for the progress of setting up.
    pub progress: Option<SetupProgress>,
    /// Builds the network of [`EngineKind::Auto`] on a thread of its own, one for all games that share these builds and
    /// have the same text. Until it is there the interpreter is the engine, so no question waits for it longer than half
    /// a second. [`Game::take_built`](crate::Game::take_built) makes the network the engine.
    pub background: Option<BackgroundBuilds>,
    /// Loads sheets that only break a rule of form, with a warning ([`CheckedSheet::leniently`]).
    ///
    /// [`CheckedSheet::leniently`]: gdl::rules::CheckedSheet::leniently
    pub is_lenient: bool,
    /// Loads texts of rules without roles too, which can be asked and not played ([`Game::is_program`]).
    ///
    /// [`Game::is_program`]: crate::Game::is_program
    pub takes_programs: bool,
}

impl EngineOptions {
    /// Stops loading, setting up engines and each question soon after this flag is set.
    pub fn with_interrupt(self, flag: Arc<AtomicBool>) -> Self {
        let limits = self.limits.clone().with_interrupt(flag);
        self.with_limits(limits)
    }

    /// Stops loading, setting up engines and each question at this moment. `Game::set_limits` changes it later.
    pub fn with_deadline(self, at: Deadline) -> Self {
        let limits = self.limits.clone().with_deadline(at);
        self.with_limits(limits)
    }

    /// Limits the memory of the interpreter for the answer to one question. Grounding has its own limit
    /// ([`GroundBudget::with_memory`]).
    pub fn with_memory(self, bytes: u64) -> Self {
        let limits = self.limits.clone().with_memory(bytes);
        self.with_limits(limits)
    }

    /// Replaces all limits. Grounding uses their interrupt and deadline.
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.budget = self.budget.with_limits(&limits);
        self.limits = limits;
        self
    }
}

impl From<EngineKind> for EngineOptions {
    fn from(kind: EngineKind) -> Self {
        Self { kind, ..Self::default() }
    }
}

/// A callback that shows that an engine is being set up.
#[derive(Clone)]
pub struct SetupProgress(Arc<dyn Fn() -> Box<dyn Send> + Send + Sync>);

impl SetupProgress {
    /// `show` is called when the work begins; what it returns is dropped when the work ends.
    pub fn new(show: impl Fn() -> Box<dyn Send> + Send + Sync + 'static) -> Self {
        Self(Arc::new(show))
    }

    /// Does some work while progress is shown.
    pub(super) fn over<T>(&self, work: impl FnOnce() -> T) -> T {
        let _shown = (self.0)();
        work()
    }
}

impl fmt::Debug for SetupProgress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("SetupProgress")
    }
}

/// The reason for which a game has no engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EngineError {
    /// The options select the network, and it cannot be built.
    #[error("the propnet cannot be built: {0}; the engines `interpreter` and `auto` work without it")]
    Propnet(PropnetError),
    /// The interpreter has no answer, or the work was interrupted.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl EngineError {
    /// The reason without the advice to select another engine.
    fn reason(&self) -> &dyn fmt::Display {
        match self {
            Self::Propnet(error) => error,
            Self::Reason(error) => error,
        }
    }
}

impl From<PropnetError> for EngineError {
    fn from(error: PropnetError) -> Self {
        match error {
            PropnetError::Ground(GroundError::Reason(ReasonError::Stopped(Stop::Interrupted))) => {
                Self::Reason(Stop::Interrupted.into())
            }
            error => Self::Propnet(error),
        }
    }
}

/// The time after the start of building for which a question waits for a network beside the interpreter: small networks
/// are there.
const PATIENCE: Duration = Duration::from_millis(500);

/// A network with at least this number of gates may be slower than the rules.
const LARGE_NETWORK: usize = 1_000;

/// The engine of a game, or the data to set it up. It asks the game's interpreter for the rules and the initial state.
/// If the network cannot be built, a fork of the interpreter replaces it.
pub(super) struct EngineSlot {
    pub(super) options: EngineOptions,
    /// The text of the rules, which identifies a cached network.
    sheet: Arc<str>,
    /// The network of a game that was loaded from a compiled file.
    compiled: Option<Arc<Program>>,
    engine: Option<Engine>,
    /// The network that is built beside the interpreter, which is the engine meanwhile.
    building: Option<BuildShare>,
    /// The share in the network that plays, so that other games of the text can have it too.
    built: Option<BuildShare>,
    /// Events that [`EngineSlot::take_notes`] has not returned yet.
    untold: Vec<EngineNotice>,
    /// The last reason for which the interpreter replaced the network.
    no_propnet: Option<String>,
}

/// An event about which the user is told.
enum EngineNotice {
    /// The interpreter answers until the network is built.
    Building,
    /// The network has been built.
    Built,
    /// The interpreter replaced the network, for this reason.
    Replaced(String),
    /// A pass was left out of the network.
    LeftOut(LeftOut),
}

impl EngineSlot {
    /// No engine yet, for the rules in this text.
    pub(super) fn new(options: EngineOptions, sheet: &str, compiled: Option<Program>) -> Self {
        let compiled = compiled.map(Arc::new);
        Self {
            options,
            sheet: sheet.into(),
            compiled,
            engine: None,
            building: None,
            built: None,
            untold: Vec::new(),
            no_propnet: None,
        }
    }

    /// A slot for a fork of the game, with a fork of the engine. Pending notes stay in this slot.
    pub(super) fn fork(&self) -> Self {
        Self {
            options: self.options.clone(),
            sheet: Arc::clone(&self.sheet),
            compiled: self.compiled.clone(),
            engine: self.engine.as_ref().map(Engine::fork),
            building: None,
            built: None,
            untold: Vec::new(),
            no_propnet: self.no_propnet.clone(),
        }
    }

    /// Replaces another slot, from which this one was forked, and takes over its pending notes.
    pub(super) fn replace(mut self, other: &mut Self) {
        self.untold.splice(..0, std::mem::take(&mut other.untold));
        self.building = self.building.or(other.building.take());
        self.built = self.built.or(other.built.take());
        *other = self;
    }

    /// Starts to build the network beside the interpreter, so that it is there when the engine is needed. Does nothing if
    /// the options do not allow it.
    pub(super) fn prepare(&mut self, interpreter: &Interpreter) {
        if self.engine.is_none() && self.building.is_none() && self.options.kind == EngineKind::Auto {
            self.building = self.options.background.as_ref().map(|builds| self.share(builds, interpreter));
        }
    }

    /// The engine, which is set up now if it does not exist.
    pub(super) fn engine(&mut self, interpreter: &mut Interpreter) -> Result<&mut Engine, EngineError> {
        if self.engine.is_none() {
            self.prepare(interpreter);
            self.engine = Some(match self.building.take() {
                Some(building) => self.begin(interpreter, building),
                None => self.set_up(interpreter)?,
            });
        }
        Ok(self.engine.as_mut().expect("the engine has been set up"))
    }

    /// A share in the network of this text.
    fn share(&self, builds: &BackgroundBuilds, interpreter: &Interpreter) -> BuildShare {
        let mut without = self.options.propnet.without.clone();
        without.sort();
        let key = BuildKey { sheet: Arc::clone(&self.sheet), without };
        builds.share(key, |interrupt| {
            let mut beside = self.fork();
            beside.options.budget = beside.options.budget.beside();
            let build = beside.builder(interpreter.fork(), interrupt);
            move || build().map_err(|error| error.reason().to_string())
        })
    }

    /// The network, if it is there soon; otherwise the interpreter for now.
    fn begin(&mut self, interpreter: &Interpreter, building: BuildShare) -> Engine {
        match building.result(PATIENCE) {
            Some(Ok(engine)) => {
                self.built = Some(building);
                self.note_left_out(engine.left_out());
                engine
            }
            Some(Err(reason)) => self.stand_in(interpreter, &reason),
            None => {
                self.untold.push(EngineNotice::Building);
                self.building = Some(building);
                Engine::Interpreter(Box::new(interpreter.fork()))
            }
        }
    }

    /// Makes the network that is built beside the interpreter the engine, if it is there. States of the engine from
    /// before belong to the interpreter, so this is called between questions.
    pub(super) fn take_built(&mut self) {
        // An engine that nothing has needed so far is taken when it is.
        if self.engine.is_none() {
            return;
        }
        let Some(result) = self.building.as_ref().and_then(|building| building.result(Duration::ZERO)) else { return };
        let building = self.building.take();
        match result {
            Ok(engine) => {
                self.untold.push(EngineNotice::Built);
                self.note_left_out(engine.left_out());
                self.engine = Some(engine);
                self.built = building;
            }
            Err(reason) => self.note_replaced(reason),
        }
    }

    /// True if a network is built beside the interpreter.
    pub(super) fn is_building(&self) -> bool {
        self.building.as_ref().is_some_and(BuildShare::is_open)
    }

    /// The engine without the slot.
    pub(super) fn into_engine(mut self, interpreter: &mut Interpreter) -> Result<Engine, EngineError> {
        self.engine(interpreter)?;
        Ok(self.engine.expect("the engine has been set up"))
    }

    /// The engine, and its state for a state of the interpreter.
    pub(super) fn engine_for(
        &mut self,
        interpreter: &mut Interpreter,
        state: &interpreter::State,
        is_reached: bool,
    ) -> Result<(&mut Engine, EngineState), EngineError> {
        let state = self.state_for(interpreter, state, is_reached)?;
        Ok((self.engine(interpreter)?, state))
    }

    /// The engine's state for a state of the interpreter. The engine is set up now if it does not exist. `is_reached`
    /// is true if legal play leads to the state.
    pub(super) fn state_for(
        &mut self,
        interpreter: &mut Interpreter,
        state: &interpreter::State,
        is_reached: bool,
    ) -> Result<EngineState, EngineError> {
        interpreter.check_owner(state)?;
        if !is_reached && self.options.kind != EngineKind::Interpreter {
            self.expect_any_state();
        }
        Ok(match self.engine(interpreter)? {
            Engine::Interpreter(engine) => {
                // The state may have terms that the game's interpreter has kept since the fork.
                engine.learn_terms(state);
                EngineState::Interpreter(state.clone())
            }
            Engine::Propnet(_) => self.convert(interpreter, state),
        })
    }

    /// Makes a network that was built elsewhere the engine, or its replacement.
    pub(super) fn adopt(
        &mut self,
        interpreter: &mut Interpreter,
        built: Result<Propnet, PropnetError>,
    ) -> Result<&mut Engine, EngineError> {
        let engine = self.checked(interpreter, built)?;
        (self.building, self.built) = (None, None);
        Ok(self.engine.insert(engine))
    }

    /// The engine, if it has been set up.
    pub(super) fn in_use(&self) -> Option<&Engine> {
        self.engine.as_ref()
    }

    /// Replaces the options. An engine that is selected by name is set up at once; if that fails, nothing changes.
    pub(super) fn set_options(
        &mut self,
        interpreter: &mut Interpreter,
        options: EngineOptions,
    ) -> Result<(), EngineError> {
        // The previous options and engine are kept until the new engine exists.
        let before = (std::mem::replace(&mut self.options, options), self.engine.take());
        (self.building, self.built) = (None, None);
        if self.options.kind != EngineKind::Auto
            && let Err(error) = self.engine(interpreter)
        {
            (self.options, self.engine) = before;
            return Err(error);
        }
        Ok(())
    }

    /// Replaces the limits of the engine and of everything that is set up later.
    pub(super) fn set_limits(&mut self, limits: Limits) {
        if let Some(engine) = &mut self.engine {
            engine.set_limits(limits.clone());
        }
        self.options = std::mem::take(&mut self.options).with_limits(limits);
    }

    /// Removes the pending events and returns them as notes. `work` is the use of the engine, such as `plays chess`.
    pub(super) fn take_notes(&mut self, work: String) -> impl Iterator<Item = String> + use<> {
        let events = std::mem::take(&mut self.untold).into_iter();
        let of_lanes = match &self.engine {
            Some(Engine::Propnet(propnet)) => propnet.back_ends().take_untold(),
            _ => Vec::new(),
        };
        let of_lanes = of_lanes.into_iter().map(|left_out| left_out.to_string());
        let of_engine = events.map(move |event| match event {
            EngineNotice::Building => format!("the interpreter {work} until its propnet is built"),
            EngineNotice::Built => format!("the propnet {work} from now on"),
            EngineNotice::Replaced(reason) => format!("the interpreter {work} instead of the propnet: {reason}"),
            EngineNotice::LeftOut(left_out) => left_out.to_string(),
        });
        of_engine.chain(of_lanes)
    }

    /// The reason for which the interpreter replaced the network, if it did.
    pub(super) fn why_no_propnet(&self) -> Option<&str> {
        self.no_propnet.as_deref()
    }

    /// Compares the network of a compiled game with the rule sheet. Returns what differs, `roles` or `initial states`,
    /// if anything does.
    ///
    /// # Errors
    /// Those of the interpreter, if it has no initial state.
    pub(super) fn foreign_network(&self, interpreter: &mut Interpreter) -> Result<Option<&'static str>, ReasonError> {
        let Some(program) = &self.compiled else { return Ok(None) };
        if program.roles != interpreter.roles() {
            return Ok(Some("roles"));
        }
        let initial = interpreter.initial_state()?;
        let is_same = program.facts_in(&program.initial).eq(&interpreter.facts(&initial));
        Ok((!is_same).then_some("initial states"))
    }

    /// A function that builds the network on any thread, from the rules of the game alone. It stops soon after the flag
    /// is set.
    pub(super) fn builder(
        &self,
        mut interpreter: Interpreter,
        interrupt: Arc<AtomicBool>,
    ) -> impl FnOnce() -> Result<Engine, EngineError> + Send + use<> {
        let mut slot = self.fork();
        slot.options.progress = None;
        move || {
            let limits = Limits::none().with_interrupt(interrupt);
            let budget = slot.options.budget.clone().with_limits(&limits);
            let mut propnet = slot.network(&interpreter, &budget, &limits)?;
            let initial = interpreter.initial_state()?;
            propnet.check_initial(&interpreter.facts(&initial))?;
            slot.offer_rules(&interpreter, &mut propnet);
            propnet.choose_evaluator(&limits).map_err(PropnetError::from)?;
            Ok(Engine::Propnet(Box::new(propnet)))
        }
    }

    fn set_up(&mut self, interpreter: &mut Interpreter) -> Result<Engine, EngineError> {
        if self.options.kind == EngineKind::Interpreter {
            return Ok(Engine::Interpreter(Box::new(interpreter.fork())));
        }
        let budget = &self.options.budget;
        let built = self.network(interpreter, budget, &budget.work());
        self.checked(interpreter, built)
    }

    /// The network as an engine if its initial state is that of the interpreter; otherwise the interpreter, unless the
    /// options select the network.
    fn checked(
        &mut self,
        interpreter: &mut Interpreter,
        built: Result<Propnet, PropnetError>,
    ) -> Result<Engine, EngineError> {
        let initial = interpreter.initial_state()?;
        let facts = interpreter.facts(&initial);
        let error = match built.and_then(|propnet| propnet.check_initial(&facts).map(|()| propnet)) {
            Ok(mut propnet) => {
                self.offer_rules(interpreter, &mut propnet);
                self.note_left_out(propnet.left_out());
                return Ok(Engine::Propnet(Box::new(propnet)));
            }
            Err(error) => error,
        };
        if self.options.kind == EngineKind::Propnet {
            return Err(error.into());
        }
        let stand_in = self.stand_in(interpreter, &error);
        match EngineError::from(error) {
            EngineError::Reason(error @ ReasonError::Stopped(Stop::Interrupted)) => {
                // After an interrupt the next question must not start to build again.
                self.engine = Some(stand_in);
                Err(error.into())
            }
            _ => Ok(stand_in),
        }
    }

    /// Lets a large network be compared with the rules, unless the options select the network.
    fn offer_rules(&self, interpreter: &Interpreter, propnet: &mut Propnet) {
        if self.options.kind != EngineKind::Auto || propnet.program().gates.len() < LARGE_NETWORK {
            return;
        }
        // The comparison and all answers are those of the network, whatever the limits of a question are.
        let mut asked = interpreter.fork();
        asked.set_limits(Limits::none());
        // Where the rules cannot be asked, the network answers.
        if let Ok(rules) = InterpreterAnswers::new(asked, propnet.shared_program()) {
            propnet.compare_with_rules(Arc::new(rules));
        }
    }

    /// The network: the one with which the game was loaded, a cached one, or a new one. The first is not used if a pass
    /// is switched off.
    fn network(
        &self,
        interpreter: &Interpreter,
        budget: &GroundBudget,
        limits: &Limits,
    ) -> Result<Propnet, PropnetError> {
        let options = &self.options.propnet;
        if let Some(program) = &self.compiled
            && options.without.is_empty()
        {
            let propnet = Propnet::from_program(Program::clone(program), options, limits)?;
            return Ok(propnet.bounded_by(interpreter.utility_range()));
        }
        let build = || Propnet::new(interpreter.rules(), budget, options);
        let build = || match &self.options.progress {
            Some(progress) => progress.over(build),
            None => build(),
        };
        match &self.options.cache {
            Some(cache) => {
                let propnet = cache.network(&self.sheet, options, limits, build)?;
                Ok(propnet.bounded_by(interpreter.utility_range()))
            }
            None => build(),
        }
    }

    /// Switches off the passes that assume legal play for the next network, and drops the current network if it was
    /// built with one of them.
    fn expect_any_state(&mut self) {
        let without = &mut self.options.propnet.without;
        let left_out = without.len();
        for pass in FOR_PLAY {
            if !without.iter().any(|name| name == pass) {
                without.push(pass.to_string());
            }
        }
        let is_network = matches!(self.engine, Some(Engine::Propnet(_))) || self.building.is_some();
        if without.len() > left_out && is_network {
            (self.engine, self.building, self.built) = (None, None, None);
        }
    }

    /// The network's state with the facts of a state of the interpreter. If there is none, the interpreter becomes the
    /// engine.
    fn convert(&mut self, interpreter: &Interpreter, state: &interpreter::State) -> EngineState {
        let facts = interpreter.facts(state);
        let engine = self.engine.as_mut().expect("the engine has been set up");
        match engine.state_from_facts(&facts) {
            Ok(state) => state,
            Err(error) => {
                self.engine = Some(self.stand_in(interpreter, &error));
                EngineState::Interpreter(state.clone())
            }
        }
    }

    /// Notes the reason for which the interpreter is the engine.
    fn note_replaced(&mut self, reason: String) {
        self.untold.push(EngineNotice::Replaced(reason.clone()));
        self.no_propnet = Some(reason);
    }

    /// Notes the passes that were left out of a network.
    fn note_left_out(&mut self, left_out: &[LeftOut]) {
        self.untold.extend(left_out.iter().cloned().map(EngineNotice::LeftOut));
    }

    /// A fork of the interpreter as a replacement for the network; adds a note with the reason.
    fn stand_in(&mut self, interpreter: &Interpreter, reason: &dyn std::fmt::Display) -> Engine {
        self.note_replaced(reason.to_string());
        Engine::Interpreter(Box::new(interpreter.fork()))
    }
}
