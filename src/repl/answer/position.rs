//! Answers about a state, and about the steps that led to it.

use super::boards::Boards;
use crate::game::{ReasonError, Reasoner, Role, Utility};
use crate::repl::session::MatchStep;
use crate::rules::GroundTerm;
use serde::Serialize;

/// The position of a match.
#[derive(Clone, Debug, Serialize)]
pub struct MatchPosition {
    /// The step that led to it.
    #[serde(flatten)]
    pub(crate) last: Ply,
    /// The goal values, if the game is over; that of `random` only if it has one.
    pub(crate) result: Option<Vec<GoalValue>>,
    /// How the state differs from the one before, if it was set.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) change: Option<StateChange>,
    /// The position as it is drawn, if the session draws boards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) drawn: Option<Boards>,
    /// Warnings about the state, such as facts outside `base`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) warnings: Vec<String>,
}

/// The facts by which a state differs from the one before, in canonical order.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct StateChange {
    /// The facts that hold now and did not before.
    pub(crate) added: Vec<GroundTerm>,
    /// The facts that held before and do not now.
    pub(crate) removed: Vec<GroundTerm>,
}

impl StateChange {
    /// The difference between two states, given by their facts in canonical order.
    pub(crate) fn between(before: &[GroundTerm], after: &[GroundTerm]) -> Self {
        let only = |facts: &[GroundTerm], others: &[GroundTerm]| {
            facts.iter().filter(|fact| others.binary_search(fact).is_err()).cloned().collect()
        };
        Self { added: only(after, before), removed: only(before, after) }
    }
}

/// One ply of a match: a joint move, a jump to a state, or, as ply 0, the initial state.
#[derive(Clone, Debug, Serialize)]
pub struct Ply {
    /// Its number, from 1; 0 for the initial state.
    pub(crate) ply: usize,
    /// The joint move; empty if it is not one.
    pub(crate) joint_move: Vec<RoleMove>,
    /// The facts of the state, if it was a jump.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) set: Option<Vec<GroundTerm>>,
}

/// The move of one role.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields say it")]
pub struct RoleMove {
    pub role: GroundTerm,
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
}

/// A move of a line, by a role that has a choice.
#[derive(Clone, Debug, Serialize)]
pub struct LineMove {
    /// The number of the joint move, from 1: moves that are made at the same time have the same.
    pub(crate) ply: u32,
    /// The role that makes the move.
    pub(crate) role: GroundTerm,
    /// The move.
    #[serde(rename = "move")]
    pub(crate) chosen: GroundTerm,
}

/// The legal moves of one role.
#[derive(Clone, Debug, Serialize)]
pub struct LegalMoves {
    /// The role that can make the moves.
    pub(crate) role: GroundTerm,
    /// Its legal moves, in canonical order.
    pub(crate) moves: Vec<GroundTerm>,
}

/// The percepts of a role.
#[derive(Clone, Debug, Serialize)]
pub struct Percepts {
    /// The role that has the percepts.
    pub(crate) role: GroundTerm,
    /// Its percepts, in canonical order.
    pub(crate) percepts: Vec<GroundTerm>,
}

/// The goal value of a role in a state.
#[derive(Clone, Debug, Serialize)]
pub struct GoalValue {
    /// The role to which the value belongs.
    pub(crate) role: GroundTerm,
    /// The value, if there is exactly one.
    pub(crate) value: Option<Utility>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) problem: Option<String>,
    /// The facts of the state that the value rests on, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) parts: Option<Vec<GoalPart>>,
}

/// A fact of the state that a goal value rests on.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct GoalPart {
    /// The fact.
    pub(crate) fact: String,
    /// The rules that use it, as file, line and column.
    pub(crate) rules: Vec<String>,
}

/// The solutions of a query.
#[derive(Clone, Debug, Serialize)]
pub struct Solutions {
    /// The variables, in the order of the query.
    pub(crate) variables: Vec<String>,
    /// A value for each variable in each row; rows in canonical order.
    pub rows: Vec<Vec<GroundTerm>>,
    /// Warnings about the query, such as unknown relations.
    pub(crate) warnings: Vec<String>,
}

impl MatchPosition {
    /// The position of a state that a ply has led to, not drawn.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn at<R: Reasoner>(reasoner: &mut R, state: &R::State, last: Ply) -> Result<Self, ReasonError> {
        let result = if reasoner.is_terminal(state)? { Some(GoalValue::all(reasoner, state)?) } else { None };
        Ok(Self { last, result, change: None, drawn: None, warnings: Vec::new() })
    }
}

impl GoalValue {
    /// The values of the roles in a terminal state. `random` is left out if it has no value, since chance has no aim.
    pub(crate) fn all<R: Reasoner>(reasoner: &mut R, state: &R::State) -> Result<Vec<Self>, ReasonError> {
        let mut goals = Vec::new();
        for (index, role) in reasoner.roles().to_vec().into_iter().enumerate() {
            match reasoner.goal(state, Role::new(index)) {
                Err(ReasonError::GoalUndefined { .. }) if role.is_chance() => {}
                value => goals.push(Self::new(role, value)?),
            }
        }
        Ok(goals)
    }

    /// A value that is known; `None` if the rules give no single value.
    pub(crate) fn known(role: GroundTerm, value: Option<Utility>) -> Self {
        let problem = value.is_none().then(|| "the rules give no single value".to_string());
        Self { role, value, problem, parts: None }
    }

    /// Converts the answer of an engine; the absence of a single value is an answer as well, not an error.
    pub(crate) fn new(role: GroundTerm, value: Result<Utility, ReasonError>) -> Result<Self, ReasonError> {
        match value {
            Ok(utility) => Ok(Self { role, value: Some(utility), problem: None, parts: None }),
            Err(error @ ReasonError::Stopped(_)) => Err(error),
            Err(error) => Ok(Self { role, value: None, problem: Some(error.to_string()), parts: None }),
        }
    }
}

impl Ply {
    /// The ply with this number and step; without a step the initial state.
    pub(crate) fn new(number: usize, roles: &[GroundTerm], step: Option<MatchStep>) -> Self {
        let mut ply = Self { ply: number, joint_move: Vec::new(), set: None };
        match step {
            Some(MatchStep::Played(moves)) => ply.joint_move = role_moves(roles, moves),
            Some(MatchStep::Set(facts)) => ply.set = Some(facts),
            None => {}
        }
        ply
    }
}

/// A joint move with its roles.
pub(crate) fn role_moves(roles: &[GroundTerm], moves: Vec<GroundTerm>) -> Vec<RoleMove> {
    roles.iter().cloned().zip(moves).map(|(role, chosen)| RoleMove { role, chosen }).collect()
}
