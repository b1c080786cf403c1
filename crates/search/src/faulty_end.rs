//! The line to a state that the rules leave undefined, for the error of a search that has reached one: an end of the
//! game without a usable goal value, or a state that is not terminal and in which a role has no legal move.

use gdl::time::Instant;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};
use rustc_hash::FxHashSet;
use std::time::Duration;

/// The greatest number of states that are visited breadth first, and the time for them.
const MOST_STATES: usize = 50_000;
const TIME: Duration = Duration::from_millis(500);
/// The number of random games, their greatest length, and the time for them.
const GAMES: usize = 10_000;
const LONGEST: usize = 10_000;
const TIME_FOR_GAMES: Duration = Duration::from_millis(500);

/// The joint moves that lead from a state to an end of the game for which the rules give a role no usable goal value.
///
/// - Guarantee: the shortest line, if it is found breadth first among 50,000 states; else one that a random game took.
///   `None` if neither finds any.
/// - Cost: a second at most, and the states in memory.
///
/// # Errors
/// If the rules give no other answer in a state on the way.
pub fn faulty_end<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    line_to_fault(reasoner, state, StateFault::NoGoal(role))
}

/// The joint moves that lead from a state to one that is not terminal and in which the rules give a role no legal move;
/// empty if it is that state. Guarantee, cost and errors are those of [`faulty_end()`].
pub fn stuck_state<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    role: Role,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    line_to_fault(reasoner, state, StateFault::NoMove(role))
}

/// The fault of a state.
#[derive(Clone, Copy)]
enum StateFault {
    /// It is terminal, and the role has no usable goal value.
    NoGoal(Role),
    /// It is not terminal, and the role has no legal move.
    NoMove(Role),
}

/// A state as a search for a fault sees it.
enum Visit {
    Faulty,
    /// No move leads on: it is terminal, or has another fault.
    DeadEnd,
    Open(JointMoves),
}

impl StateFault {
    fn visit<R: Reasoner>(self, reasoner: &mut R, state: &R::State) -> Result<Visit, ReasonError> {
        if reasoner.is_terminal(state)? {
            return match self {
                Self::NoGoal(role) if is_faulty(reasoner, state, role)? => Ok(Visit::Faulty),
                Self::NoGoal(_) | Self::NoMove(_) => Ok(Visit::DeadEnd),
            };
        }
        match (JointMoves::in_state(reasoner, state), self) {
            (Ok(joint_moves), _) => Ok(Visit::Open(joint_moves)),
            (Err(ReasonError::NoLegalMove { .. }), Self::NoMove(role)) => {
                let mut moves = Vec::new();
                reasoner.legal_moves(state, role, &mut moves)?;
                Ok(if moves.is_empty() { Visit::Faulty } else { Visit::DeadEnd })
            }
            (Err(ReasonError::NoLegalMove { .. }), Self::NoGoal(_)) => Ok(Visit::DeadEnd),
            (Err(error), _) => Err(error),
        }
    }
}

fn line_to_fault<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    fault: StateFault,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    match nearest(reasoner, state, fault)? {
        None => by_chance(reasoner, state, fault),
        found => Ok(found),
    }
}

/// A state that has been reached, with the index of the one before and the joint move between them.
struct PathState<S> {
    state: S,
    parent: usize,
    joint_move: Vec<Move>,
}

/// The shortest line to a fault, if breadth-first search finds one within its limits.
fn nearest<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    fault: StateFault,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    let begun = Instant::now();
    let mut seen: FxHashSet<R::State> = [state.clone()].into_iter().collect();
    let mut reached = vec![PathState { state: state.clone(), parent: 0, joint_move: Vec::new() }];
    let mut next = 0;
    while next < reached.len() && begun.elapsed() < TIME {
        let state = reached[next].state.clone();
        let mut joint_moves = match fault.visit(reasoner, &state)? {
            Visit::Faulty => return Ok(Some(line_to(&reached, next))),
            Visit::DeadEnd => {
                next += 1;
                continue;
            }
            Visit::Open(joint_moves) => joint_moves,
        };
        while reached.len() < MOST_STATES {
            let after = reasoner.next_state(&state, joint_moves.current())?;
            if seen.insert(after.clone()) {
                let joint_move = joint_moves.current().to_vec();
                reached.push(PathState { state: after, parent: next, joint_move });
            }
            if !joint_moves.advance() {
                break;
            }
        }
        next += 1;
    }
    Ok(None)
}

/// The joint moves from the first state to the one with this index.
fn line_to<S>(reached: &[PathState<S>], last: usize) -> Vec<Vec<Move>> {
    let before = |&index: &usize| (index > 0).then(|| reached[index].parent);
    let way = std::iter::successors(Some(last), before).filter(|&index| index > 0);
    let mut line: Vec<Vec<Move>> = way.map(|index| reached[index].joint_move.clone()).collect();
    line.reverse();
    line
}

/// The line of a random game to a fault, if one is found within the limits.
fn by_chance<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    fault: StateFault,
) -> Result<Option<Vec<Vec<Move>>>, ReasonError> {
    let begun = Instant::now();
    // With a fixed seed the error shows the same line each time, if the time suffices.
    let mut random = Chance::new(0);
    for _ in 0..GAMES {
        let mut state = state.clone();
        let mut line = Vec::new();
        // A game that is given up says nothing.
        while line.len() < LONGEST {
            if begun.elapsed() >= TIME_FOR_GAMES {
                return Ok(None);
            }
            let mut joint_moves = match fault.visit(reasoner, &state)? {
                Visit::Faulty => return Ok(Some(line)),
                Visit::DeadEnd => break,
                Visit::Open(joint_moves) => joint_moves,
            };
            for role in (0..reasoner.roles().len()).map(Role::new) {
                joint_moves.choose(role, random.below(joint_moves.legal(role).len()));
            }
            state = reasoner.next_state(&state, joint_moves.current())?;
            line.push(joint_moves.current().to_vec());
        }
    }
    Ok(None)
}

/// True if the rules give a role no usable goal value in a terminal state.
fn is_faulty<R: Reasoner>(reasoner: &mut R, state: &R::State, role: Role) -> Result<bool, ReasonError> {
    match reasoner.goal(state, role) {
        Ok(_) => Ok(false),
        Err(error) if error.role_without_goal().is_some() => Ok(true),
        Err(error) => Err(error),
    }
}
