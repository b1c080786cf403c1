//! A Python function as a player of a match.

use crate::calls::lock;
use crate::failure::{Attribute, Failure};
use crate::game::{RawGame, RoleName, texts};
use crate::state::{State, read_term};
use ggp::play::{Deadline, PlayerError, Position, Start, Strategy};
use ggp::{Chance, GroundTerm, Move, Reasoner};
use pyo3::prelude::*;
use pyo3::types::{PyMapping, PyTuple};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

/// The exception that a function of the caller raised; the first one ends a series of matches.
#[derive(Clone)]
pub(crate) struct Raised {
    error: Arc<Mutex<Option<PyErr>>>,
    /// Ends the series.
    interrupt: Arc<AtomicBool>,
}

impl Raised {
    /// For a series that this flag ends.
    pub(crate) fn new(interrupt: Arc<AtomicBool>) -> Self {
        Self { error: Arc::default(), interrupt }
    }

    /// The error, with the traceback of the function.
    pub(crate) fn take(&self) -> Option<PyErr> {
        lock(&self.error).take()
    }

    /// Ends the series with an error.
    fn failed(&self, error: PyErr) -> PlayerError {
        let text = error.to_string();
        lock(&self.error).get_or_insert(error);
        self.interrupt.store(true, Ordering::Relaxed);
        PlayerError::Remote(text)
    }
}

/// Makes the moves that a Python function returns, called with the state and the name of the role; or, where the role
/// does not see the state, with the name of the role, its view and its legal moves.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) call: Py<PyAny>,
    pub(crate) game: Py<RawGame>,
    pub(crate) raised: Raised,
    /// The match as the role knows it, if that is what the function is told.
    pub(crate) viewed: Option<Viewed>,
}

/// A match of which a function is told what its role knows.
pub(crate) struct Viewed {
    /// Draws moves by the probabilities that the function returns.
    pub(crate) random: Chance,
    /// The current state with the moves that led to it, once the match has begun.
    pub(crate) state: Option<State>,
}

impl Function {
    /// Calls the function. The move that it returns, a term or a number, must be legal.
    fn ask(&mut self, py: Python<'_>, position: &mut Position) -> PyResult<Move> {
        let shared = &self.game.get().shared;
        let role = shared.roles[position.role.index()].to_string();
        let call = self.call.bind(py);
        let given = match &mut self.viewed {
            None => {
                let facts = position.engine.facts(&position.state);
                let state = shared.signals.inline(py, || shared.engines(|engines| engines.state(&facts, true)))?;
                call.call1((State::new(self.game.clone_ref(py), state, true), &role))?
            }
            Some(Viewed { random, state }) => {
                let unknown = || Failure::other("the match has not begun");
                let view = state.as_ref().ok_or_else(unknown)?.view(py, RoleName::Index(position.role.index()))?;
                let legal: Vec<GroundTerm> =
                    position.legal.iter().map(|&legal| position.engine.move_term(legal)).collect();
                let given = call.call1((&role, view, PyTuple::new(py, texts(&legal))?))?;
                match given.cast::<PyMapping>() {
                    Ok(shares) => drawn(shares, random)?,
                    Err(_) => given,
                }
            }
        };
        let term = read_term(&given, || {
            let network = shared.signals.inline(py, || shared.network())?;
            Ok(network.moves[position.role.index()].clone())
        })?;
        let engine = &position.engine;
        position.legal.iter().copied().find(|&legal| Some(engine.move_term(legal)) == term).ok_or_else(|| {
            let text = term.map_or_else(|| given.to_string(), |term| term.to_string());
            Failure::new("IllegalAction", format!("`{}` chose `{text}`, which is not legal for {role}", self.name))
                .with("role", Attribute::Text(role))
                .with("action", Attribute::Text(text))
                .into()
        })
    }
}

impl Strategy for Function {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn prepare(&mut self, _: &Start, _: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        let Some(Viewed { state, .. }) = &mut self.viewed else { return Ok(()) };
        let begun = Python::attach(|py| State::initial(self.game.clone_ref(py), py));
        *state = Some(begun.map_err(|error| self.raised.failed(error))?);
        Ok(())
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        let Some(Viewed { state: Some(state), .. }) = &mut self.viewed else { return };
        let joint_move: Vec<GroundTerm> = joint_move.iter().map(|&chosen| position.engine.move_term(chosen)).collect();
        match Python::attach(|py| state.follow(py, joint_move)) {
            Ok(next) => *state = next,
            Err(error) => _ = self.raised.failed(error),
        }
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Python::attach(|py| self.ask(py, position)).map(Some).map_err(|error| self.raised.failed(error))
    }

    fn forget(&mut self) {
        if let Some(viewed) = &mut self.viewed {
            viewed.state = None;
        }
    }
}

/// Draws a move by its probability.
fn drawn<'py>(shares: &Bound<'py, PyMapping>, random: &mut Chance) -> PyResult<Bound<'py, PyAny>> {
    let shares = shares.items()?.iter().map(|item| item.extract::<(Bound<'py, PyAny>, f64)>());
    let shares = shares.collect::<PyResult<Vec<_>>>()?;
    let total: f64 = shares.iter().map(|(_, share)| share).sum();
    if shares.iter().any(|(_, share)| !(0.0..=1.0).contains(share)) || (total - 1.0).abs() > 1e-6 {
        return Err(Failure::usage(format!("the probabilities of moves have the sum {total}, which must be 1")).into());
    }
    let mut rest = random.fraction();
    let found = shares.iter().find(|(_, share)| {
        rest -= share;
        rest < 0.0
    });
    // Rounding may leave a rest behind the last one.
    let last = || shares.iter().rfind(|(_, share)| *share > 0.0);
    Ok(found.or_else(last).expect("the sum is 1").0.clone())
}
