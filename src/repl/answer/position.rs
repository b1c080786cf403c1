//! Answers about a state, and about how a match came to it.

use crate::game::{ReasonError, Utility};
use crate::repl::board::Board;
use crate::repl::session::Step;
use crate::rules::GroundTerm;
use serde::Serialize;

/// What can be seen of a state.
#[derive(Clone, Debug, Serialize)]
pub struct Boards {
    /// The relations that are boards, by name.
    pub boards: Vec<Board>,
    /// The other facts, in canonical order.
    pub facts: Vec<GroundTerm>,
}

/// Where a match stands.
#[derive(Clone, Debug, Serialize)]
pub struct MatchPosition {
    /// How it came here.
    #[serde(flatten)]
    pub last: Ply,
    /// Where the game is over, what it is worth to each role; to `random` only where it has a value.
    pub result: Option<Vec<GoalValue>>,
    /// What is odd about the state.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// One ply of a match: a joint move, a jump to a state, or, as ply 0, the beginning.
#[derive(Clone, Debug, Serialize)]
pub struct Ply {
    /// Its number, from 1; 0 is the beginning.
    pub ply: usize,
    /// The joint move, where it was one.
    pub joint_move: Vec<RoleMove>,
    /// The facts of the state, where it was a jump to one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<Vec<GroundTerm>>,
}

/// The move of one role.
#[derive(Clone, Debug, Serialize)]
#[expect(missing_docs, reason = "the fields say it")]
pub struct RoleMove {
    pub role: GroundTerm,
    #[serde(rename = "move")]
    pub chosen: GroundTerm,
}

/// The legal moves of one role.
#[derive(Clone, Debug, Serialize)]
pub struct LegalMoves {
    /// The role.
    pub role: GroundTerm,
    /// Its moves, in canonical order.
    pub moves: Vec<GroundTerm>,
}

/// What a role perceives.
#[derive(Clone, Debug, Serialize)]
pub struct Percepts {
    /// The role.
    pub role: GroundTerm,
    /// All that it sees, in canonical order.
    pub percepts: Vec<GroundTerm>,
}

/// What a state is worth to a role.
#[derive(Clone, Debug, Serialize)]
pub struct GoalValue {
    /// The role.
    pub role: GroundTerm,
    /// The value.
    pub value: Option<Utility>,
    /// Why there is no value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

/// The solutions of a query.
#[derive(Clone, Debug, Serialize)]
pub struct Solutions {
    /// The variables, in the order of the query.
    pub variables: Vec<String>,
    /// One value for each variable in each row; rows in canonical order.
    pub rows: Vec<Vec<GroundTerm>>,
    /// What is odd about the question.
    pub warnings: Vec<String>,
}

impl GoalValue {
    /// What a state is worth to a role, as an engine answers; that there is no single value is an answer as well.
    pub fn of(role: GroundTerm, value: Result<Utility, ReasonError>) -> Result<Self, ReasonError> {
        match value {
            Ok(utility) => Ok(Self { role, value: Some(utility), problem: None }),
            Err(error @ (ReasonError::Limit { .. } | ReasonError::Interrupted)) => Err(error),
            Err(error) => Ok(Self { role, value: None, problem: Some(error.to_string()) }),
        }
    }
}

impl Ply {
    /// The ply of this number, which was the step; the beginning without one.
    pub fn new(number: usize, roles: &[GroundTerm], step: Option<Step>) -> Self {
        let mut ply = Self { ply: number, joint_move: Vec::new(), set: None };
        match step {
            Some(Step::Played(moves)) => ply.joint_move = role_moves(roles, moves),
            Some(Step::Set(facts)) => ply.set = Some(facts),
            None => {}
        }
        ply
    }
}

/// A joint move with its roles.
pub fn role_moves(roles: &[GroundTerm], moves: Vec<GroundTerm>) -> Vec<RoleMove> {
    roles.iter().cloned().zip(moves).map(|(role, chosen)| RoleMove { role, chosen }).collect()
}
