//! `ggp` alone: the commands with which most people begin; and what else may stand in place of a subcommand: a game, and
//! by mistake a command of the prompt.

use crate::repl::command::commands;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use ggp_engine::LIBRARY;
use std::ffi::OsString;
use std::path::Path;

/// Groups of commands: a heading, and each command with its effect.
const GROUPS: &[(&str, &[(&str, &str)])] = &[
    (
        "Play",
        &[
            ("ggp tic_tac_toe", "explore a game of the library, or a file"),
            ("ggp match nim human mcts", "play a match against a search"),
            ("ggp games", "list the games of the library"),
        ],
    ),
    (
        "Write",
        &[
            ("ggp new NAME", "begin a rule sheet"),
            ("ggp check FILE", "find mistakes in a rule sheet"),
            ("ggp explain E112", "explain the code of a mistake"),
        ],
    ),
    (
        "Compare",
        &[
            ("ggp same GAME OTHER", "say whether two sheets define the same game"),
            ("ggp scramble GAME", "give a game other names and another order"),
        ],
    ),
    (
        "Automate",
        &[
            ("ggp eval GAME 'legal'", "answer commands of the prompt"),
            ("ggp query FILE '?- p(X)'", "ask rules, with or without roles"),
            ("ggp run SCRIPT", "run a script of commands"),
        ],
    ),
];

/// The overview, as whole lines.
pub(super) fn text() -> String {
    let width = GROUPS.iter().flat_map(|(_, commands)| *commands).map(|(usage, _)| usage.len()).max().unwrap_or(0);
    let mut text = "A workbench for games in GDL, the Game Description Language\n".to_string();
    for (heading, commands) in GROUPS {
        text += &format!("\n{heading}\n");
        for (usage, effect) in *commands {
            text += &format!("  {usage:width$}  {effect}\n");
        }
    }
    text + "\n`ggp help` lists all commands, and `ggp help NAME` explains one.\n"
}

/// The arguments with `repl` before a game that stands in place of a subcommand: a name of the library, or a file.
pub(super) fn with_prompt(arguments: &[OsString], error: &clap::Error) -> Option<Vec<OsString>> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    let is_it = error.kind() == ErrorKind::InvalidSubcommand && arguments.get(1).is_some_and(|first| first == &**typed);
    let is_game = LIBRARY.iter().any(|sheet| sheet.name == typed) || Path::new(typed).is_file();
    if !is_it || !is_game {
        return None;
    }
    let mut with_prompt = arguments.to_vec();
    with_prompt.insert(1, "repl".into());
    Some(with_prompt)
}

/// The message for a command of the prompt in place of a subcommand, if that is the reason of an error in the arguments.
pub(super) fn of_prompt(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(typed)) = error.get(ContextKind::InvalidSubcommand) else { return None };
    commands().any(|command| command.name == typed).then(|| {
        format!("`{typed}` is a command of the prompt: type it after `ggp repl`, or call `ggp eval GAME '{typed}'`")
    })
}
