//! `help` and `quit`.

use super::{Answers, Arguments, COMMANDS, Command, Takes, find};
use crate::repl::answer::HelpEntry;
use crate::repl::{Answer, CommandError, Session};

pub(super) const HELP: Command = Command {
    name: "help",
    operands: "[COMMAND]",
    options: &[],
    summary: "list the commands, or explain one",
    example: "help legal",
    takes: Takes::Command,
    answers: Answers::Nothing,
    run: help,
};

pub(super) const QUIT: Command = Command {
    name: "quit",
    operands: "",
    options: &[],
    summary: "end the session",
    example: "quit",
    takes: Takes::Nothing,
    answers: Answers::Nothing,
    run: quit,
};

fn help(_: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let commands = if arguments.operands().is_empty() {
        COMMANDS.iter().map(|command| HelpEntry::of(command)).collect()
    } else {
        let command = find(arguments.operands())?;
        vec![HelpEntry::of(command).explained(command)]
    };
    Ok(Answer::Help { commands })
}

fn quit(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    Ok(Answer::Quit)
}
