//! A game in the session: played from the current position to its end, and then taken back.

use crate::repl::{CommandError, Session};
use gdl::rules::GroundTerm;
use ggp_engine::simulate::LONGEST_GAME;
use ggp_game::{JointMoves, Move, OngoingGame, ReasonError, Reasoner, Role, Utility, play_to_end};

/// A game that has been played.
pub(super) struct FinishedGame {
    /// The number of joint moves.
    pub(super) plies: usize,
    /// The goal values of the roles except chance, in their order; `None` if the game was abandoned because it was too
    /// long.
    pub(super) utilities: Option<Vec<RoleUtility>>,
}

/// The goal value of a role at the end of a game.
pub(super) struct RoleUtility {
    pub(super) role: GroundTerm,
    /// An error if the rules give none, or several.
    pub(super) utility: Result<Utility, ReasonError>,
}

/// Plays from the current position, and then restores it. `choose` is asked for the index of the move of each role that
/// has a choice, also of chance.
///
/// # Errors
/// Those of `choose` and of the rules.
pub(super) fn play_out(
    session: &mut Session,
    choose: impl FnMut(&mut Session, Role, &JointMoves) -> Result<usize, CommandError>,
) -> Result<FinishedGame, CommandError> {
    let start = session.current()?.ply();
    let mut game = SessionGame { session, choose };
    let ended = play_to_end(&mut game, LONGEST_GAME);
    let utilities = ended.and_then(|is_over| if is_over { utilities(session).map(Some) } else { Ok(None) });
    let plies = session.current()?.ply() - start;
    session.current()?.retract(plies);
    Ok(FinishedGame { plies, utilities: utilities? })
}

/// The goal values at the end of the game, without that of chance.
fn utilities(session: &mut Session) -> Result<Vec<RoleUtility>, CommandError> {
    let (reasoner, state) = session.current()?.position();
    let players: Vec<Role> = Role::players(reasoner.roles()).collect();
    let mut found = Vec::new();
    for role in players {
        let utility = match reasoner.goal(state, role) {
            Err(error) if error.stop().is_some() => return Err(error.into()),
            utility => utility,
        };
        found.push(RoleUtility { role: reasoner.roles()[role.index()].clone(), utility });
    }
    Ok(found)
}

struct SessionGame<'a, F> {
    session: &'a mut Session,
    choose: F,
}

impl<F: FnMut(&mut Session, Role, &JointMoves) -> Result<usize, CommandError>> OngoingGame for SessionGame<'_, F> {
    type Error = CommandError;

    fn is_over(&mut self) -> Result<bool, CommandError> {
        Ok(self.session.current()?.is_over()?)
    }

    fn joint_moves(&mut self) -> Result<JointMoves, CommandError> {
        self.session.current()?.joint_moves()
    }

    fn choose(&mut self, role: Role, joint_moves: &JointMoves) -> Result<usize, CommandError> {
        (self.choose)(self.session, role, joint_moves)
    }

    fn advance(&mut self, joint_move: &[Move]) -> Result<(), CommandError> {
        Ok(self.session.current()?.play(joint_move.to_vec())?)
    }
}
