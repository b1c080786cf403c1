//! Commands about the course of a match: listing its plies, saving and restoring it.

use super::game::resumed;
use super::option::FORCE;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::History;
use crate::repl::answer::MatchPly;
use crate::repl::answer::SavedMatchFile;
use crate::repl::{Answer, CommandError, Session};

pub(super) const HISTORY: Command = Command {
    name: "history",
    summary: "list the plies so far: joint moves, and states that were set",
    example: "history",
    answers: AnswerKind::Value,
    ..Command::run_by(history)
};

pub(super) const SAVE: Command = Command {
    name: "save",
    operands: "FILE",
    options: &[OptionGroup::own(&[FORCE])],
    summary: "write the match to a file: the game, and every ply; a file that this session has saved or restored is replaced",
    example: "save evening.json",
    takes: ArgumentKind::File,
    ..Command::run_by(save)
};

pub(super) const RESTORE: Command = Command {
    name: "restore",
    operands: "FILE",
    summary: "continue a saved match, or the first match of a record or a trace that any tool of ours has written",
    example: "restore evening.json",
    takes: ArgumentKind::File,
    ..Command::run_by(restore)
};

fn history(session: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    let current = session.current()?;
    let plies = current.steps().into_iter().enumerate();
    let plies = plies.map(|(index, step)| MatchPly::new(index + 1, current.roles(), Some(step))).collect();
    Ok(Answer::new(History { plies }))
}

fn save(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let file = arguments.operands();
    if file.is_empty() {
        return Err(arguments.wrong("to which file?"));
    }
    let current = session.save(file, arguments.has(&FORCE))?;
    Ok(Answer::new(SavedMatchFile { file: file.to_string(), game: current.game.name.clone(), plies: current.ply() }))
}

fn restore(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which file?"));
    }
    session.restore(arguments.operands())?;
    Ok(Answer::new(resumed(session)?))
}
