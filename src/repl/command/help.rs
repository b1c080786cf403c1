//! `help` and `quit`.

use super::{Answers, COMMANDS, Command, Takes, find};
use crate::repl::answer::HelpEntry;
use crate::repl::{Answer, CommandError, Session};

pub(super) const HELP: Command = Command {
    name: "help",
    arguments: "[COMMAND]",
    summary: "list the commands, or explain one",
    example: "help legal",
    takes: Takes::Command,
    answers: Answers::Nothing,
    run: help,
};

pub(super) const QUIT: Command = Command {
    name: "quit",
    arguments: "",
    summary: "end the session",
    example: "quit",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: quit,
};

fn help(_: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    let commands = if arguments.is_empty() {
        let entry = |command: &&Command| HelpEntry { usage: command.usage(), summary: command.summary, example: None };
        COMMANDS.iter().map(entry).collect()
    } else {
        let command = find(arguments)?;
        vec![HelpEntry { usage: command.usage(), summary: command.summary, example: Some(command.example) }]
    };
    Ok(Answer::Help { commands })
}

fn quit(_: &mut Session, arguments: &str) -> Result<Answer, CommandError> {
    QUIT.takes_none(arguments)?;
    Ok(Answer::Quit)
}
