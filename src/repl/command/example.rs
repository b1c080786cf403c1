//! Examples of commands, and what they answer.

use super::{Command, answer_line};
use crate::repl::{Answer, Session};
use serde::Serialize;

/// The example of a command, with its answer in a session of its own, which the interrupt flag of `session` stops.
pub(super) fn example(command: &'static Command, session: &Session) -> Example {
    let &Command { example: line, example_game: game, example_after: before, .. } = command;
    if game.is_empty() {
        return Example { line, game: None, before, answer: None };
    }
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

/// An example of a query.
pub(super) fn query_example(session: &Session) -> Example {
    let game = "tic_tac_toe";
    let before = &["do mark(2,2)"][..];
    let line = "?- true(cell(X,X,b))";
    Example { line, game: Some(game), before, answer: answer(game, before, line, session) }
}

/// The answer to a line in a session of its own; `None` if it fails or is interrupted.
fn answer(game: &str, before: &[&str], line: &str, session: &Session) -> Option<Answer> {
    let flag = session.interrupt().flag();
    let mut own = match session.directory() {
        Ok(directory) => Session::new(directory, flag),
        Err(_) => Session::without_files(flag),
    };
    own.load(game).ok()?;
    for earlier in before {
        answer_line(&mut own, earlier).ok()?;
    }
    answer_line(&mut own, line).ok()
}

/// An example of a command.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Example {
    /// The line.
    pub(super) line: &'static str,
    /// The game in which it was tried; `None` if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<&'static str>,
    /// The lines before it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(super) before: &'static [&'static str],
    /// Its answer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) answer: Option<Answer>,
}
