//! One state of a game.

use crate::failure::{Attribute, Failure};
use crate::game::{RawGame, RoleName, term, texts};
use crate::network::{Network, hash_of};
use crate::numbers::{Count, Seed, refuse_truth_values};
use crate::percepts::{self, History, PossibleLimits};
use crate::shared::{Engines, Shared};
use ggp::{EngineState, GroundTerm, Move, ReasonError, Reasoner, Role, Utility};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt, PyList, PyMapping, PyString, PyTuple};
use std::sync::OnceLock;

/// A state of a game: the set of facts that hold. States are immutable; equal if the same facts hold.
#[pyclass(frozen, weakref, module = "ggp")]
pub(crate) struct State {
    game: Py<RawGame>,
    state: EngineState,
    /// True if legal play reaches the state.
    is_reached: bool,
    /// The choices in the state, once they have been asked for; only for states of the network.
    choices: OnceLock<Choices>,
    /// The joint moves that have led to the state, in games with rules for `sees`; `None` if they are not known.
    history: Option<History>,
}

/// The legal moves in a state, or that the game is over.
struct Choices {
    is_over: bool,
    /// For each role the end of its legal moves; then their numbers, ascending for each role.
    numbers: Box<[u32]>,
    roles: usize,
    mover: Mover,
}

/// The role that chooses in a state.
#[derive(Clone, Copy)]
enum Mover {
    /// The only role with several legal moves. Where none has several, the first whose move is not `noop`, or the
    /// first.
    Role(Role),
    /// Several roles have several moves.
    Several,
    /// The game is over.
    Nobody,
}

/// A move as it is given: its number, or its term.
enum Chosen {
    Number(i64),
    Term(GroundTerm),
}

/// Moves as they are given.
enum Given {
    /// A move for the role that moves.
    One(Chosen),
    /// By role.
    Joint(Vec<Option<Chosen>>),
}

impl Choices {
    /// Asks the network, which plays the game.
    fn of(engines: &mut Engines, state: &EngineState, network: &Network) -> Result<Self, Failure> {
        let Engines { own: engine, moves, numbers, .. } = engines;
        let roles = network.moves.len();
        let is_over = engine.is_terminal(state)?;
        numbers.clear();
        numbers.resize(roles, 0);
        for role in 0..roles {
            engine.legal_moves(state, Role::new(role), moves)?;
            numbers.extend(moves.iter().filter_map(|&chosen| network.number_of(Role::new(role), chosen)));
            numbers[role] = numbers.len() as u32;
        }
        let mut new = Self { is_over, numbers: numbers.as_slice().into(), roles, mover: Mover::Nobody };
        if !is_over {
            new.mover = new.find_mover(network);
        }
        Ok(new)
    }

    fn find_mover(&self, network: &Network) -> Mover {
        let roles = || (0..self.roles).map(Role::new);
        let mut choosing = roles().filter(|&role| self.legal(role).len() > 1);
        match (choosing.next(), choosing.next()) {
            (Some(_), Some(_)) => Mover::Several,
            (Some(only), None) => Mover::Role(only),
            (None, _) => Mover::Role(roles().find(|&role| self.acts(role, network)).unwrap_or(Role::new(0))),
        }
    }

    /// True if a role has more to do than wait: several legal moves, or one that is not `noop`.
    fn acts(&self, role: Role, network: &Network) -> bool {
        self.legal(role).iter().any(|&number| network.idle[role.index()] != Some(number))
    }

    /// The numbers of the legal moves of a role, ascending.
    fn legal(&self, role: Role) -> &[u32] {
        let start = role.index().checked_sub(1).map_or(self.roles, |before| self.numbers[before] as usize);
        &self.numbers[start..self.numbers[role.index()] as usize]
    }
}

impl State {
    /// A state to which unknown joint moves have led.
    pub(crate) fn new(game: Py<RawGame>, state: EngineState, is_reached: bool) -> Self {
        Self { game, state, is_reached, choices: OnceLock::new(), history: None }
    }

    /// A state that all roles know.
    pub(crate) fn known(game: Py<RawGame>, state: EngineState, is_reached: bool) -> Self {
        let history = game.get().shared.has_percepts.then(|| History::from_first(state.clone()));
        Self { history, ..Self::new(game, state, is_reached) }
    }

    /// A state that all roles know, or one to which unknown joint moves have led.
    pub(crate) fn restored(game: Py<RawGame>, state: EngineState, is_reached: bool, is_known: bool) -> Self {
        if is_known { Self::known(game, state, is_reached) } else { Self::new(game, state, is_reached) }
    }

    /// The initial state of a game.
    pub(crate) fn initial(game: Py<RawGame>, py: Python<'_>) -> PyResult<Self> {
        let state = game.get().shared.initial(py)?;
        Ok(Self::known(game, state, true))
    }

    /// The state after a joint move, given by its terms.
    pub(crate) fn follow(&self, py: Python<'_>, joint_move: Vec<GroundTerm>) -> PyResult<Self> {
        let joint_move = joint_move.into_iter().map(|term| Some(Chosen::Term(term)));
        self.make(py, &Given::Joint(joint_move.collect()))
    }

    fn make(&self, py: Python<'_>, given: &Given) -> PyResult<Self> {
        match self.choices(py)? {
            Some(choices) => self.step(py, choices, given),
            None => self.slow_step(py, given),
        }
    }

    /// The role with a name or an index.
    pub(crate) fn role(&self, role: &RoleName) -> Result<Role, Failure> {
        self.game.get().role(role)
    }

    /// The state, for the engine to which it belongs.
    pub(crate) fn engine_state(&self) -> &EngineState {
        &self.state
    }

    /// The role with a name or an index, which is not chance, and the joint moves that have led to the state.
    fn viewer(&self, role: &RoleName) -> Result<(Role, &History), Failure> {
        let role = self.role(role)?;
        self.shared().check_viewer(role)?;
        let unknown = "the joint moves that led to this state are not known, so what a role knows is not known either";
        self.history.as_ref().map(|history| (role, history)).ok_or_else(|| Failure::usage(unknown))
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.game.get().shared
    }

    /// The facts of the state, and whether legal play reaches it.
    pub(crate) fn position(&self, py: Python<'_>) -> PyResult<(Vec<GroundTerm>, bool)> {
        let facts = self.ask(py, |engines| Ok(engines.facts(&self.state)))?;
        Ok((facts, self.is_reached))
    }

    /// The facts of the state, and whether legal play reaches it, for a question to this game.
    ///
    /// # Errors
    /// If the state is of another game, whose rules differ.
    pub(crate) fn position_in(&self, py: Python<'_>, game: &Shared) -> PyResult<(Vec<GroundTerm>, bool)> {
        game.check_owner(self.shared())?;
        self.position(py)
    }

    /// The state for the engines of this game.
    ///
    /// # Errors
    /// As [`State::position_in`].
    pub(crate) fn engine_state_in(&self, py: Python<'_>, game: &Shared) -> PyResult<EngineState> {
        if std::ptr::eq(game, self.shared()) {
            return Ok(self.state.clone());
        }
        let (facts, is_reached) = self.position_in(py, game)?;
        game.signals.inline(py, || game.engines(|engines| engines.state(&facts, is_reached)))
    }

    /// Asks the engines. The network answers within microseconds, so it is asked under the interpreter lock, unless
    /// another thread is asking it.
    pub(crate) fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Engines) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let shared = self.shared();
        if let EngineState::Propnet(_) = self.state
            && let Ok(mut engines) = shared.engines.try_lock()
            && let Some(engines) = &mut *engines
        {
            return shared.signals.attached(|| question(engines));
        }
        shared.signals.inline(py, || shared.engines(question))
    }

    fn network(&self, py: Python<'_>) -> PyResult<&Network> {
        let shared = self.shared();
        match shared.known_network() {
            Some(network) => Ok(network),
            None => {
                shared.signals.inline(py, || shared.network().map(|_| ()))?;
                Ok(shared.known_network().expect("it has been read"))
            }
        }
    }

    /// The choices in the state; `None` if it is not one of the network.
    fn choices(&self, py: Python<'_>) -> PyResult<Option<&Choices>> {
        if let Some(known) = self.choices.get() {
            return Ok(Some(known));
        }
        let EngineState::Propnet(_) = self.state else { return Ok(None) };
        let network = self.network(py)?;
        let choices = self.ask(py, |engines| Choices::of(engines, &self.state, network))?;
        Ok(Some(self.choices.get_or_init(|| choices)))
    }

    pub(crate) fn legal_moves(&self, engines: &mut Engines, role: Role) -> Result<Vec<Move>, Failure> {
        let mut moves = Vec::new();
        engines.of(&self.state).legal_moves(&self.state, role, &mut moves)?;
        Ok(moves)
    }

    /// The index of the role that moves.
    fn moving(&self, choices: &Choices) -> Result<Role, Failure> {
        match choices.mover {
            Mover::Role(role) => Ok(role),
            Mover::Several => Err(Failure::usage("several roles choose here: give a move for each, or name the role")),
            Mover::Nobody => Err(Failure::new("GameOver", "the game is over")),
        }
    }

    /// The state after moves that are given for some roles, of the network, with the choices in it: who plays asks for
    /// them next.
    fn step(&self, py: Python<'_>, choices: &Choices, given: &Given) -> PyResult<Self> {
        if choices.is_over {
            return Err(Failure::new("GameOver", "the game is over").into());
        }
        let network = self.network(py)?;
        let one = match given {
            Given::One(chosen) => Some((self.moving(choices)?, chosen)),
            Given::Joint(_) => None,
        };
        self.ask(py, |engines| {
            engines.joint_move.clear();
            for role in (0..choices.roles).map(Role::new) {
                let chosen = match (given, one) {
                    (Given::Joint(given), _) => given[role.index()].as_ref(),
                    (_, Some((mover, chosen))) if mover == role => Some(chosen),
                    _ => None,
                };
                let number = self.number(choices, network, role, chosen)?;
                engines.joint_move.push(network.chosen(role, number));
            }
            let Engines { own, joint_move, .. } = engines;
            let next = own.next_state(&self.state, joint_move)?;
            let history = self.history.as_ref().map(|history| history.after(&self.state, joint_move));
            let choices = Choices::of(engines, &next, network)?;
            Ok((next, history, choices))
        })
        .map(|(next, history, choices)| Self { history, choices: choices.into(), ..self.after(py, next) })
    }

    /// The state with which the history begins, and the terms of the joint moves since then; `None` if they are not known.
    fn played(&self, py: Python<'_>) -> PyResult<Option<(Self, Vec<Vec<String>>)>> {
        let Some(history) = &self.history else { return Ok(None) };
        let joint_moves = self.ask(py, |engines| Ok(history.terms(engines)))?;
        let first = Self::known(self.game.clone_ref(py), history.first().clone(), self.is_reached);
        Ok(Some((first, joint_moves.iter().map(|moves| texts(moves)).collect())))
    }

    /// A state that follows this one.
    fn after(&self, py: Python<'_>, next: EngineState) -> Self {
        Self::new(self.game.clone_ref(py), next, self.is_reached)
    }

    /// The number of the move that was chosen for a role, which must be legal; without a choice, its only legal move.
    fn number(
        &self,
        choices: &Choices,
        network: &Network,
        role: Role,
        chosen: Option<&Chosen>,
    ) -> Result<u32, Failure> {
        let legal = choices.legal(role);
        let moves = &network.moves[role.index()];
        let name = || self.shared().roles[role.index()].clone();
        let number = match chosen {
            None => return only(legal, name),
            Some(Chosen::Term(term)) => network.number(role, term),
            Some(&Chosen::Number(number)) => {
                let known = u32::try_from(number).ok().filter(|&number| (number as usize) < moves.len());
                Some(known.ok_or_else(|| no_action(&name(), &number.to_string(), moves.len()))?)
            }
        };
        match number {
            Some(number) if legal.binary_search(&number).is_ok() => Ok(number),
            _ => {
                let term = number.map(|number| &moves[number as usize]);
                Err(match chosen {
                    Some(Chosen::Term(term)) => illegal(&name(), term, Attribute::Text(term.to_string())),
                    Some(&Chosen::Number(number)) => {
                        let term = term.expect("it is one of the moves");
                        illegal(&name(), term, Attribute::Number(number.into()))
                    }
                    None => unreachable!("what was chosen is legal"),
                })
            }
        }
    }

    /// The move that was chosen for a role, which must be legal; without a choice, its only legal move.
    fn chosen(
        &self,
        engines: &mut Engines,
        network: Option<&Network>,
        role: Role,
        chosen: Option<&Chosen>,
    ) -> Result<Move, Failure> {
        let shared = self.shared();
        let name = || shared.roles[role.index()].clone();
        let legal = self.legal_moves(engines, role)?;
        let wanted = match chosen {
            None => return only(&legal, name),
            Some(Chosen::Term(term)) => term.clone(),
            Some(&Chosen::Number(number)) => {
                let moves = network.map_or(&[][..], |network| &network.moves[role.index()]);
                let term = usize::try_from(number).ok().and_then(|number| moves.get(number));
                term.cloned().ok_or_else(|| no_action(&name(), &number.to_string(), moves.len()))?
            }
        };
        let engine = engines.of(&self.state);
        legal.into_iter().find(|&legal| engine.move_term(legal) == wanted).ok_or_else(|| {
            let given = match chosen {
                Some(&Chosen::Number(number)) => Attribute::Number(number.into()),
                _ => Attribute::Text(wanted.to_string()),
            };
            illegal(&name(), &wanted, given)
        })
    }

    /// The state after moves that are given for some roles, of the interpreter.
    fn slow_step(&self, py: Python<'_>, given: &Given) -> PyResult<Self> {
        let has_number = |chosen: &Chosen| matches!(chosen, Chosen::Number(_));
        let has_numbers = match given {
            Given::One(chosen) => has_number(chosen),
            Given::Joint(given) => given.iter().flatten().any(has_number),
        };
        let network = has_numbers.then(|| self.network(py)).transpose()?;
        self.ask(py, |engines| {
            if engines.of(&self.state).is_terminal(&self.state)? {
                return Err(Failure::new("GameOver", "the game is over"));
            }
            let mover = match given {
                Given::One(_) => Some(self.slow_mover(engines)?),
                Given::Joint(_) => None,
            };
            let roles = (0..self.shared().roles.len()).map(Role::new);
            let moves = roles.map(|role| {
                let chosen = match given {
                    Given::Joint(given) => given[role.index()].as_ref(),
                    Given::One(chosen) => (mover == Some(role)).then_some(chosen),
                };
                self.chosen(engines, network, role, chosen)
            });
            let moves = moves.collect::<Result<Vec<Move>, Failure>>()?;
            let history = self.history.as_ref().map(|history| history.after(&self.state, &moves));
            Ok((engines.of(&self.state).next_state(&self.state, &moves)?, history))
        })
        .map(|(next, history)| Self { history, ..self.after(py, next) })
    }

    /// The role that moves in a state of the interpreter, in which the game is not over.
    fn slow_mover(&self, engines: &mut Engines) -> Result<Role, Failure> {
        let several = Failure::usage("several roles choose here: give a move for each, or name the role");
        let mut mover = None;
        let mut acting = None;
        for role in (0..self.shared().roles.len()).map(Role::new) {
            let legal = self.legal_moves(engines, role)?;
            if legal.len() > 1 && mover.replace(role).is_some() {
                return Err(several);
            }
            let engine = engines.of(&self.state);
            if acting.is_none() && legal.iter().any(|&legal| engine.move_term(legal).to_string() != "noop") {
                acting = Some(role);
            }
        }
        Ok(mover.or(acting).unwrap_or(Role::new(0)))
    }

    /// The moves that a caller gives: a mapping from roles, a sequence in the order of the roles, or one move.
    fn read_moves(&self, moves: &Bound<'_, PyAny>) -> PyResult<Given> {
        let roles = self.shared().roles.len();
        if moves.is_instance_of::<PyInt>() || moves.is_instance_of::<PyString>() {
            return Ok(Given::One(read(moves)?));
        }
        if !(moves.is_instance_of::<PyList>() || moves.is_instance_of::<PyTuple>()) {
            if let Ok(mapping) = moves.cast::<PyMapping>() {
                let mut chosen: Vec<Option<Chosen>> = (0..roles).map(|_| None).collect();
                for item in mapping.items()?.iter() {
                    let (role, given) = item.extract::<(RoleName, Bound<'_, PyAny>)>()?;
                    chosen[self.game.get().role(&role)?.index()] = Some(read(&given)?);
                }
                return Ok(Given::Joint(chosen));
            }
            if let Ok(number) = moves.extract::<i64>() {
                return Ok(Given::One(Chosen::Number(number)));
            }
        }
        let items = moves.try_iter().map_err(|_| {
            let found = moves.get_type();
            PyTypeError::new_err(format!("moves are a mapping from roles or a sequence, not {found}"))
        })?;
        let given = items.map(|given| Ok(Some(read(&given?)?))).collect::<PyResult<Vec<_>>>()?;
        if given.len() != roles {
            return Err(Failure::usage(format!("{} moves for {roles} roles", given.len())).into());
        }
        Ok(Given::Joint(given))
    }
}

/// The only legal move of a role for which none is given.
fn only<T: Copy>(legal: &[T], name: impl FnOnce() -> GroundTerm) -> Result<T, Failure> {
    match legal {
        [only] => Ok(*only),
        [] => Err(ReasonError::NoLegalMove { role: name() }.into()),
        _ => Err(Failure::usage(format!("{} has {} legal moves: choose one", name(), legal.len()))),
    }
}

fn illegal(name: &GroundTerm, term: &GroundTerm, given: Attribute) -> Failure {
    Failure::new("IllegalAction", format!("`{term}` is not legal for {name}"))
        .with("role", Attribute::Text(name.to_string()))
        .with("action", given)
}

fn no_action(name: &GroundTerm, number: &str, moves: usize) -> Failure {
    let last = moves.saturating_sub(1);
    let failure = Failure::new("IllegalAction", format!("{name} has no action {number}: its actions are 0 to {last}"));
    let failure = failure.with("role", Attribute::Text(name.to_string()));
    match number.parse() {
        Ok(number) => failure.with("action", Attribute::Number(number)),
        Err(_) => failure.with("action", Attribute::Text(number.to_string())),
    }
}

fn read(given: &Bound<'_, PyAny>) -> PyResult<Chosen> {
    refuse_truth_values(given, "a move")?;
    match given.extract::<i64>() {
        Ok(number) => Ok(Chosen::Number(number)),
        Err(_) => match given.cast::<PyString>() {
            Ok(text) => Ok(Chosen::Term(term(&text.to_cow()?)?)),
            Err(_) if given.is_instance_of::<PyInt>() => {
                Err(Failure::new("IllegalAction", format!("no role has an action {given}")).into())
            }
            Err(_) => Err(PyTypeError::new_err(format!("a move is a term or a number, not {}", given.get_type()))),
        },
    }
}

/// The term of a move that was given as a term or as a number among `moves`, which is asked only for a number; `None`
/// if no move has the number.
pub(crate) fn read_term(
    given: &Bound<'_, PyAny>,
    moves: impl FnOnce() -> PyResult<Vec<GroundTerm>>,
) -> PyResult<Option<GroundTerm>> {
    Ok(match read(given)? {
        Chosen::Term(term) => Some(term),
        Chosen::Number(number) => {
            let moves = moves()?;
            usize::try_from(number).ok().and_then(|number| moves.get(number).cloned())
        }
    })
}

#[pymethods]
impl State {
    /// The game of the state.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<RawGame> {
        self.game.clone_ref(py)
    }

    /// True if legal play reaches the state; false for states that were made from facts.
    #[getter]
    fn is_reached(&self) -> bool {
        self.is_reached
    }

    /// The legal moves of a role as terms, in canonical order.
    fn legal(&self, py: Python<'_>, role: RoleName) -> PyResult<Vec<String>> {
        self.ask(py, |engines| {
            let moves = self.legal_moves(engines, self.game.get().role(&role)?)?;
            let engine = engines.of(&self.state);
            Ok(moves.into_iter().map(|chosen| engine.move_term(chosen).to_string()).collect())
        })
    }

    /// The index of the role that moves, and `None` where several do or the game is over.
    #[getter]
    fn mover(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        let mover = match self.choices(py)? {
            Some(choices) => choices.mover,
            None => self.ask(py, |engines| {
                if engines.of(&self.state).is_terminal(&self.state)? {
                    return Ok(Mover::Nobody);
                }
                Ok(self.slow_mover(engines).map_or(Mover::Several, Mover::Role))
            })?,
        };
        Ok(match mover {
            Mover::Role(role) => Some(role.index()),
            Mover::Several | Mover::Nobody => None,
        })
    }

    /// The indices of the roles that have more to do than wait: those with several legal moves, or with one that is not
    /// `noop`. None if the game is over.
    #[getter]
    fn acting(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        let roles = (0..self.shared().roles.len()).map(Role::new);
        if let Some(choices) = self.choices(py)? {
            let network = self.network(py)?;
            let acts = |role: &Role| !choices.is_over && choices.acts(*role, network);
            return Ok(roles.filter(acts).map(Role::index).collect());
        }
        self.ask(py, |engines| {
            if engines.of(&self.state).is_terminal(&self.state)? {
                return Ok(Vec::new());
            }
            let mut acting = Vec::new();
            for role in roles {
                let legal = self.legal_moves(engines, role)?;
                let engine = engines.of(&self.state);
                if legal.iter().any(|&legal| engine.move_term(legal).to_string() != "noop") {
                    acting.push(role.index());
                }
            }
            Ok(acting)
        })
    }

    /// The legal moves of a role as numbers, ascending; without a role, those of the one that moves.
    #[pyo3(signature = (role=None))]
    fn legal_actions<'py>(&self, py: Python<'py>, role: Option<RoleName>) -> PyResult<Bound<'py, PyList>> {
        let role = role.map(|role| self.game.get().role(&role)).transpose()?;
        if let Some(choices) = self.choices(py)? {
            let role = role.map_or_else(|| self.moving(choices), Ok)?;
            return PyList::new(py, choices.legal(role));
        }
        let network = self.network(py)?;
        let numbers = self.ask(py, |engines| {
            if role.is_none() && engines.of(&self.state).is_terminal(&self.state)? {
                return Err(Failure::new("GameOver", "the game is over"));
            }
            let role = role.map_or_else(|| self.slow_mover(engines), Ok)?;
            let moves = self.legal_moves(engines, role)?;
            let engine = engines.of(&self.state);
            let number = |chosen| {
                let term = engine.move_term(chosen);
                network.number(role, &term).ok_or_else(|| {
                    Failure::other(format!("`{term}` is legal here, but never in play, so it has no number"))
                })
            };
            moves.into_iter().map(number).collect::<Result<Vec<u32>, Failure>>()
        })?;
        PyList::new(py, numbers)
    }

    /// The state after a joint move.
    fn next(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.make(py, &self.read_moves(moves)?)
    }

    /// What a role knows of the match: its moves and its percepts, in order.
    pub(crate) fn view<'py>(&self, py: Python<'py>, role: RoleName) -> PyResult<Bound<'py, PyTuple>> {
        let (role, history) = self.viewer(&role)?;
        let steps = self.ask(py, |engines| history.view(engines, role))?;
        let made = py.import("ggp.hidden")?.getattr("ViewStep")?;
        let steps = steps.into_iter().map(|step| {
            made.call1((step.chosen.to_string(), step.is_choice, PyTuple::new(py, texts(&step.percepts))?))
        });
        PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
    }

    /// The states that a role thinks possible.
    #[pyo3(signature = (role, *, most=Count(1000), seed=Seed(0), seconds=None))]
    fn infoset(
        &self,
        py: Python<'_>,
        role: RoleName,
        most: Count<usize>,
        seed: Seed,
        seconds: Option<f64>,
    ) -> PyResult<Py<PyAny>> {
        let (role, history) = self.viewer(&role)?;
        let limits = PossibleLimits::new(most, seed, seconds)?;
        let shared = self.shared();
        let found = shared.signals.inline(py, || {
            shared.engines(|engines| {
                let first = engines.facts(history.first());
                let view: Vec<_> = history.view(engines, role)?.into_iter().cloned().collect();
                percepts::possible(engines, &first, self.is_reached, role, &view, &limits)
            })
        })?;
        found.into_python(py, &self.game, self.is_reached)
    }

    /// True if the game is over.
    #[getter]
    fn is_terminal(&self, py: Python<'_>) -> PyResult<bool> {
        match self.choices(py)? {
            Some(choices) => Ok(choices.is_over),
            None => self.ask(py, |engines| Ok(engines.of(&self.state).is_terminal(&self.state)?)),
        }
    }

    /// The utility of the state for a role.
    fn goal(&self, py: Python<'_>, role: RoleName) -> PyResult<f64> {
        self.ask(py, |engines| {
            let role = self.game.get().role(&role)?;
            Ok(engines.of(&self.state).goal(&self.state, role)?.to_f64())
        })
    }

    /// The utility of the state for each role; `None` for roles for which the rules define none.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let goals = self.ask(py, |engines| {
            let goal = |role| match engines.of(&self.state).goal(&self.state, Role::new(role)) {
                Ok(utility) => Ok(Some(utility)),
                Err(ReasonError::GoalUndefined { .. }) => Ok(None),
                Err(error) => Err(error.into()),
            };
            (0..self.shared().roles.len()).map(goal).collect::<Result<Vec<Option<Utility>>, Failure>>()
        })?;
        let found = PyDict::new(py);
        for (role, goal) in self.shared().roles.iter().zip(goals) {
            found.set_item(role.to_string(), goal.map(Utility::to_f64))?;
        }
        Ok(found)
    }

    /// The facts that hold, in canonical order.
    #[getter]
    fn facts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.ask(py, |engines| Ok(texts(&engines.facts(&self.state))))
    }

    /// For each fluent of the game, true if it holds.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let network = self.network(py)?;
        let mut held = vec![false; network.fluents.len()];
        match &self.state {
            EngineState::Propnet(state) => network.holding(state).for_each(|fluent| held[fluent] = true),
            EngineState::Interpreter(_) => {
                for fact in self.position(py)?.0 {
                    let index = network.fluent(&fact);
                    let index =
                        index.ok_or_else(|| Failure::other(format!("`{fact}` holds here, but never in play")))?;
                    held[index] = true;
                }
            }
        }
        Ok(PyArray1::from_vec(py, held))
    }

    /// The position as text, as `show` draws it.
    fn board(&self, py: Python<'_>) -> PyResult<String> {
        let (facts, is_reached) = self.position(py)?;
        let shared = self.shared();
        shared.signals.inline(py, || {
            let answer = shared.command(Some((&facts, is_reached)), &["show"])?;
            Ok(ggp::repl::render::text(&answer, ggp::diagnostic::render::Paint::Plain, ggp::syntax::Dialect::Infix))
        })
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        let (facts, _) = self.position(py)?;
        self.shared().signals.inline(py, || self.shared().picture(&facts))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<State of {}: {}>", self.shared().name, self.facts(py)?.join(" ")))
    }

    fn __eq__(&self, py: Python<'_>, other: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(other) = other.cast::<Self>() else { return Ok(false) };
        let other = other.get();
        if std::ptr::eq(self.shared(), other.shared()) {
            match (&self.state, &other.state) {
                (EngineState::Propnet(one), EngineState::Propnet(other)) => return Ok(one == other),
                (EngineState::Interpreter(one), EngineState::Interpreter(other)) => return Ok(one == other),
                _ => {}
            }
        } else if self.shared().text != other.shared().text {
            return Ok(false);
        }
        Ok(self.position(py)?.0 == other.position(py)?.0)
    }

    /// The same for equal states, whichever engine they belong to.
    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        match &self.state {
            EngineState::Propnet(state) => Ok(self.network(py)?.hash(state)),
            EngineState::Interpreter(_) => Ok(hash_of(&self.position(py)?.0)),
        }
    }

    /// States never change, so a copy is the state itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    /// A state of the network is pickled as the fluents that hold, a bit each; another one as its facts. Where roles do
    /// not see the state, it is pickled as the first state with the joint moves since then, so that views are kept.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        let py = slf.py();
        let own = slf.get();
        let package = py.import("ggp")?;
        if let Some((first, joint_moves)) = own.played(py)?.filter(|(_, joint_moves)| !joint_moves.is_empty()) {
            let made = (package.getattr("_replay_state")?, (first, joint_moves)).into_pyobject(py)?;
            return Ok(made.into_any().unbind());
        }
        let is_known = own.history.is_some();
        let made = match &own.state {
            EngineState::Propnet(state) => {
                let network = own.network(py)?;
                let mut bytes = vec![0_u8; network.fluents.len().div_ceil(8)];
                network.holding(state).for_each(|fluent| bytes[fluent / 8] |= 1 << (fluent % 8));
                let bytes = PyBytes::new(py, &bytes);
                (package.getattr("_unpack_state")?, (&own.game, bytes, network.fingerprint, own.is_reached, is_known))
                    .into_pyobject(py)?
            }
            EngineState::Interpreter(_) => {
                (package.getattr("_restore_state")?, (&own.game, own.facts(py)?, own.is_reached, is_known))
                    .into_pyobject(py)?
            }
        };
        Ok(made.into_any().unbind())
    }
}

/// The state with which the known history of a state begins, and the terms of the joint moves since then; `None` if they
/// are not known.
#[pyfunction]
pub(crate) fn history(py: Python<'_>, state: &Bound<'_, State>) -> PyResult<Option<(State, Vec<Vec<String>>)>> {
    state.get().played(py)
}

/// The state of a game in which these fluents hold, as [`State::__reduce__`] writes them.
///
/// # Errors
/// If the game has other fluents.
#[pyfunction]
pub(crate) fn unpack_state(
    game: Bound<'_, RawGame>,
    fluents: &[u8],
    fingerprint: u64,
    reached: bool,
    known: bool,
) -> PyResult<State> {
    let py = game.py();
    let shared = game.get().shared.clone();
    let state = shared.signals.inline(py, || {
        let network = shared.network()?;
        if network.fingerprint != fingerprint || fluents.len() != network.fluents.len().div_ceil(8) {
            return Err(Failure::other(format!("{} has other fluents than the game of this state", shared.name)));
        }
        let holds = |&fluent: &usize| fluents[fluent / 8] >> (fluent % 8) & 1 == 1;
        let bits = network.bits((0..network.fluents.len()).filter(holds));
        shared.engines(|engines| Ok(engines.own.state_from_fluents(&bits)?))
    })?;
    Ok(State::restored(game.unbind(), state, reached, known))
}
