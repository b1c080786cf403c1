//! Commands about games: loading, listing, checking.

use super::{Answers, Command, Takes};
use crate::engine::LIBRARY;
use crate::repl::answer::{Checked, GameEntry};
use crate::repl::{Answer, CommandError, Session};

pub(super) const LOAD: Command = Command {
    name: "load",
    arguments: "GAME",
    summary: "load a game of the library, or a file; `-` reads standard input",
    example: "load tic_tac_toe",
    takes: Takes::Game,
    answers: Answers::Nothing,
    run: load,
};

pub(super) const GAMES: Command = Command {
    name: "games",
    arguments: "",
    summary: "list the games of the library",
    example: "games",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: games,
};

pub(super) const CHECK: Command = Command {
    name: "check",
    arguments: "",
    summary: "show what is wrong with the loaded rule sheet",
    example: "check",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: check,
};

fn load(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    if arguments.is_empty() {
        return Err(LOAD.misused("which game?"));
    }
    let game = &session.load(arguments)?.game;
    Ok(Answer::loaded(game))
}

fn games(_: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    GAMES.takes_none(arguments)?;
    let entry = |sheet: &crate::engine::LibrarySheet| GameEntry { name: sheet.name, summary: sheet.summary() };
    Ok(Answer::Games { games: LIBRARY.iter().map(entry).collect() })
}

fn check(session: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    CHECK.takes_none(arguments)?;
    let game = &session.current()?.game;
    Ok(Answer::Checked(Checked { source: game.source.clone(), diagnostics: game.diagnostics.clone() }))
}
