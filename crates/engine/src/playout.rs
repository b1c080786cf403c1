//! Random play from any state.

use gdl::rules::GroundTerm;
use ggp_game::{Chance, JointMoves, Move, ReasonError, Reasoner, Role};

/// A random line of play. Moves are those of the reasoner that played, or terms.
#[derive(Clone, Debug)]
pub struct Playout<S, M = Move> {
    /// The joint moves, first to last.
    pub joint_moves: Vec<Vec<M>>,
    /// The last state of the line.
    pub end: S,
    /// Whether that state is terminal; false if the line was cut off.
    pub is_over: bool,
}

impl<S> Playout<S> {
    /// The same line with the terms of its moves.
    pub(crate) fn with_terms(self, reasoner: &impl Reasoner) -> Playout<S, GroundTerm> {
        let terms = |moves: &Vec<Move>| moves.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
        let joint_moves = self.joint_moves.iter().map(terms).collect();
        Playout { joint_moves, end: self.end, is_over: self.is_over }
    }
}

/// Plays from a state until the game is over, or for `longest` joint moves: each role makes each of its legal moves
/// with the same probability. The same random numbers lead to the same moves on every engine and machine.
///
/// # Errors
/// If a role has no legal move, or the reasoner has no answer.
pub fn playout<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    random: &mut Chance,
    longest: usize,
) -> Result<Playout<R::State>, ReasonError> {
    let mut line = Playout { joint_moves: Vec::new(), end: state.clone(), is_over: reasoner.is_terminal(state)? };
    while !line.is_over && line.joint_moves.len() < longest {
        let mut joint_moves = JointMoves::in_state(reasoner, &line.end)?;
        for index in 0..reasoner.roles().len() {
            let role = Role::new(index);
            joint_moves.choose(role, random.below(joint_moves.legal(role).len()));
        }
        line.end = reasoner.next_state(&line.end, joint_moves.current())?;
        line.joint_moves.push(joint_moves.current().to_vec());
        line.is_over = reasoner.is_terminal(&line.end)?;
    }
    Ok(line)
}
