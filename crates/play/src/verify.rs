//! Verification of the record of a match against the rules.

use super::record::{read_facts, read_term};
use super::{MatchRecord, RecordError};
use gdl::rules::GroundTerm;
use ggp_engine::replay::SetConflict;
use ggp_game::{Move, ReasonError, Reasoner, Role, Utility};
use serde::Serialize;

/// A summary of a correct record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecordSummary {
    /// The identifier of the match.
    pub match_id: String,
    /// The number of its states.
    pub states: usize,
    /// The number of its joint moves.
    pub moves: usize,
    /// The goal value of each role at the end; empty if the match did not end.
    pub goal_values: Vec<Option<Utility>>,
}

/// Why a record is wrong, or cannot be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The record, or a term in it, cannot be parsed.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The engine has no answer.
    #[error(transparent)]
    Reason(#[from] ReasonError),
    /// The record belongs to another game.
    #[error("the roles are {}, and the game has {}", list(found), list(expected))]
    Roles {
        /// The roles of the game.
        expected: Vec<GroundTerm>,
        /// The roles of the record.
        found: Vec<GroundTerm>,
    },
    /// The number of states is not one more than the number of joint moves.
    #[error("{states} states and {moves} joint moves do not fit together")]
    Length {
        /// The number of recorded states.
        states: usize,
        /// The number of joint moves.
        moves: usize,
    },
    /// A state differs from that of the rules.
    #[error("state {turn} differs from that of the rules: {}", conflict_text(conflict))]
    State {
        /// The number of joint moves before it.
        turn: usize,
        /// What is missing from the engine's state, or extra in it.
        conflict: SetConflict,
    },
    /// A joint move was recorded after the end of the game.
    #[error("the game is over after {turn} joint moves, but the record continues")]
    Over {
        /// The number of joint moves at the end of the game.
        turn: usize,
    },
    /// The number of moves of a joint move differs from the number of roles.
    #[error("joint move {turn} has {found} moves, and the game {expected} roles")]
    Number {
        /// The number of the joint move, from 1.
        turn: usize,
        /// The number of roles of the game.
        expected: usize,
        /// The number of recorded moves.
        found: usize,
    },
    /// A move is not legal.
    #[error("joint move {turn}: {chosen} is not legal for {role}")]
    Illegal {
        /// The number of the joint move, from 1.
        turn: usize,
        /// The role that made it.
        role: GroundTerm,
        /// The move that is not legal.
        chosen: GroundTerm,
    },
    /// The match is marked as complete, but the game is not over.
    #[error("the record is marked as complete, but the game is not over after {moves} joint moves")]
    NotOver {
        /// The number of joint moves.
        moves: usize,
    },
    /// The game is over, but the match is not marked as complete.
    #[error("the game is over after {moves} joint moves, but the record is not marked as complete")]
    NotComplete {
        /// The number of joint moves.
        moves: usize,
    },
    /// The goal values differ from those of the rules.
    #[error("the goal values are {}, and the rules give {}", listed(found), listed(expected))]
    Goals {
        /// The goal values of the rules.
        expected: Vec<Option<Utility>>,
        /// The goal values of the record.
        found: Vec<Option<Utility>>,
    },
}

/// Utilities as a list; `none` where a role has no single one.
fn listed(utilities: &[Option<Utility>]) -> String {
    let text = |utility: &Option<Utility>| utility.map_or("none".to_string(), |utility| utility.to_string());
    format!("[{}]", utilities.iter().map(text).collect::<Vec<_>>().join(", "))
}

/// Plays a record through and verifies its states, its moves and its goal values.
pub fn verify<R: Reasoner>(reasoner: &mut R, record: &MatchRecord) -> Result<RecordSummary, VerifyError> {
    let states = record.states.len();
    let moves = record.moves.len();
    if states != moves + 1 {
        return Err(VerifyError::Length { states, moves });
    }
    let roles = reasoner.roles().to_vec();
    if !record.roles.is_empty() {
        let found = record.roles.iter().map(|role| read_term(role)).collect::<Result<Vec<_>, _>>()?;
        if found != roles {
            return Err(VerifyError::Roles { expected: roles, found });
        }
    }
    let mut state = reasoner.initial_state()?;
    for turn in 0..states {
        let facts = read_facts(&record.states[turn])?;
        if let Some(conflict) = SetConflict::between(&facts, reasoner.facts(&state)) {
            return Err(VerifyError::State { turn, conflict });
        }
        let Some(joint_move) = record.moves.get(turn) else { break };
        if reasoner.is_terminal(&state)? {
            return Err(VerifyError::Over { turn });
        }
        let joint_move = read_moves(reasoner, &roles, &state, joint_move, turn + 1)?;
        state = reasoner.next_state(&state, &joint_move)?;
    }
    verify_end(reasoner, &state, record)?;
    Ok(RecordSummary { match_id: record.match_id.clone(), states, moves, goal_values: record.goal_values.clone() })
}

fn read_moves<R: Reasoner>(
    reasoner: &mut R,
    roles: &[GroundTerm],
    state: &R::State,
    joint_move: &[String],
    turn: usize,
) -> Result<Vec<Move>, VerifyError> {
    if joint_move.len() != roles.len() {
        return Err(VerifyError::Number { turn, expected: roles.len(), found: joint_move.len() });
    }
    let mut moves = Vec::new();
    let mut legal = Vec::new();
    for (index, text) in joint_move.iter().enumerate() {
        let term = read_term(text)?;
        reasoner.legal_moves(state, Role::new(index), &mut legal)?;
        let chosen = reasoner.find_move(&term).ok().filter(|chosen| legal.contains(chosen));
        moves.push(chosen.ok_or_else(|| VerifyError::Illegal { turn, role: roles[index].clone(), chosen: term })?);
    }
    Ok(moves)
}

fn verify_end<R: Reasoner>(reasoner: &mut R, state: &R::State, record: &MatchRecord) -> Result<(), VerifyError> {
    let moves = record.moves.len();
    match (reasoner.is_terminal(state)?, record.is_completed) {
        (false, false) => return Ok(()),
        (false, true) => return Err(VerifyError::NotOver { moves }),
        (true, false) => return Err(VerifyError::NotComplete { moves }),
        (true, true) => {}
    }
    let mut expected = Vec::new();
    for index in 0..reasoner.roles().len() {
        expected.push(match reasoner.goal(state, Role::new(index)) {
            Ok(utility) => Some(utility),
            Err(error @ ReasonError::Stopped(_)) => return Err(error.into()),
            Err(_) => None,
        });
    }
    if record.goal_values == expected {
        return Ok(());
    }
    Err(VerifyError::Goals { expected, found: record.goal_values.clone() })
}

fn conflict_text(SetConflict { missing, extra }: &SetConflict) -> String {
    match (&missing[..], &extra[..]) {
        (missing, []) => format!("{} does not hold", list(missing)),
        ([], extra) => format!("{} holds as well", list(extra)),
        (missing, extra) => format!("{} does not hold, and {} does", list(missing), list(extra)),
    }
}

fn list(terms: &[GroundTerm]) -> String {
    terms.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}
