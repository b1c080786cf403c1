//! Percepts of roles in games with rules for `sees` (GDL-II).

use crate::failure::Failure;
use crate::game::{RawGame, term};
use crate::state::State;
use pyo3::prelude::*;

/// True if the sheet has rules for `sees`, so that roles do not see the whole state.
#[pyfunction]
pub(crate) fn has_percepts(py: Python<'_>, game: &Bound<'_, RawGame>) -> PyResult<bool> {
    let shared = game.get().shared.clone();
    shared.signals.inline(py, || shared.game(|game| Ok(game.rules.has_percepts())))
}

/// The percepts of a role after a joint move, as terms in canonical order. The joint move has the terms of all roles.
#[pyfunction]
pub(crate) fn percepts(
    py: Python<'_>,
    state: &Bound<'_, State>,
    role: &str,
    moves: Vec<String>,
) -> PyResult<Vec<String>> {
    let state = state.get();
    let (facts, is_reached) = state.position(py)?;
    let shared = state.shared();
    shared.signals.on_thread(py, || {
        shared.role(role)?;
        let terms = moves.iter().map(|chosen| Ok(term(chosen)?.to_string())).collect::<Result<Vec<_>, Failure>>()?;
        let lines = [format!("do {}", terms.join(" ")), format!("sees {role}")];
        let answer = shared.command(Some((&facts, is_reached)), &lines)?;
        let answer = serde_json::to_value(&answer).map_err(|error| Failure::other(error.to_string()))?;
        let found = answer["roles"][0]["percepts"].as_array().cloned().unwrap_or_default();
        Ok(found.iter().filter_map(|percept| percept.as_str().map(str::to_string)).collect())
    })
}
