//! Random play from any state.

use crate::game::chance::below;
use crate::game::{JointMoves, Move, ReasonError, Reasoner, Role};
use rand_xoshiro::Xoshiro256PlusPlus;

/// A random line of play.
#[derive(Clone, Debug)]
pub struct Playout<S> {
    /// The joint moves, first to last.
    pub joint_moves: Vec<Vec<Move>>,
    /// The last state of the line.
    pub end: S,
    /// Whether that state is terminal; false if the line was cut off.
    pub is_over: bool,
}

/// Plays from a state until the game is over, or for `longest` joint moves: each role makes each of its legal moves
/// with the same probability. The same random numbers lead to the same moves on every engine and machine.
pub fn playout<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    random: &mut Xoshiro256PlusPlus,
    longest: usize,
) -> Result<Playout<R::State>, ReasonError> {
    let mut line = Playout { joint_moves: Vec::new(), end: state.clone(), is_over: reasoner.is_terminal(state)? };
    while !line.is_over && line.joint_moves.len() < longest {
        let mut joint_moves = JointMoves::of(reasoner, &line.end)?;
        for index in 0..reasoner.roles().len() {
            let role = Role::new(index);
            joint_moves.choose(role, below(random, joint_moves.legal(role).len()));
        }
        line.end = reasoner.next_state(&line.end, joint_moves.current())?;
        line.joint_moves.push(joint_moves.current().to_vec());
        line.is_over = reasoner.is_terminal(&line.end)?;
    }
    Ok(line)
}
