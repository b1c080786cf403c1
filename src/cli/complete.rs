//! Completion of the command line in a shell: besides what clap knows, the names of games and files, and in `ggp eval`
//! the commands of the prompt, with the legal moves of the game.
//!
//! The script that `ggp completions` prints calls the program for each completion, with [`VARIABLE`] set.

use crate::engine::LIBRARY;
use crate::repl::{Session, complete, read};
use clap::CommandFactory;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::CompleteEnv;
use std::ffi::{OsStr, OsString};
use std::sync::Arc;

/// The variable of the environment that names the shell that asks.
pub(super) const VARIABLE: &str = "GGP_COMPLETE";

/// Answers a shell that asks for completions; the exit code, or `None` if no shell asks.
pub(super) fn answer(arguments: Vec<OsString>) -> Option<u8> {
    let folder = std::env::current_dir().ok();
    let complete = CompleteEnv::with_factory(super::Arguments::command).var(VARIABLE);
    match complete.try_complete(arguments, folder.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(0),
        Err(_) => Some(2),
    }
}

/// Completes a game of the library, or a file.
pub(super) fn game() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let names = LIBRARY.iter().filter(|sheet| sheet.name.starts_with(&*begun.to_string_lossy()));
        let library = names.map(|sheet| CompletionCandidate::new(sheet.name).help(summary(sheet.text)));
        library.chain(PathCompleter::file().complete(begun)).collect()
    })
}

/// What the first line of a sheet says of the game: `% name: summary.`
fn summary(text: &str) -> Option<clap::builder::StyledStr> {
    let (_, summary) = text.lines().next()?.split_once(": ")?;
    Some(summary.to_string().into())
}

/// Completes a command of the prompt, about the game that the command line names before it.
pub(super) fn command() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        // zsh and fish give a word as it is quoted; all shells quote what completes it.
        let begun = begun.to_string_lossy().replace('\\', "");
        in_game(begun.trim_start_matches(['\'', '"'])).into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The lines that complete a line of commands with `;` between them. Those before the last are run if they make moves.
fn in_game(line: &str) -> Vec<String> {
    let mut session = Session::new("", Arc::default());
    let game = named_game();
    if game.is_some_and(|game| session.load(&game).is_err()) {
        return Vec::new();
    }
    let last = read::last_item(line, ';');
    for earlier in read::split_outside_parentheses(&line[..last], ';') {
        complete::follow(&mut session, earlier);
    }
    let typed = line[last..].trim_start();
    let before = &line[..line.len() - typed.len()];
    let (start, words) = complete::complete(&mut session, typed);
    words.into_iter().map(|word| format!("{before}{}{word}", &typed[..start])).collect()
}

/// The game of the command line that is being completed.
fn named_game() -> Option<String> {
    let typed = std::env::args_os().skip_while(|word| word != "--").skip(1);
    let matches = super::Arguments::command().ignore_errors(true).try_get_matches_from(typed).ok()?;
    let (_, arguments) = matches.subcommand()?;
    arguments.try_get_one::<String>("game").ok().flatten().filter(|game| *game != "-").cloned()
}
