//! The loop of all games: turn by turn, until the game is over or too long, whoever chooses the moves. Matches, games at
//! the prompt and the trials of a player that learns are [`OngoingGame`]s.

use super::{JointMoves, Move, Role};

/// A game that is being played.
pub trait OngoingGame {
    /// Why the next turn cannot be played.
    type Error;

    /// Whether the game is over.
    fn is_over(&mut self) -> Result<bool, Self::Error>;

    /// The legal moves of the roles in the current state.
    fn joint_moves(&mut self) -> Result<JointMoves, Self::Error>;

    /// The roles that are asked for a move; the others make their first one.
    #[inline]
    fn asked_roles(&self, joint_moves: &JointMoves) -> Vec<Role> {
        joint_moves.choosing()
    }

    /// The index of a role's move among its legal ones.
    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, Self::Error>;

    /// Makes a joint move.
    fn advance(&mut self, joint_move: &[Move]) -> Result<(), Self::Error>;
}

/// Plays until the game is over; false if it is not over after this number of joint moves.
///
/// # Errors
/// The first one of the game.
pub fn play_to_end<G: OngoingGame>(game: &mut G, longest: usize) -> Result<bool, G::Error> {
    for _ in 0..longest {
        if game.is_over()? {
            return Ok(true);
        }
        let mut joint_moves = game.joint_moves()?;
        for role in game.asked_roles(&joint_moves) {
            let index = game.choose(role, &joint_moves)?;
            joint_moves.choose(role, index);
        }
        game.advance(joint_moves.current())?;
    }
    game.is_over()
}
