//! The extension module of the Python package `ggp`: games, their states, commands, and batches of games.
//!
//! The package (`python/ggp/`) has the interface that users see, its documentation and its types; this crate asks the
//! library. `game` is a loaded game and `state` one of its states, both over `shared`, which owns the engines.
//! `percepts` has what roles see. `batch` steps many games at once, in arrays of NumPy that the package allocates;
//! `episodes` are such games in which one role is an agent's and the others play by themselves.
//! `trees` searches many games at once, with priors and values that Python gives. `matches` are played between
//! players of the library and Python functions (`function`).
//! `neural` trains networks and asks them.
//! `numbers` reads the numbers of callers, and `memory` checks sizes before anything is allocated.
//! `calls` runs all work without the interpreter lock and lets Ctrl-C stop it; `failure` turns the library's errors
//! into exceptions.

mod arrays;
mod batch;
mod calls;
mod episodes;
mod failure;
mod function;
mod game;
mod matches;
mod memory;
mod network;
mod neural;
mod numbers;
mod percepts;
mod shared;
mod state;
mod trees;

use pyo3::prelude::*;

#[pymodule]
mod _ggp {
    #[pymodule_export]
    use super::batch::Games;
    #[pymodule_export]
    use super::episodes::Episodes;
    #[pymodule_export]
    use super::game::RawGame;
    #[pymodule_export]
    use super::game::library;
    #[pymodule_export]
    use super::matches::elo_ratings;
    #[pymodule_export]
    use super::memory::check_memory;
    #[pymodule_export]
    use super::neural::{NeuralNetwork, train};
    #[pymodule_export]
    use super::panic_within;
    #[pymodule_export]
    use super::percepts::{has_percepts, percepts, possible_states, with_views};
    #[pymodule_export]
    use super::run;
    #[pymodule_export]
    use super::state::{State, history, unpack_state};
    #[pymodule_export]
    use super::trees::Trees;
    #[pymodule_export]
    use super::{processor, version};
}

/// Runs the command line with these arguments, of which the first is the name of the program, and returns its exit
/// code.
#[pyfunction]
fn run(py: Python<'_>, arguments: Vec<String>) -> u8 {
    py.detach(|| ggp::run_with(arguments.into_iter().map(Into::into)))
}

/// The version of the package, with its commit in a release.
#[pyfunction]
fn version() -> &'static str {
    ggp::VERSION
}

/// The name of the processor of this machine; its architecture if the system tells no more.
#[pyfunction]
fn processor() -> String {
    ggp::processor()
}

/// Panics within a call into the library, on this thread or on one of its own, so that tests see what becomes of it.
#[pyfunction]
fn panic_within(py: Python<'_>, message: String, on_thread: bool) -> PyResult<()> {
    let signals = calls::Signals::default();
    match on_thread {
        true => signals.on_thread(py, || panic!("{message}")),
        false => signals.inline(py, || panic!("{message}")),
    }
}
