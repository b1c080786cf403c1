//! A Python function as a player of a match.

use crate::calls::lock;
use crate::failure::{Attribute, Failure};
use crate::game::RawGame;
use crate::state::{State, read_term};
use ggp::play::{Deadline, PlayerError, Position, Strategy};
use ggp::{Move, Reasoner};
use pyo3::prelude::*;
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

    fn end_with(&self, error: PyErr) {
        lock(&self.error).get_or_insert(error);
        self.interrupt.store(true, Ordering::Relaxed);
    }
}

/// Makes the moves that a Python function returns, called with the state and the name of the role.
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) call: Py<PyAny>,
    pub(crate) game: Py<RawGame>,
    pub(crate) raised: Raised,
}

impl Function {
    /// Calls the function. The move that it returns, a term or a number, must be legal.
    fn ask(&self, py: Python<'_>, position: &mut Position) -> PyResult<Move> {
        let shared = &self.game.get().shared;
        let facts = position.engine.facts(&position.state);
        let state = shared.signals.inline(py, || shared.engines(|engines| engines.state(&facts, true)))?;
        let state = State::new(self.game.clone_ref(py), state, true);
        let role = shared.roles[position.role.index()].to_string();
        let given = self.call.bind(py).call1((state, &role))?;
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

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Python::attach(|py| self.ask(py, position)).map(Some).map_err(|error| {
            let text = error.to_string();
            self.raised.end_with(error);
            PlayerError::Remote(text)
        })
    }
}
