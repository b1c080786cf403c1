//! Commands that change the match (`do`, `undo`, `redo`, `restart`), or show the state after one move (`next`).

use super::moves::{PlayedLine, joint_move};
use super::show::{drawn, facts, position_after};
use super::{AnswerKind, ArgumentKind, Arguments, Command};
use crate::repl::answer::StateFacts;
use crate::repl::{Answer, CommandError, Session};
use ggp_game::Reasoner;

pub(super) const DO: Command = Command {
    name: "do",
    operands: "[MOVE…]",
    summary: "play a joint move, or a line of moves one after another; where only one role has a choice, its move is enough",
    example: "do mark(2,2)",
    takes: ArgumentKind::Moves,
    ..Command::run_by(play)
};

pub(super) const NEXT: Command = Command {
    name: "next",
    operands: "[MOVE…]",
    summary: "show the state after a joint move, without playing it",
    example: "next mark(2,2)",
    takes: ArgumentKind::Moves,
    answers: AnswerKind::Value,
    ..Command::run_by(next)
};

pub(super) const UNDO: Command = Command {
    name: "undo",
    operands: "[N]",
    summary: "take back the last joint move, or the last N",
    example: "undo 2",
    example_after: &["do mark(2,2)", "do mark(1,2)"],
    ..Command::run_by(undo)
};

pub(super) const REDO: Command = Command {
    name: "redo",
    operands: "[N]",
    summary: "make the joint move again that `undo` took back, or the last N",
    example: "redo",
    example_after: &["do mark(2,2)", "undo"],
    ..Command::run_by(redo)
};

pub(super) const RESTART: Command = Command {
    name: "restart",
    summary: "go back to the initial state",
    example: "restart",
    example_after: &["do mark(2,2)", "do mark(1,2)"],
    ..Command::run_by(restart)
};

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    play_line(session, arguments.operands())
}

/// Plays a joint move, or a line of moves one after another. If one of them is not legal, none is played.
pub(super) fn play_line(session: &mut Session, moves: &str) -> Result<Answer, CommandError> {
    let mut warning = None;
    let mut position = position_after(session, |current| {
        let line = PlayedLine::read(current, moves)?;
        warning = line.warning;
        line.joint_moves.into_iter().try_for_each(|joint_move| Ok(current.play(joint_move)?))
    })?;
    position.warnings.extend(warning);
    Ok(Answer::new(position))
}

fn next(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let draws = session.draws_boards;
    let current = session.current()?;
    let joint_move = joint_move(current, arguments.operands())?;
    let state = current.state_after_move(&joint_move)?;
    let (before, facts) = (facts(current), current.game.interpreter.facts(&state));
    let drawn = if draws { drawn(current, &facts, Some(&before)) } else { None };
    Ok(Answer::new(StateFacts { facts, drawn }))
}

fn undo(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let plies = number_of_moves(arguments)?;
    let position = position_after(session, |current| match current.ply() {
        0 => Err(CommandError::refused("there is no move to take back")),
        _ => {
            current.undo(plies);
            Ok(())
        }
    })?;
    Ok(Answer::new(position))
}

fn redo(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let plies = number_of_moves(arguments)?;
    let position = position_after(session, |current| match current.redo(plies) {
        0 => Err(CommandError::refused("there is no move to make again")),
        _ => Ok(()),
    })?;
    Ok(Answer::new(position))
}

/// The number of moves that the arguments give, or 1.
fn number_of_moves(arguments: &Arguments) -> Result<usize, CommandError> {
    match arguments.operands() {
        "" => Ok(1),
        number => number.parse().map_err(|_| arguments.wrong(format!("`{number}` is not a number of moves"))),
    }
}

fn restart(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let position = position_after(session, |current| {
        current.undo(usize::MAX);
        Ok(())
    })?;
    Ok(Answer::new(position))
}
