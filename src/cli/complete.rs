//! Completion of the command line in a shell. Besides subcommands and options, which clap knows, it completes the names of
//! games and files, players with their options, in `ggp eval` the commands of the prompt with the legal moves of the game,
//! and in `ggp db query` its moves.
//!
//! The script that `ggp completions` prints calls the program for each completion, with [`VARIABLE`] set.

use crate::repl::{Session, complete, read};
use clap::CommandFactory;
use clap_complete::engine::{ArgValueCompleter, CompletionCandidate, PathCompleter, ValueCompleter};
use clap_complete::env::CompleteEnv;
use ggp_engine::{GameOrigin, HEURISTICS, LIBRARY};
use ggp_play::PLAYERS;
use ggp_play::ask::spec::{ExpectedWord, TextValue, ValueKind};
use ggp_search::solving::Database;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::Arc;

/// Environment variable with the name of the shell that asks.
pub(super) const VARIABLE: &str = "GGP_COMPLETE";

/// Answers a shell that asks for completions, and returns the exit code; `None` if no shell asks.
pub(super) fn answer(arguments: Vec<OsString>) -> Option<u8> {
    let folder = std::env::current_dir().ok();
    let complete = CompleteEnv::with_factory(super::Arguments::command).var(VARIABLE);
    match complete.try_complete(arguments, folder.as_deref()) {
        Ok(false) => None,
        Ok(true) => Some(0),
        Err(_) => Some(2),
    }
}

/// Completes a game of the library, or a file with a game.
pub(super) fn game() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let names = LIBRARY.iter().filter(|sheet| sheet.name.starts_with(&*begun.to_string_lossy()));
        let library = names.map(|sheet| CompletionCandidate::new(sheet.name).help(summary(sheet.text)));
        library
            .chain(files(begun, |path| GameOrigin::has_sheet_extension(path) || has_extension(path, "propnet")))
            .collect()
    })
}

/// Completes a script.
pub(super) fn script() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| files(begun, |path| has_extension(path, "query")))
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Folders and the files that are wanted; all files if there are none.
fn files(begun: &OsStr, is_one: fn(&Path) -> bool) -> Vec<CompletionCandidate> {
    let found = PathCompleter::any().filter(move |path| path.is_dir() || is_one(path)).complete(begun);
    let is_folder = |candidate: &CompletionCandidate| candidate.get_value().to_string_lossy().ends_with('/');
    if found.iter().all(is_folder) { PathCompleter::any().complete(begun) } else { found }
}

/// Completes a player with its options.
pub(super) fn player() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let begun = begun.to_string_lossy();
        let Some(end) = PLAYERS.end(&begun) else { return Vec::new() };
        let (before, typed) = begun.split_at(end.start);
        let words = match end.expected {
            ExpectedWord::Name(names) => starting(typed, names),
            ExpectedWord::Key(options) => starting(
                typed,
                options.iter().map(|option| format!("{}{}", option.key(), if option.is_flag() { "" } else { "=" })),
            ),
            ExpectedWord::Value(option) => match option.value {
                ValueKind::Word { of, .. } => starting(typed, of.iter().copied()),
                ValueKind::Text { kind: TextValue::Sheet, .. } => {
                    let library = starting(typed, HEURISTICS.iter().map(|sheet| sheet.name));
                    library.into_iter().chain(files(OsStr::new(typed), GameOrigin::has_sheet_extension)).collect()
                }
                ValueKind::Text { kind: TextValue::File, .. } => PathCompleter::any().complete(OsStr::new(typed)),
                _ => Vec::new(),
            },
        };
        words.into_iter().map(|word| word.add_prefix(before)).collect()
    })
}

/// The words that begin with the typed text.
fn starting<W: Into<String>>(typed: &str, words: impl IntoIterator<Item = W>) -> Vec<CompletionCandidate> {
    let words = words.into_iter().map(Into::into).filter(|word: &String| word.starts_with(typed));
    words.map(CompletionCandidate::new).collect()
}

/// The summary of a game, from the first line of its sheet: `% name: summary.`
fn summary(text: &str) -> Option<clap::builder::StyledStr> {
    let (_, summary) = text.lines().next()?.split_once(": ")?;
    Some(summary.to_string().into())
}

/// Completes a command of the prompt about the game that stands before it on the command line.
pub(super) fn command() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        in_game(&unquoted(begun)).into_iter().map(CompletionCandidate::new).collect()
    })
}

/// The begun word without its quotes. zsh and fish pass it as it is quoted, and all shells quote the completions
/// themselves.
fn unquoted(begun: &OsStr) -> String {
    begun.to_string_lossy().replace('\\', "").trim_start_matches(['\'', '"']).to_string()
}

/// Completes the moves to a state, in the game of the folder that stands before them on the command line.
pub(super) fn moves() -> ArgValueCompleter {
    ArgValueCompleter::new(|begun: &OsStr| {
        let begun = unquoted(begun);
        after_moves(&begun).unwrap_or_default().into_iter().map(CompletionCandidate::new).collect()
    })
}

/// Completions of a text of moves with spaces between them.
fn after_moves(begun: &str) -> Option<Vec<String>> {
    let arguments = typed_arguments()?;
    let folder = arguments.subcommand_matches("db")?.subcommand()?.1.get_one::<std::path::PathBuf>("dir")?;
    let mut session = Session::new("", Arc::default());
    session.load(Database::rules_of(folder).ok()?).ok()?;
    let (before, typed) = begun.split_at(read::last_word(begun));
    for word in read::words(before) {
        complete::follow(&mut session, &format!("do {}", &before[word]));
    }
    let line = format!("do {typed}");
    let (start, words) = complete::complete(&mut session, &line);
    let start = start.checked_sub(line.len() - typed.len())?;
    Some(words.into_iter().map(|word| format!("{before}{}{word}", &typed[..start])).collect())
}

/// Completions of a line of commands with `;` between them. The commands before the last one are run if they make moves.
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

/// The command line that is being completed.
fn typed_arguments() -> Option<clap::ArgMatches> {
    let typed = std::env::args_os().skip_while(|word| word != "--").skip(1);
    super::Arguments::command().ignore_errors(true).try_get_matches_from(typed).ok()
}

/// The game of the command line that is being completed.
fn named_game() -> Option<OsString> {
    let matches = typed_arguments()?;
    let (_, arguments) = matches.subcommand()?;
    arguments.try_get_one::<OsString>("game").ok().flatten().filter(|game| *game != "-").cloned()
}
