//! What roles know in games with rules for `sees` (GDL-II): percepts, views, and the states that a view leaves possible.

use crate::failure::Failure;
use crate::game::{RawGame, RoleName, term, texts};
use crate::numbers::{Count, Seed};
use crate::shared::Engines;
use crate::state::State;
use ggp::ask::searches;
use ggp::search::{Observation, SearchError, ViewStep};
use ggp::{Budget, EngineState, GroundTerm, Move, ReasonError, Reasoner, Role};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// True if the sheet has rules for `sees`, so that roles do not see the whole state.
#[pyfunction]
pub(crate) fn has_percepts(game: &Bound<'_, RawGame>) -> bool {
    game.get().shared.has_percepts
}

/// The rules of the game with what roles know as part of the states, and the name of the relation that it is.
#[pyfunction]
pub(crate) fn with_views(py: Python<'_>, game: &Bound<'_, RawGame>) -> PyResult<(String, String)> {
    let shared = game.get().shared.clone();
    let sheet = shared.signals.inline(py, || shared.game(|game| Ok(game.with_views())))?;
    Ok((sheet.text, sheet.relation))
}

/// The percepts of a role after a joint move, as terms in canonical order. The joint move has the terms of all roles.
#[pyfunction]
pub(crate) fn percepts(
    py: Python<'_>,
    state: &Bound<'_, State>,
    role: RoleName,
    moves: Vec<String>,
) -> PyResult<Vec<String>> {
    let state = state.get();
    let role = state.role(&role)?;
    let terms = moves.iter().map(|chosen| term(chosen)).collect::<Result<Vec<_>, Failure>>()?;
    let percepts = state.ask(py, |engines| {
        for (role, chosen) in terms.iter().enumerate() {
            let legal = state.legal_moves(engines, Role::new(role))?;
            let engine = engines.of(state.engine_state());
            if !legal.into_iter().any(|legal| engine.move_term(legal) == *chosen) {
                let role = &state.shared().roles[role];
                return Err(Failure::new("IllegalAction", format!("`{chosen}` is not legal for {role}")));
            }
        }
        engines.percepts(state.engine_state(), &terms)
    })?;
    Ok(texts(&percepts[role.index()]))
}

/// The joint moves that have led to a state, from a state that all roles know.
#[derive(Clone)]
pub(crate) struct History {
    first: Arc<EngineState>,
    last: Option<Arc<Ply>>,
}

/// A joint move, and those before it.
struct Ply {
    before: Option<Arc<Ply>>,
    /// The state in which it was made.
    state: EngineState,
    /// The joint move, in the numbers of the engine of the state.
    joint_move: Box<[Move]>,
    /// What each role knows of it, once that has been asked for.
    seen: OnceLock<Vec<ViewStep>>,
}

/// Frees long histories without recursion.
impl Drop for Ply {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut ply) = before.and_then(Arc::into_inner) {
            before = ply.before.take();
        }
    }
}

impl Ply {
    /// What each role knows of the joint move.
    fn seen(&self, engines: &mut Engines) -> Result<&[ViewStep], Failure> {
        if let Some(seen) = self.seen.get() {
            return Ok(seen);
        }
        let joint_move = self.terms(engines);
        let percepts = engines.percepts(&self.state, &joint_move)?;
        let mut legal = Vec::new();
        let steps = joint_move.into_iter().zip(percepts).enumerate().map(|(role, (chosen, percepts))| {
            engines.of(&self.state).legal_moves(&self.state, Role::new(role), &mut legal)?;
            Ok(ViewStep { chosen, is_choice: legal.len() > 1, percepts })
        });
        let seen = steps.collect::<Result<Vec<_>, ReasonError>>()?;
        Ok(self.seen.get_or_init(|| seen))
    }

    fn terms(&self, engines: &mut Engines) -> Vec<GroundTerm> {
        let engine = engines.of(&self.state);
        self.joint_move.iter().map(|&chosen| engine.move_term(chosen)).collect()
    }
}

impl History {
    /// The history of a state that all roles know.
    pub(crate) fn from_first(first: EngineState) -> Self {
        Self { first: Arc::new(first), last: None }
    }

    /// The history after a joint move in the state to which this one has led.
    pub(crate) fn after(&self, state: &EngineState, joint_move: &[Move]) -> Self {
        let joint_move = joint_move.into();
        let ply = Ply { before: self.last.clone(), state: state.clone(), joint_move, seen: OnceLock::new() };
        Self { first: Arc::clone(&self.first), last: Some(Arc::new(ply)) }
    }

    /// The first state.
    pub(crate) fn first(&self) -> &EngineState {
        &self.first
    }

    fn plies(&self) -> Vec<&Ply> {
        let mut plies: Vec<&Ply> = std::iter::successors(self.last.as_deref(), |ply| ply.before.as_deref()).collect();
        plies.reverse();
        plies
    }

    /// The joint moves, in order.
    pub(crate) fn terms(&self, engines: &mut Engines) -> Vec<Vec<GroundTerm>> {
        self.plies().into_iter().map(|ply| ply.terms(engines)).collect()
    }

    /// What a role knows of each joint move.
    pub(crate) fn view(&self, engines: &mut Engines, role: Role) -> Result<Vec<&ViewStep>, Failure> {
        self.plies().into_iter().map(|ply| Ok(&ply.seen(engines)?[role.index()])).collect()
    }
}

/// The states that a role thinks possible, each with its probability.
pub(crate) struct Possible {
    pub(crate) states: Vec<(EngineState, f64)>,
    /// True if these are all.
    pub(crate) is_complete: bool,
}

/// The limits on finding possible states.
pub(crate) struct PossibleLimits {
    most: usize,
    seed: u64,
    time: Option<Duration>,
}

impl PossibleLimits {
    /// # Errors
    /// If no state or no time is allowed.
    pub(crate) fn new(Count(most): Count<usize>, Seed(seed): Seed, seconds: Option<f64>) -> Result<Self, Failure> {
        if most == 0 {
            return Err(Failure::usage("at least one state is found: most is 1 or more"));
        }
        let time = |seconds| {
            let time = Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero());
            time.ok_or_else(|| Failure::usage(format!("seconds are a time above 0, not {seconds}")))
        };
        Ok(Self { most, seed, time: seconds.map(time).transpose()? })
    }
}

/// The states that a role thinks possible after these moves and percepts of its own from a state on, which legal play
/// reaches or not, if all other roles move at random: all of them, or a sample.
pub(crate) fn possible(
    engines: &mut Engines,
    first: &[GroundTerm],
    is_reached: bool,
    role: Role,
    view: &[ViewStep],
    limits: &PossibleLimits,
) -> Result<Possible, Failure> {
    let rules = engines.rules();
    let first = rules.state_from_facts(first)?;
    let view = view.iter().map(|step| Observation::told(rules, &step.chosen, &step.percepts));
    let view = view.collect::<Result<Vec<_>, ReasonError>>()?;
    let mut budget = Budget::new().with_limits(rules.limits());
    if let Some(time) = limits.time {
        budget = budget.with_time(time);
    }
    let outcome = searches::possible_states(rules, &first, role, &view, limits.most, limits.seed, &budget);
    let outcome = outcome.map_err(|error| match error {
        SearchError::Reason(error) => Failure::from(error),
        error => Failure::other(error.to_string()),
    })?;
    let Some(found) = outcome.answer else {
        return Err(Failure::new("LimitReached", "a limit was reached before the possible states were found"));
    };
    // The search tells states apart by what other roles know.
    let mut states: BTreeMap<Vec<GroundTerm>, f64> = BTreeMap::new();
    for (possible, probability) in &found.states {
        *states.entry(rules.facts(&possible.state)).or_default() += probability;
    }
    let states = states.into_iter().map(|(facts, probability)| Ok((engines.state(&facts, is_reached)?, probability)));
    Ok(Possible { states: states.collect::<Result<_, Failure>>()?, is_complete: found.is_complete })
}

impl Possible {
    /// The states as `ggp.hidden.PossibleStates`.
    pub(crate) fn into_python(self, py: Python<'_>, game: &Py<RawGame>, is_reached: bool) -> PyResult<Py<PyAny>> {
        let (states, probabilities): (Vec<EngineState>, Vec<f64>) = self.states.into_iter().unzip();
        let state = |state| State::new(game.clone_ref(py), state, is_reached).into_pyobject(py);
        let states = PyTuple::new(py, states.into_iter().map(state).collect::<PyResult<Vec<_>>>()?)?;
        let made = py.import("ggp.hidden")?.getattr("PossibleStates")?;
        Ok(made.call1((states, PyTuple::new(py, probabilities)?, self.is_complete))?.unbind())
    }
}

/// The states that a role with a view thinks possible; a view has the moves of the role and the percepts of each.
#[pyfunction]
pub(crate) fn possible_states(
    py: Python<'_>,
    game: &Bound<'_, RawGame>,
    role: RoleName,
    view: Vec<(String, Vec<String>)>,
    most: Count<usize>,
    seed: Seed,
    seconds: Option<f64>,
) -> PyResult<Py<PyAny>> {
    let shared = game.get().shared.clone();
    let role = game.get().role(&role)?;
    shared.check_viewer(role)?;
    let limits = PossibleLimits::new(most, seed, seconds)?;
    let step = |(chosen, percepts): (String, Vec<String>)| {
        let percepts = percepts.iter().map(|percept| term(percept)).collect::<Result<_, Failure>>()?;
        Ok(ViewStep { chosen: term(&chosen)?, is_choice: false, percepts })
    };
    let view = view.into_iter().map(step).collect::<Result<Vec<_>, Failure>>()?;
    let found = shared.signals.inline(py, || {
        shared.engines(|engines| {
            let first = engines.initial()?;
            let first = engines.facts(&first);
            possible(engines, &first, true, role, &view, &limits)
        })
    })?;
    found.into_python(py, &game.clone().unbind(), true)
}
