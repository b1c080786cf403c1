//! `play`: makes the move that a search recommends, so that a person can play against it at the prompt.

use super::board::position_after;
use super::mover::Mover;
use super::play::is_move;
use super::{ArgumentKind, Arguments, Command};
use crate::repl::{Answer, CommandError, Session};

pub(super) const PLAY: Command = Command {
    name: "play",
    operands: "SEARCH|random",
    summary: "make the move that a search recommends to the role to move, or a random one; where several roles have a choice, for each of them",
    example: "play mcts --visits 500",
    takes: ArgumentKind::Command,
    plays_openly: true,
    ..Command::run_by(play)
};

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let mover = Mover::from_arguments(arguments).map_err(|error| match arguments.operands() {
        line if is_move(session, line) => arguments.wrong(format!("`{line}` is a legal move; `do {line}` makes it")),
        _ => error,
    })?;
    let mut joint_moves = session.current()?.joint_moves()?;
    let random = session.random.clone();
    if let Err(error) = mover.choose_all(session, &mut joint_moves) {
        session.random = random;
        return Err(error);
    }
    let position = position_after(session, |current| Ok(current.play(joint_moves.current().to_vec())?))?;
    Ok(Answer::new(position))
}
