//! Commands that change the match (`do`, `undo`, `redo`, `restart`), or show the state after one move (`next`).

use super::position::all_roles;
use super::show::{drawn, facts, position_after};
use super::{AnswerKind, ArgumentKind, Arguments, Command};
use crate::repl::answer::StateFacts;
use crate::repl::session::Match;
use crate::repl::{Answer, CommandError, Session, read};
use gdl::rules::GroundTerm;
use gdl::suggestion::alternatives;
use ggp_game::{Move, Reasoner, Role};

pub(super) const DO: Command = Command {
    name: "do",
    operands: "[MOVE…]",
    summary: "play a joint move; where only one role has a choice, its move is enough",
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

/// True if `do` could make a line: a joint move that is legal in the current state.
pub(super) fn is_move(session: &mut Session, line: &str) -> bool {
    session.current().is_ok_and(|current| is_move_here(current, line))
}

/// True if a line is a joint move that is legal in the current state of a match.
pub(super) fn is_move_here(current: &mut Match, line: &str) -> bool {
    joint_move(current, line).is_ok()
}

fn play(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let position = position_after(session, |current| {
        let joint_move = joint_move(current, arguments.operands())?;
        Ok(current.play(joint_move)?)
    })?;
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

/// The joint move of the arguments: a move for each role, or one for the only role that has a choice, or none if no
/// role has one.
pub(super) fn joint_move(current: &mut Match, moves: &str) -> Result<Vec<Move>, CommandError> {
    let given = read::terms(moves)?;
    let mut legal = current.joint_moves()?;
    let choosing = legal.choosing();
    let roles = current.roles().len();
    match (given.len(), &choosing[..]) {
        (count, _) if count == roles => {
            for (index, term) in given.iter().enumerate() {
                current.choose(&mut legal, Role::new(index), term)?;
            }
        }
        (1, &[role]) => current.choose(&mut legal, role, &given[0])?,
        // No role has a choice, so the move may be the only one of any role.
        (1, []) => {
            let is_legal = |&role: &Role| current.move_index(&legal, role, &given[0]).is_some();
            let role = all_roles(current).into_iter().find(is_legal).unwrap_or(Role::new(0));
            current.choose(&mut legal, role, &given[0])?;
        }
        (0, []) => {}
        (count, _) => return Err(CommandError::refused(needed(current, count, &choosing))),
    }
    Ok(legal.current().to_vec())
}

/// A description of the joint moves that are possible here.
fn needed(current: &Match, given: usize, choosing: &[Role]) -> String {
    let names: Vec<&GroundTerm> = choosing.iter().map(|role| &current.roles()[role.index()]).collect();
    let roles = current.roles().len();
    match &names[..] {
        [] => format!("no role has a choice here: give no move, or {roles}, one for each role; found {given}"),
        [only] if given == 0 => format!("which move? {only} has a choice; `legal {only}` lists its moves"),
        [only] => {
            format!("give one move, for {only}, or {roles}, one for each role in the order of `roles`; found {given}")
        }
        _ => format!(
            "{roles} moves are needed, one for each role in the order of `roles`, since {} have a choice; found {given}",
            alternatives(&names).replace(" or ", " and "),
        ),
    }
}
