//! One state of a game.

use crate::failure::{Attribute, Failure};
use crate::game::{RawGame, RoleName, term, texts};
use crate::network::Network;
use crate::shared::{Engines, Shared};
use ggp::{EngineState, GroundTerm, Move, ReasonError, Reasoner, Role, Utility};
use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping, PyString};
use std::hash::{BuildHasher, BuildHasherDefault};

/// What a state is made from again: its game, its facts, and whether play has reached it.
type Pickled = (Py<RawGame>, Vec<String>, bool);

/// A state of a game: the set of facts that hold. States are immutable; equal if the same facts hold.
#[pyclass(frozen, weakref, module = "ggp")]
pub(crate) struct State {
    game: Py<RawGame>,
    state: EngineState,
    /// Whether legal play reaches the state.
    is_reached: bool,
}

/// A move as it is given: its number, or its term.
enum Chosen {
    Number(i64),
    Term(GroundTerm),
}

impl State {
    pub(crate) fn new(game: Py<RawGame>, state: EngineState, is_reached: bool) -> Self {
        Self { game, state, is_reached }
    }

    pub(crate) fn engine_state(&self) -> &EngineState {
        &self.state
    }

    pub(crate) fn shared(&self) -> &Shared {
        &self.game.get().shared
    }

    /// The facts of the state, and whether legal play reaches it.
    pub(crate) fn position(&self, py: Python<'_>) -> PyResult<(Vec<GroundTerm>, bool)> {
        let facts = self.ask(py, |engines| Ok(engines.facts(&self.state)))?;
        Ok((facts, self.is_reached))
    }

    fn ask<T: Send>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&mut Engines) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let shared = self.shared();
        shared.signals.inline(py, || shared.engines(question))
    }

    fn legal_moves(&self, engines: &mut Engines, role: Role) -> Result<Vec<Move>, Failure> {
        let mut moves = Vec::new();
        engines.of(&self.state).legal_moves(&self.state, role, &mut moves)?;
        Ok(moves)
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
        let name = &shared.roles[role.index()];
        let legal = self.legal_moves(engines, role)?;
        let wanted = match chosen {
            None => match legal[..] {
                [only] => return Ok(only),
                [] => return Err(ReasonError::NoLegalMove { role: name.clone() }.into()),
                _ => return Err(Failure::usage(format!("{name} has {} legal moves: choose one", legal.len()))),
            },
            Some(Chosen::Term(term)) => term.clone(),
            Some(&Chosen::Number(number)) => {
                let moves = network.map_or(&[][..], |network| &network.moves[role.index()]);
                let term = usize::try_from(number).ok().and_then(|number| moves.get(number));
                term.cloned().ok_or_else(|| {
                    let last = moves.len().saturating_sub(1);
                    Failure::new("IllegalAction", format!("{name} has no action {number}: its actions are 0 to {last}"))
                        .with("role", Attribute::Text(name.to_string()))
                        .with("action", Attribute::Number(number))
                })?
            }
        };
        let engine = engines.of(&self.state);
        legal.into_iter().find(|&legal| engine.move_term(legal) == wanted).ok_or_else(|| {
            let failure = Failure::new("IllegalAction", format!("`{wanted}` is not legal for {name}"));
            let failure = failure.with("role", Attribute::Text(name.to_string()));
            failure.with(
                "action",
                match chosen {
                    Some(&Chosen::Number(number)) => Attribute::Number(number),
                    _ => Attribute::Text(wanted.to_string()),
                },
            )
        })
    }

    /// The moves that a caller gives: a mapping from roles, a sequence in the order of the roles, or one move.
    fn joint_move(&self, moves: &Bound<'_, PyAny>) -> PyResult<Vec<Option<Chosen>>> {
        let game = self.game.get();
        let roles = game.shared.roles.len();
        if moves.is_instance_of::<PyDict>()
            || (moves.cast::<PyMapping>().is_ok() && !moves.is_instance_of::<PyString>())
        {
            let mut chosen: Vec<Option<Chosen>> = (0..roles).map(|_| None).collect();
            for item in moves.cast::<PyMapping>()?.items()?.iter() {
                let (role, given) = item.extract::<(RoleName, Bound<'_, PyAny>)>()?;
                chosen[game.role(&role)?.index()] = Some(read(&given)?);
            }
            return Ok(chosen);
        }
        let is_one = moves.is_instance_of::<PyString>() || moves.extract::<i64>().is_ok();
        let given: Vec<Option<Chosen>> = match is_one {
            true => vec![Some(read(moves)?)],
            false => {
                let items = moves.try_iter().map_err(|_| {
                    let found = moves.get_type();
                    PyTypeError::new_err(format!("moves are a mapping from roles or a sequence, not {found}"))
                })?;
                items.map(|given| Ok(Some(read(&given?)?))).collect::<PyResult<_>>()?
            }
        };
        if given.len() != roles {
            return Err(Failure::usage(format!("{} moves for {roles} roles", given.len())).into());
        }
        Ok(given)
    }
}

fn read(given: &Bound<'_, PyAny>) -> PyResult<Chosen> {
    if let Ok(number) = given.extract::<i64>() {
        return Ok(Chosen::Number(number));
    }
    match given.cast::<PyString>() {
        Ok(text) => Ok(Chosen::Term(term(&text.to_cow()?)?)),
        Err(_) => Err(PyTypeError::new_err(format!("a move is a term or a number, not {}", given.get_type()))),
    }
}

/// The term of a move that was given as a term or as a number among `moves`, which is asked only for a number; `None` if
/// no move has the number.
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

    /// Whether legal play reaches the state: false for states that were made from facts.
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

    /// The legal moves of a role as numbers, ascending.
    fn legal_actions<'py>(&self, py: Python<'py>, role: RoleName) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let network = self.shared().signals.inline(py, || self.shared().network())?;
        let numbers = self.ask(py, |engines| {
            let role = self.game.get().role(&role)?;
            let moves = self.legal_moves(engines, role)?;
            if matches!(self.state, EngineState::Propnet(_)) {
                return Ok(moves
                    .into_iter()
                    .filter_map(|chosen| network.number_of(role, chosen))
                    .map(i64::from)
                    .collect());
            }
            let engine = engines.of(&self.state);
            let number = |chosen| {
                let term = engine.move_term(chosen);
                let known = network.number(role, &term).map(i64::from);
                known.ok_or_else(|| {
                    Failure::other(format!("`{term}` is legal here, but never in play, so it has no number"))
                })
            };
            moves.into_iter().map(number).collect::<Result<Vec<i64>, Failure>>()
        })?;
        Ok(PyArray1::from_vec(py, numbers))
    }

    /// The state after a joint move.
    fn next(&self, py: Python<'_>, moves: &Bound<'_, PyAny>) -> PyResult<Self> {
        let chosen = self.joint_move(moves)?;
        let has_numbers = chosen.iter().any(|chosen| matches!(chosen, Some(Chosen::Number(_))));
        let network = has_numbers.then(|| self.shared().signals.inline(py, || self.shared().network())).transpose()?;
        let state = self.ask(py, |engines| {
            if engines.of(&self.state).is_terminal(&self.state)? {
                return Err(Failure::new("GameOver", "the game is over"));
            }
            let moves = chosen
                .iter()
                .enumerate()
                .map(|(role, chosen)| self.chosen(engines, network.as_deref(), Role::new(role), chosen.as_ref()));
            let moves = moves.collect::<Result<Vec<Move>, Failure>>()?;
            Ok(engines.of(&self.state).next_state(&self.state, &moves)?)
        })?;
        Ok(Self { game: self.game.clone_ref(py), state, is_reached: self.is_reached })
    }

    /// Whether the game is over.
    #[getter]
    fn is_terminal(&self, py: Python<'_>) -> PyResult<bool> {
        self.ask(py, |engines| Ok(engines.of(&self.state).is_terminal(&self.state)?))
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

    /// Which of the game's fluents hold.
    fn observation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<bool>>> {
        let network = self.shared().signals.inline(py, || self.shared().network())?;
        let held = self.ask(py, |engines| {
            let mut held = vec![false; network.fluents.len()];
            for fact in engines.facts(&self.state) {
                let index = network.fluent(&fact);
                let index = index.ok_or_else(|| Failure::other(format!("`{fact}` holds here, but never in play")))?;
                held[index] = true;
            }
            Ok(held)
        })?;
        Ok(PyArray1::from_vec(py, held))
    }

    /// The position as text, as `show` draws it.
    fn board(&self, py: Python<'_>) -> PyResult<String> {
        let (facts, is_reached) = self.position(py)?;
        let shared = self.shared();
        shared.signals.inline(py, || {
            let answer = shared.command(Some((&facts, is_reached)), "show")?;
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
        let (facts, _) = self.position(py)?;
        Ok(BuildHasherDefault::<rustc_hash::FxHasher>::default().hash_one(&facts))
    }

    /// States never change, so a copy is the state itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Pickled)> {
        let restore = py.import("ggp")?.getattr("_restore_state")?.unbind();
        Ok((restore, (self.game(py), self.facts(py)?, self.is_reached)))
    }
}
