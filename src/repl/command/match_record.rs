//! Commands `history`, `save` and `restore`: the course of a match.

use super::game::resumed;
use super::option::FORCE;
use super::{AnswerKind, ArgumentKind, Arguments, Command, OptionGroup};
use crate::repl::answer::text::line;
use crate::repl::answer::{AnswerContent, AnswerValue, MatchPly, Statement, TextStyle, history_text};
use crate::repl::{Answer, CommandError, Session};
use gdl::quantity::counted_as;
use serde::Serialize;

pub(super) const HISTORY: Command = Command {
    name: "history",
    summary: "list the plies so far: joint moves, and states that were set",
    example: "history",
    example_after: &["do mark(2,2)", "do mark(1,2)"],
    answers: AnswerKind::Value,
    ..Command::run_by(history)
};

pub(super) const SAVE: Command = Command {
    name: "save",
    operands: "FILE",
    options: &[OptionGroup::own(&[FORCE])],
    summary: "write the match to a file: the game, and every ply; a file that this session has saved or restored is replaced",
    example: "save evening.json",
    example_game: "",
    takes: ArgumentKind::File,
    ..Command::run_by(save)
};

pub(super) const RESTORE: Command = Command {
    name: "restore",
    operands: "FILE",
    summary: "continue a saved match, or the first match of a record or a trace of any ggp tool",
    example: "restore evening.json",
    example_game: "",
    takes: ArgumentKind::File,
    ..Command::for_rules(restore)
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
    let game = &current.game.name;
    let plies = current.ply();
    let text = line(format!("{file}: {game}, {}", counted_as(plies as u64, "ply", "plies")));
    Ok(Answer::new(Statement::new("saved", text).with("file", file).with("game", game).with("plies", plies)))
}

fn restore(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    if arguments.operands().is_empty() {
        return Err(arguments.wrong("which file?"));
    }
    session.restore(arguments.operands())?;
    Ok(Answer::new(resumed(session)?))
}

/// The steps that led to the current position.
#[derive(Clone, Debug, Serialize)]
struct History {
    /// One entry for each ply.
    plies: Vec<MatchPly>,
}

impl AnswerContent for History {
    fn kind(&self) -> &'static str {
        "history"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        history_text(&self.plies, style.dialect)
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.plies.len()))
    }
}
