//! What roles know in games with rules for `sees` (GDL-II): percepts, views, and the states that a view leaves possible.

use crate::failure::Failure;
use crate::game::{RawGame, RoleName, term, texts};
use crate::numbers::{Count, Seed};
use crate::shared::Engines;
use crate::state::State;
use ggp::ask::searches;
use ggp::game::PerceptReasoner;
use ggp::interpreter::Interpreter;
use ggp::search::{Observation, SearchError, ViewStep};
use ggp::{Budget, EngineState, GroundTerm, Move, ReasonError, Reasoner, Role};
use pyo3::prelude::*;
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
    let (facts, _) = state.position(py)?;
    let shared = state.shared();
    let role = state.role(&role)?;
    shared.signals.inline(py, || {
        let terms = moves.iter().map(|chosen| term(chosen)).collect::<Result<Vec<_>, Failure>>()?;
        shared.engines(|engines| {
            let rules = engines.rules();
            let state = rules.state_from_facts(&facts)?;
            let joint_move = legal_moves(rules, &state, &terms)?;
            Ok(texts(&rules.percept_terms(&state, &joint_move, role)?))
        })
    })
}

/// A joint move in the numbers of the rules; each must be legal.
fn legal_moves(rules: &mut Interpreter, state: &ggp::State, terms: &[GroundTerm]) -> Result<Vec<Move>, Failure> {
    let mut legal = Vec::new();
    let moves = terms.iter().enumerate().map(|(role, term)| {
        rules.legal_moves(state, Role::new(role), &mut legal)?;
        let found = legal.iter().copied().find(|&legal| rules.move_term(legal) == *term);
        found.ok_or_else(|| Failure::new("IllegalAction", format!("`{term}` is not legal for {}", rules.roles()[role])))
    });
    moves.collect()
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
    seen: OnceLock<Vec<(Observation, ViewStep)>>,
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
    fn seen(&self, engines: &mut Engines) -> Result<&Vec<(Observation, ViewStep)>, Failure> {
        if let Some(seen) = self.seen.get() {
            return Ok(seen);
        }
        let facts = engines.facts(&self.state);
        let terms = self.terms(engines);
        let rules = engines.rules();
        let state = rules.state_from_facts(&facts)?;
        let joint_move = terms.iter().map(|chosen| rules.find_move(chosen)).collect::<Result<Vec<_>, ReasonError>>()?;
        let mut legal = Vec::new();
        let roles = (0..joint_move.len()).map(Role::new);
        let seen = roles.map(|role| {
            rules.legal_moves(&state, role, &mut legal)?;
            let observation = Observation::of(rules, &state, &joint_move, role)?;
            let named = observation.named(rules, role, legal.len() > 1);
            Ok((observation, named))
        });
        let seen = seen.collect::<Result<Vec<_>, ReasonError>>()?;
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
        self.plies().into_iter().map(|ply| Ok(&ply.seen(engines)?[role.index()].1)).collect()
    }

    fn observations(&self, engines: &mut Engines, role: Role) -> Result<Vec<Observation>, Failure> {
        self.plies().into_iter().map(|ply| Ok(ply.seen(engines)?[role.index()].0.clone())).collect()
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

/// The states that a role thinks possible, if all other roles move at random: all of them, or a sample.
pub(crate) fn possible(
    engines: &mut Engines,
    history: &History,
    role: Role,
    limits: &PossibleLimits,
    is_reached: bool,
) -> Result<Possible, Failure> {
    let view = history.observations(engines, role)?;
    let first = engines.facts(&history.first);
    let rules = engines.rules();
    let first = rules.state_from_facts(&first)?;
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
