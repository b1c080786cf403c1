//! Replaying a recorded game on an engine, and comparing its answers with those of the reasoner that recorded it.
//!
//! Each state is taken from the trace, so that one wrong state does not hide later differences, and a trace may begin
//! in the middle of a game. Facts and moves are compared as sets.

use super::trace::{Header, Trace, TraceError, Visit};
use gdl::rules::GroundTerm;
use ggp_game::{Move, ReasonError, Reasoner, Role};
use serde::Serialize;
use std::fmt;
use std::io::BufRead;

/// The result of a replay.
#[derive(Clone, Debug, Serialize)]
pub struct ReplayResult {
    /// The name of the game in the trace.
    pub(crate) game: String,
    /// The number of states that agree in every respect.
    pub states: u64,
    /// The number of joint moves for which the next state was compared.
    pub transitions: u64,
    /// The first difference, at which the replay ended.
    pub difference: Option<Difference>,
}

/// A difference between an engine and a trace.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The line of the trace, from 1.
    pub(crate) line: usize,
    /// The state in the trace; `None` if the header differs.
    #[serde(rename = "place")]
    pub(crate) state: Option<TraceState>,
    /// The answer that differs, with both values.
    #[serde(flatten)]
    conflict: Conflict,
}

/// A state of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct TraceState {
    /// The number of the playout.
    pub(crate) playout: u64,
    /// The number of joint moves before it.
    pub(crate) step: u64,
}

/// An answer on which an engine and a trace differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "question", rename_all = "snake_case")]
enum Conflict {
    /// The roles, or their order.
    Roles {
        /// The roles in the trace.
        expected: Vec<GroundTerm>,
        /// The roles of the engine.
        found: Vec<GroundTerm>,
    },
    /// The facts of the initial state.
    Init(SetConflict),
    /// The end of the game.
    Terminal {
        /// The value in the trace.
        expected: bool,
        /// The value of the engine.
        found: bool,
    },
    /// The legal moves of a role.
    Legal {
        /// The role whose moves differ.
        role: GroundTerm,
        /// The difference of the moves.
        #[serde(flatten)]
        moves: SetConflict,
    },
    /// The goal value of a role.
    Goal {
        /// The role whose value differs.
        role: GroundTerm,
        /// The value in the trace; `None` if there is not exactly one integer.
        expected: Option<i64>,
        /// The value of the engine; `None` if there is not exactly one integer.
        found: Option<i64>,
    },
    /// The state after the joint move.
    Next(SetConflict),
}

/// The difference of two sets of terms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SetConflict {
    /// The terms that only the trace has, in canonical order.
    pub missing: Vec<GroundTerm>,
    /// The terms that only the engine has, in canonical order.
    pub extra: Vec<GroundTerm>,
}

/// The reason for which a replay could not continue.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The trace cannot be read.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// The engine has no answer.
    #[error("line {line}: {error}")]
    Reason {
        /// The line of the trace that was replayed.
        line: usize,
        /// The error of the engine.
        error: ReasonError,
    },
}

/// Compares an engine with a trace, up to the first difference.
///
/// Of each state it compares the end of the game, each role's legal moves if the state is not terminal, each role's
/// goal value (null in the trace means that there is not exactly one integer), and, if the next line is the next step
/// of the same playout, the facts after the joint move. It also compares the roles and the initial state.
pub fn replay<R: Reasoner>(reasoner: &mut R, input: impl BufRead) -> Result<ReplayResult, ReplayError> {
    let (header, mut trace) = Trace::open(input)?;
    let mut replayed = ReplayResult { game: header.game.clone(), states: 0, transitions: 0, difference: None };
    if let Some(conflict) = start(reasoner, &header).map_err(|error| ReplayError::Reason { line: 1, error })? {
        replayed.difference = Some(Difference { line: 1, state: None, conflict });
        return Ok(replayed);
    }
    let mut next = trace.next_visit()?;
    while let Some(visit) = next {
        next = trace.next_visit()?;
        let reason = |error| ReplayError::Reason { line: visit.line, error };
        let follows = |after: &&Visit| after.playout == visit.playout && after.step == visit.step + 1;
        let after = next.as_ref().filter(follows);
        if let Some(conflict) = compare(reasoner, &visit, after).map_err(reason)? {
            let state = Some(TraceState { playout: visit.playout, step: visit.step });
            replayed.difference = Some(Difference { line: visit.line, state, conflict });
            return Ok(replayed);
        }
        replayed.states += 1;
        replayed.transitions += u64::from(after.is_some() && visit.moves.is_some());
    }
    Ok(replayed)
}

fn start<R: Reasoner>(reasoner: &mut R, header: &Header) -> Result<Option<Conflict>, ReasonError> {
    if reasoner.roles() != header.roles {
        return Ok(Some(Conflict::Roles { expected: header.roles.clone(), found: reasoner.roles().to_vec() }));
    }
    let initial = reasoner.initial_state()?;
    Ok(SetConflict::between(&header.init, reasoner.facts(&initial)).map(Conflict::Init))
}

fn compare<R: Reasoner>(
    reasoner: &mut R,
    visit: &Visit,
    after: Option<&Visit>,
) -> Result<Option<Conflict>, ReasonError> {
    let state = reasoner.state_from_facts(&visit.state)?;
    let terminal = reasoner.is_terminal(&state)?;
    if terminal != visit.terminal {
        return Ok(Some(Conflict::Terminal { expected: visit.terminal, found: terminal }));
    }
    let roles = reasoner.roles().to_vec();
    for (index, role) in roles.iter().enumerate() {
        if !terminal && let Some(moves) = compare_legal(reasoner, visit, &state, Role::new(index), role)? {
            return Ok(Some(Conflict::Legal { role: role.clone(), moves }));
        }
        let found = goal(reasoner, &state, Role::new(index))?;
        let expected = visit.goal.iter().find(|(name, _)| name == role).and_then(|&(_, value)| value);
        if found != expected {
            return Ok(Some(Conflict::Goal { role: role.clone(), expected, found }));
        }
    }
    let (Some(moves), Some(after)) = (&visit.moves, after) else { return Ok(None) };
    let joint_move = moves.iter().map(|term| reasoner.find_move(term)).collect::<Result<Vec<Move>, _>>()?;
    let next = reasoner.next_state(&state, &joint_move)?;
    Ok(SetConflict::between(&after.state, reasoner.facts(&next)).map(Conflict::Next))
}

fn compare_legal<R: Reasoner>(
    reasoner: &mut R,
    visit: &Visit,
    state: &R::State,
    role: Role,
    name: &GroundTerm,
) -> Result<Option<SetConflict>, ReasonError> {
    let mut moves = Vec::new();
    reasoner.legal_moves(state, role, &mut moves)?;
    let found = moves.into_iter().map(|chosen| reasoner.move_term(chosen)).collect();
    let expected = visit.legal.iter().find(|(role, _)| role == name).map_or(&[][..], |(_, moves)| moves);
    Ok(SetConflict::between(expected, found))
}

/// The goal value of a role, if it is exactly one integer.
fn goal<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<Option<i64>, ReasonError> {
    match reasoner.goal(state, role) {
        Ok(utility) => Ok(utility.to_whole().map(i64::from)),
        Err(error) if error.is_about_goal() => Ok(None),
        Err(error) => Err(error),
    }
}

impl SetConflict {
    /// The difference between two sets, if there is one.
    pub fn between(expected: &[GroundTerm], mut found: Vec<GroundTerm>) -> Option<Self> {
        let mut expected = expected.to_vec();
        expected.sort();
        expected.dedup();
        found.sort();
        found.dedup();
        if expected == found {
            return None;
        }
        let without = |terms: &[GroundTerm], others: &[GroundTerm]| {
            terms.iter().filter(|term| others.binary_search(term).is_err()).cloned().collect::<Vec<_>>()
        };
        Some(Self { missing: without(&expected, &found), extra: without(&found, &expected) })
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}", self.line)?;
        if let Some(TraceState { playout, step }) = self.state {
            write!(formatter, " (playout {playout}, step {step})")?;
        }
        write!(formatter, ": {}", self.conflict)
    }
}

impl fmt::Display for Conflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Roles { expected, found } => write!(formatter, "roles: expected {expected:?}, found {found:?}"),
            Self::Init(facts) => write!(formatter, "initial state: {facts}"),
            Self::Terminal { expected, found } => write!(formatter, "terminal: expected {expected}, found {found}"),
            Self::Legal { role, moves } => write!(formatter, "legal moves of {role}: {moves}"),
            Self::Goal { role, expected, found } => {
                let show =
                    |value: &Option<i64>| value.map_or("no single integer".to_string(), |value| value.to_string());
                write!(formatter, "goal of {role}: expected {}, found {}", show(expected), show(found))
            }
            Self::Next(facts) => write!(formatter, "next state: {facts}"),
        }
    }
}

impl fmt::Display for SetConflict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "missing {:?}, extra {:?}", self.missing, self.extra)
    }
}
