//! Trees of many games that grow together, guided by priors and values that Python gives.
//!
//! [`Trees::select`] writes the observations and masks of all leaves that wait into arrays, one row for each tree, and
//! [`Trees::evaluate`] takes the arrays of the answer. The Python method `ggp.Game.mcts_batch` goes from one to the
//! other.

use crate::arrays::{readable, writable};
use crate::failure::Failure;
use crate::game::RawGame;
use crate::memory;
use crate::network::Network;
use crate::numbers::Seed;
use crate::shared::Shared;
use crate::state::State;
use ggp::search::{GuidedTree, SearchError};
use ggp::{Engine, EngineState, Reasoner, Role};
use pyo3::prelude::*;
use std::sync::Arc;

/// A tree for each of several states of one game.
#[pyclass(module = "ggp._ggp")]
pub(crate) struct Trees {
    shared: Arc<Shared>,
    network: Arc<Network>,
    engine: Engine,
    trees: Vec<GuidedTree<Engine>>,
    /// The size of an observation, and for each fluent the first of its entries and their number.
    size: usize,
    entries: Vec<(usize, usize)>,
    /// The number of visits in each tree.
    visits: usize,
}

/// Number of visits between two checks that there is memory for as many more.
const PERIOD: usize = 256;
/// Minimum size of a node without the arms of its moves, in bytes.
const NODE: usize = 256;

#[pymethods]
impl Trees {
    #[new]
    #[pyo3(signature = (game, states, *, exploration, seed, size, entries))]
    fn new(
        game: Bound<'_, RawGame>,
        states: Vec<Bound<'_, State>>,
        exploration: f32,
        seed: Seed,
        size: usize,
        entries: Vec<(usize, usize)>,
    ) -> PyResult<Self> {
        let py = game.py();
        let shared = game.get().shared.clone();
        let states = states.iter().map(|state| state.get().engine_state_in(py, &shared));
        let states = states.collect::<PyResult<Vec<EngineState>>>()?;
        shared.signals.clone().on_thread(py, || {
            let network = shared.network()?;
            let fits = |&(first, count): &(usize, usize)| first.checked_add(count).is_some_and(|end| end <= size);
            if entries.len() != network.fluents.len() || !entries.iter().all(fits) {
                return Err(Failure::usage("entries within a row for each fluent"));
            }
            let mut engine = Engine::Propnet(shared.propnet(|propnet| Ok(Box::new(propnet.fork())))?);
            let mut trees = Vec::with_capacity(states.len());
            for (index, state) in states.into_iter().enumerate() {
                if !matches!(state, EngineState::Propnet(_)) {
                    let message = format!("state {index} was made from facts; trees need states that play reaches");
                    return Err(Failure::usage(message));
                }
                let tree = GuidedTree::new(&mut engine, state, exploration, seed.0.wrapping_add(index as u64))
                    .map_err(|error| failure(index, error))?;
                trees.push(tree);
            }
            Ok(Self { shared, network, engine, trees, size, entries, visits: 0 })
        })
    }

    /// The number of moves of each role.
    #[getter]
    fn moves(&self) -> Vec<usize> {
        self.network.moves.iter().map(Vec::len).collect()
    }

    /// Makes a visit in each tree. Writes the observation and the masks of each state that waits for its evaluation,
    /// and whether one waits: rows of trees in which none does stay as they are.
    fn select(
        &mut self,
        py: Python<'_>,
        observations: &Bound<'_, PyAny>,
        masks: Vec<Bound<'_, PyAny>>,
        waiting: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let n = self.trees.len();
        let mut observations = writable::<f32>(observations, "observations", &[n, self.size])?;
        let mut waiting = writable::<bool>(waiting, "waiting", &[n])?;
        let shapes = self.network.moves.iter().map(|moves| [n, moves.len()]);
        let masks = masks.iter().zip(shapes).map(|(mask, shape)| writable::<bool>(mask, "masks", &shape));
        let mut masks = masks.collect::<PyResult<Vec<_>>>()?;
        let mut masks = masks.iter_mut().map(|mask| Ok(mask.as_slice_mut()?)).collect::<PyResult<Vec<_>>>()?;
        let observations = observations.as_slice_mut()?;
        let waiting = waiting.as_slice_mut()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            if self.visits.is_multiple_of(PERIOD) {
                let moves: usize = self.network.moves.iter().map(Vec::len).sum();
                let bytes = n.checked_mul(PERIOD * (NODE + moves * size_of::<f32>()));
                memory::check(&format!("growing {n} trees by {PERIOD} visits"), bytes)?;
            }
            self.visits += 1;
            for (tree, waits) in waiting.iter_mut().enumerate() {
                let row = &mut observations[tree * self.size..][..self.size];
                *waits = self.select_in(tree, row, &mut masks)?;
            }
            Ok(())
        })
    }

    /// Evaluates the states that wait, by the rows of their trees.
    fn evaluate(&mut self, py: Python<'_>, priors: Vec<Bound<'_, PyAny>>, values: &Bound<'_, PyAny>) -> PyResult<()> {
        let n = self.trees.len();
        let roles = self.shared.roles.len();
        if priors.len() != roles {
            return Err(Failure::usage(format!("priors of {} roles, not of {roles}", priors.len())).into());
        }
        let values = readable::<f32>(values, "values", &[n, roles])?;
        let shapes = self.network.moves.iter().map(|moves| [n, moves.len()]);
        let priors = priors.iter().zip(shapes).map(|(priors, shape)| readable::<f32>(priors, "priors", &shape));
        let priors = priors.collect::<PyResult<Vec<_>>>()?;
        let priors = priors.iter().map(|priors| Ok(priors.as_slice()?)).collect::<PyResult<Vec<_>>>()?;
        let values = values.as_slice()?;
        let signals = self.shared.signals.clone();
        signals.inline(py, || {
            let mut legal: Vec<Vec<usize>> = vec![Vec::new(); roles];
            for (tree, values) in values.chunks_exact(roles).enumerate() {
                for (role, legal) in legal.iter_mut().enumerate() {
                    legal.clear();
                    legal.extend(self.waiting_moves(tree, Role::new(role))?);
                }
                let prior = |role: Role, index: usize| {
                    let role = role.index();
                    priors[role][tree * self.network.moves[role].len() + legal[role][index]]
                };
                self.trees[tree].evaluate(prior, values);
            }
            Ok(())
        })
    }

    /// Writes how often each move of a role was selected at the root of each tree.
    fn write_visits(&self, py: Python<'_>, role: usize, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let Some(moves) = self.network.moves.get(role) else {
            return Err(Failure::usage(format!("there is no role {role}")).into());
        };
        let mut out = writable::<i64>(out, "visits", &[self.trees.len(), moves.len()])?;
        let out = out.as_slice_mut()?;
        let role = Role::new(role);
        self.shared.signals.inline(py, || {
            out.fill(0);
            for (row, tree) in out.chunks_exact_mut(moves.len().max(1)).zip(&self.trees) {
                for (chosen, visits) in tree.moves(role) {
                    row[self.number(role, chosen)?] = i64::from(visits);
                }
            }
            Ok(())
        })
    }

    /// Writes the mean of the scaled values of all visits, for each role in each tree.
    fn write_values(&self, out: &Bound<'_, PyAny>) -> PyResult<()> {
        let roles = self.shared.roles.len();
        let mut out = writable::<f32>(out, "values", &[self.trees.len(), roles])?;
        for (row, tree) in out.as_slice_mut()?.chunks_exact_mut(roles).zip(&self.trees) {
            row.iter_mut().enumerate().for_each(|(role, value)| *value = tree.value(Role::new(role)));
        }
        Ok(())
    }
}

impl Trees {
    /// Makes a visit in a tree. Returns whether a state waits for its evaluation.
    fn select_in(&mut self, tree: usize, row: &mut [f32], masks: &mut [&mut [bool]]) -> Result<bool, Failure> {
        let selected = self.trees[tree].select(&mut self.engine).map_err(|error| failure(tree, error))?;
        let Some(state) = selected else { return Ok(false) };
        let EngineState::Propnet(state) = state else { return Err(Failure::other("the state is not of the network")) };
        row.fill(0.0);
        for (first, count) in self.network.holding(state).map(|fluent| self.entries[fluent]) {
            row[first..first + count].fill(1.0);
        }
        for (role, mask) in masks.iter_mut().enumerate() {
            let moves = self.network.moves[role].len();
            let row = &mut mask[tree * moves..][..moves];
            row.fill(false);
            for number in self.waiting_moves(tree, Role::new(role))? {
                row[number] = true;
            }
        }
        Ok(true)
    }

    /// The numbers of the legal moves of a role in the state that waits.
    fn waiting_moves(&self, tree: usize, role: Role) -> Result<Vec<usize>, Failure> {
        self.trees[tree].waiting_moves(role).map(|chosen| self.number(role, chosen)).collect()
    }

    fn number(&self, role: Role, chosen: ggp::Move) -> Result<usize, Failure> {
        let number = self.network.number_of(role, chosen);
        number.map(|number| number as usize).ok_or_else(|| Failure::other("a legal move has no number"))
    }
}

/// The error of a tree.
fn failure(tree: usize, error: SearchError) -> Failure {
    match error {
        SearchError::Over => Failure::new("GameOver", format!("the game is over in state {tree}")),
        SearchError::Reason(error) => error.into(),
        error => Failure::other(error.to_string()),
    }
}
