//! Data that the states and batches of one loaded game share: its session, and the engines that answer about single
//! states.

use crate::calls::{Signals, lock};
use crate::failure::Failure;
use crate::network::Network;
use ggp::engine::{EngineKind, EngineOptions, PerceptNetwork, load, load_text};
use ggp::game::PerceptReasoner;
use ggp::interpreter::Interpreter;
use ggp::limits::{Limits, Stop};
use ggp::repl::{Answer, CommandCall, CommandError, Session, call, evaluate, picture};
use ggp::syntax::{Source, parse};
use ggp::{Engine, EngineState, Game, GroundTerm, Move, ReasonError, Reasoner, Role};
use ggp_engine::lanes::Lanes;
use ggp_engine::propnet::Propnet;
use pyo3::prelude::*;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// A loaded game.
pub(crate) struct Shared {
    pub(crate) name: String,
    /// The text of the rules.
    pub(crate) text: String,
    pub(crate) kind: EngineKind,
    pub(crate) roles: Vec<GroundTerm>,
    /// The index of the role `random`, whose moves are chance.
    pub(crate) random: Option<usize>,
    /// True if the rules define `sees`: states then keep the joint moves that led to them.
    pub(crate) has_percepts: bool,
    pub(crate) signals: Signals,
    /// Answers commands: searches, queries, explanations. It always has this game; lines of the caller's are answered
    /// in a fork of it.
    session: Mutex<Session>,
    /// What users have to know of the engine, until [`Shared::warn`] tells them.
    notes: Mutex<Vec<String>>,
    /// Answers about single states; set up when the first state is asked for.
    pub(crate) engines: Mutex<Option<Engines>>,
    network: OnceLock<Arc<Network>>,
    initial: OnceLock<EngineState>,
    /// For random games from states that legal play reaches; compiled when they are first asked for, which takes some
    /// milliseconds.
    lanes: Mutex<Option<Lanes>>,
}

/// The engines for single states.
pub(crate) struct Engines {
    /// The engine of the game, for states that legal play reaches.
    pub(crate) own: Engine,
    /// For states that were set, about which the network is not asked.
    any: Engine,
    /// For the states that roles think possible.
    rules: Interpreter,
    /// For percepts, where the network plays and the rules define `sees`.
    percepts: Option<PerceptNetwork>,
    /// The legal moves of a role, their numbers, and a joint move, while they are used.
    pub(crate) moves: Vec<Move>,
    pub(crate) numbers: Vec<u32>,
    pub(crate) joint_move: Vec<Move>,
}

impl Engines {
    /// The engine to which a state belongs.
    pub(crate) fn of(&mut self, state: &EngineState) -> &mut Engine {
        match (&self.own, state) {
            (Engine::Propnet(_), EngineState::Propnet(_)) => &mut self.own,
            _ => &mut self.any,
        }
    }

    /// The rules, with states and moves of their own.
    pub(crate) fn rules(&mut self) -> &mut Interpreter {
        &mut self.rules
    }

    /// The percepts of each role after a joint move, given by its terms, in a state that legal play reaches or another.
    pub(crate) fn percepts(
        &mut self,
        state: &EngineState,
        joint_move: &[GroundTerm],
    ) -> Result<Vec<Vec<GroundTerm>>, Failure> {
        let facts = self.facts(state);
        if let Some(network) = &mut self.percepts
            && let EngineState::Propnet(_) = state
        {
            let state = network.state_from_facts(&facts)?;
            return Ok(percepts_of(network, &state, joint_move)?);
        }
        let state = self.rules.state_from_facts(&facts)?;
        Ok(percepts_of(&mut self.rules, &state, joint_move)?)
    }

    /// The initial state.
    pub(crate) fn initial(&mut self) -> Result<EngineState, Failure> {
        match self.own {
            Engine::Propnet(_) => Ok(self.own.initial_state()?),
            Engine::Interpreter(_) => Ok(self.any.initial_state()?),
        }
    }

    /// The state with these facts. `is_reached` promises that legal play leads to it.
    pub(crate) fn state(&mut self, facts: &[GroundTerm], is_reached: bool) -> Result<EngineState, Failure> {
        match self.own {
            Engine::Propnet(_) if is_reached => Ok(self.own.state_from_facts(facts)?),
            _ => Ok(self.any.state_from_facts(facts)?),
        }
    }

    /// The facts of a state, in canonical order.
    pub(crate) fn facts(&mut self, state: &EngineState) -> Vec<GroundTerm> {
        self.of(state).facts(state)
    }
}

impl Shared {
    /// Loads a game: by the name of the library or of a file, or from its text.
    ///
    /// # Errors
    /// Those of loading; a wrong rule sheet has all its problems.
    pub(crate) fn load(name: &str, text: Option<String>, kind: EngineKind, signals: Signals) -> Result<Self, Failure> {
        let options = EngineOptions::from(kind).with_limits(signals.limits());
        let mut game = match text {
            Some(text) => load_text(name.to_string(), Source::new(name, text), None, options.clone())?,
            None => load(name, Path::new(""), options.clone())?,
        };
        let roles = game.roles().to_vec();
        let random = Role::chance(&roles).map(Role::index);
        let has_percepts = game.rules.has_percepts();
        let name = game.name.clone();
        let text = game.source.text().to_string();
        game.interpreter.set_limits(signals.limits());
        let mut session = Session::new(".", signals.flag()).with_engine(options);
        session.adopt(game)?;
        let session = Mutex::new(session);
        let engines = Mutex::default();
        Ok(Self {
            name,
            text,
            kind,
            roles,
            random,
            has_percepts,
            signals,
            session,
            notes: Mutex::default(),
            engines,
            network: OnceLock::new(),
            initial: OnceLock::new(),
            lanes: Mutex::default(),
        })
    }

    /// The session. Where an interrupt ended the set-up of the network, so that the interpreter took its place, the
    /// network is set up again when the engine is next asked for.
    fn session(&self) -> MutexGuard<'_, Session> {
        let mut session = lock(&self.session);
        if let Some(game) = session.game()
            && self.kind == EngineKind::Auto
            && matches!(game.engine_in_use(), Some(Engine::Interpreter(_)))
            && game.why_no_propnet() == Some(&ReasonError::Stopped(Stop::Interrupted).to_string())
        {
            let options = game.options().clone();
            game.set_options(options).expect("without a named engine nothing is set up");
        }
        session
    }

    /// Asks the game itself.
    pub(crate) fn game<T>(&self, ask: impl FnOnce(&mut Game) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut session = self.session();
        let game = session.game().ok_or_else(|| Failure::other("the game has been dropped"))?;
        let answer = ask(game);
        lock(&self.notes).extend(game.take_notes());
        answer
    }

    /// Gives the notes about the engine since the last time as warnings of Python.
    ///
    /// # Errors
    /// If the caller has made exceptions of warnings.
    pub(crate) fn warn(&self, py: Python<'_>) -> PyResult<()> {
        let notes = std::mem::take(&mut *lock(&self.notes));
        if notes.is_empty() {
            return Ok(());
        }
        let warn = py.import("ggp.errors")?.getattr("warn")?;
        notes.iter().try_for_each(|note| warn.call1((note,)).map(drop))
    }

    /// Another game of the same rules, with its engine set up, for work that needs a game of its own.
    pub(crate) fn copy(&self) -> Result<Game, Failure> {
        let options = EngineOptions::from(self.kind).with_limits(self.signals.limits());
        let mut game = load_text(self.name.clone(), Source::new(&self.name, self.text.clone()), None, options)?;
        if let Some(propnet) = self.engines(|engines| Ok(fork(&engines.own)))? {
            game.adopt(Ok(propnet))?;
        }
        game.engine()?;
        Ok(game)
    }

    /// Asks the engines about single states.
    pub(crate) fn engines<T>(&self, ask: impl FnOnce(&mut Engines) -> Result<T, Failure>) -> Result<T, Failure> {
        let mut engines = lock(&self.engines);
        if engines.is_none() {
            *engines = Some(self.game(|game| {
                let own = game.engine()?.fork();
                Ok(Engines {
                    any: Engine::Interpreter(Box::new(game.interpreter.fork())),
                    rules: game.interpreter.fork(),
                    percepts: match own {
                        Engine::Propnet(_) if game.rules.has_percepts() => game.percept_network().ok(),
                        _ => None,
                    },
                    own,
                    moves: Vec::new(),
                    numbers: Vec::new(),
                    joint_move: Vec::new(),
                })
            })?);
        }
        match &mut *engines {
            Some(engines) => ask(engines),
            None => unreachable!("they have been set up"),
        }
    }

    /// The initial state.
    pub(crate) fn initial(&self, py: Python<'_>) -> PyResult<EngineState> {
        if self.initial.get().is_none() {
            let state = self.signals.on_thread(py, || self.engines(|engines| engines.initial()))?;
            self.initial.get_or_init(|| state);
        }
        Ok(self.initial.get().expect("it has been computed").clone())
    }

    /// Asks the interpreter about the state with these facts; without facts, about the initial state.
    pub(crate) fn interpreter<T>(
        &self,
        facts: Option<&[GroundTerm]>,
        ask: impl FnOnce(&mut Game, &ggp::State) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        self.game(|game| {
            let state = state_of(&mut game.interpreter, facts)?;
            ask(game, &state)
        })
    }

    /// Answers lines of the prompt one after another, beginning in the state with these facts; without facts, in the
    /// initial state. What they change ends with the call. Returns the answer to the last.
    ///
    /// # Errors
    /// That of the first line that fails; or if there are no lines.
    pub(crate) fn command(
        &self,
        position: Option<(&[GroundTerm], bool)>,
        lines: &[impl AsRef<str>],
    ) -> Result<Answer, Failure> {
        let Some((last, earlier)) = lines.split_last() else {
            return Err(Failure::usage("there is no line to answer"));
        };
        self.answer(position, |session| {
            for line in earlier {
                evaluate(session, line.as_ref())?;
            }
            evaluate(session, last.as_ref())
        })
    }

    /// Answers a command with typed options, as [`Shared::command`] answers a line.
    ///
    /// # Errors
    /// If the command does not take the options, or fails.
    pub(crate) fn call(
        &self,
        position: Option<(&[GroundTerm], bool)>,
        command: &CommandCall,
    ) -> Result<Answer, Failure> {
        self.answer(position, |session| call(session, command))
    }

    fn answer(
        &self,
        position: Option<(&[GroundTerm], bool)>,
        ask: impl FnOnce(&mut Session) -> Result<Answer, CommandError>,
    ) -> Result<Answer, Failure> {
        let mut session = self.session();
        let Some(game) = session.game() else { return Err(Failure::other("the game has been dropped")) };
        let state = state_of(&mut game.interpreter, position.map(|(facts, _)| facts))?;
        let is_reached = position.is_none_or(|(_, is_reached)| is_reached);
        let answer = session.in_fork(|fork| {
            fork.begin_in(state, is_reached)?;
            ask(fork)
        });
        lock(&self.notes).extend(session.take_notes());
        Ok(answer?)
    }

    /// Checks that the states of another game are states of this one too: both have the same rules.
    ///
    /// # Errors
    /// `UsageError`, with the names of both.
    pub(crate) fn check_owner(&self, owner: &Self) -> Result<(), Failure> {
        if std::ptr::eq(self, owner) || self.has_rules_of(owner) {
            return Ok(());
        }
        let own = &self.name;
        let other = &owner.name;
        Err(Failure::usage(match own == other {
            true => format!("the state is of another game named {own}, whose rules differ"),
            false => format!("the state is of {other}, and the game is {own}"),
        }))
    }

    /// True if both have the same clauses in the same order; comments and layout do not matter.
    fn has_rules_of(&self, other: &Self) -> bool {
        let clauses = |text: &str| parse(&Source::new("rules", text), None).sheet.clauses;
        self.text == other.text || clauses(&self.text) == clauses(&other.text)
    }

    /// The position with these facts as a picture in SVG.
    pub(crate) fn picture(&self, facts: &[GroundTerm]) -> Result<String, Failure> {
        let mut session = self.session();
        let Some(game) = session.game() else { return Err(Failure::other("the game has been dropped")) };
        let state = state_of(&mut game.interpreter, Some(facts))?;
        session.begin_in(state, true)?;
        Ok(picture(&mut session)?)
    }

    /// Asks about the network.
    ///
    /// # Errors
    /// `NoNetwork` if the interpreter plays.
    pub(crate) fn propnet<T>(&self, ask: impl FnOnce(&Propnet) -> Result<T, Failure>) -> Result<T, Failure> {
        match self.engines(|engines| Ok(fork(&engines.own)))? {
            Some(propnet) => ask(&propnet),
            None => Err(self.no_network()),
        }
    }

    /// Moves and fluents as the network numbers them.
    ///
    /// # Errors
    /// `NoNetwork` if the interpreter plays.
    pub(crate) fn network(&self) -> Result<Arc<Network>, Failure> {
        if let Some(network) = self.network.get() {
            return Ok(network.clone());
        }
        let network = Arc::new(self.propnet(|propnet| Network::of(&mut propnet.fork()))?);
        Ok(self.network.get_or_init(|| network).clone())
    }

    /// The same, if they have been read.
    pub(crate) fn known_network(&self) -> Option<&Network> {
        self.network.get().map(|network| &**network)
    }

    /// Lanes for the states of the network.
    ///
    /// # Errors
    /// `NoNetwork` if the interpreter plays.
    pub(crate) fn lanes(&self) -> Result<Lanes, Failure> {
        let mut lanes = lock(&self.lanes);
        if lanes.is_none() {
            *lanes = Some(self.propnet(|propnet| Ok(propnet.lanes(None, &Limits::none())?))?);
        }
        match &*lanes {
            Some(lanes) => Ok(lanes.fork()),
            None => unreachable!("they have been compiled"),
        }
    }

    fn no_network(&self) -> Failure {
        let why = self.game(|game| Ok(game.why_no_propnet().map(str::to_string)));
        let why = match why {
            _ if self.kind == EngineKind::Interpreter => "it was loaded with engine=\"interpreter\"".to_string(),
            Ok(Some(why)) => why,
            _ => "the interpreter plays it".to_string(),
        };
        Failure::new("NoNetwork", format!("{} has no network, so its moves have no numbers: {why}", self.name))
    }

    /// Checks that a role has a view: the rules define `sees`, and it is not chance.
    ///
    /// # Errors
    /// `UsageError`.
    pub(crate) fn check_viewer(&self, role: Role) -> Result<(), Failure> {
        if !self.has_percepts {
            return Err(Failure::usage(format!(
                "{} has no rules for `sees`, so every role knows the state",
                self.name
            )));
        }
        match self.random == Some(role.index()) {
            true => Err(Failure::usage("`random` is chance: it knows nothing")),
            false => Ok(()),
        }
    }

    /// The role with this name. It does not wait for a search that is running.
    pub(crate) fn role(&self, name: &str) -> Result<Role, Failure> {
        let found = name.parse().ok().and_then(|term: GroundTerm| self.roles.iter().position(|role| *role == term));
        found.map(Role::new).ok_or_else(|| {
            let names: Vec<String> = self.roles.iter().map(ToString::to_string).collect();
            Failure::usage(format!("the game has no role `{name}`; it has {}", names.join(", ")))
        })
    }
}

/// The percepts of each role after a joint move, given by its terms.
fn percepts_of<R: PerceptReasoner>(
    reasoner: &mut R,
    state: &R::State,
    joint_move: &[GroundTerm],
) -> Result<Vec<Vec<GroundTerm>>, ReasonError> {
    let moves = joint_move.iter().map(|chosen| reasoner.find_move(chosen)).collect::<Result<Vec<Move>, _>>()?;
    (0..moves.len()).map(|role| reasoner.percept_terms(state, &moves, Role::new(role))).collect()
}

/// A fork of the network, if it is the engine.
fn fork(engine: &Engine) -> Option<Propnet> {
    match engine {
        Engine::Propnet(propnet) => Some(propnet.fork()),
        Engine::Interpreter(_) => None,
    }
}

fn state_of(interpreter: &mut Interpreter, facts: Option<&[GroundTerm]>) -> Result<ggp::State, Failure> {
    Ok(match facts {
        Some(facts) => interpreter.state_from_facts(facts)?,
        None => interpreter.initial_state()?,
    })
}
