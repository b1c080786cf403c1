//! `help` and `quit`.

use super::example::{example, query_example};
use super::{ArgumentKind, Arguments, Command, CommandGroup, GROUPS, SHARED_OPTIONS, commands, find};
use crate::repl::answer::{Help, HelpEntry, HelpGroup, HelpOptions, OptionEntry, SessionEnd};
use crate::repl::{Answer, CommandError, Session};

pub(super) const HELP: Command = Command {
    name: "help",
    operands: "[GROUP|COMMAND|LIMITS|VIEW|?-]",
    summary: "list the commands, or explain a group of them, one of them, or options that they share",
    example: "help legal",
    takes: ArgumentKind::Topic,
    ..Command::run_by(help)
};

pub(super) const QUIT: Command =
    Command { name: "quit", summary: "end the session", example: "quit", ..Command::run_by(quit) };

/// What `help` explains in addition to commands and groups.
const QUERY: &str = "?-";

fn help(session: &mut Session, arguments: &Arguments) -> Result<Answer, CommandError> {
    let topic = arguments.operands();
    if topic.is_empty() {
        return Ok(Answer::new(Help::Overview { groups: GROUPS.iter().map(named).collect() }));
    }
    if let Some(group) = GROUPS.iter().find(|group| group.name == topic) {
        return Ok(Answer::new(Help::Group(named(group))));
    }
    if let Some(group) = SHARED_OPTIONS.iter().find(|group| group.name.eq_ignore_ascii_case(topic)) {
        let options = group.options.iter().map(OptionEntry::for_option).collect();
        return Ok(Answer::new(Help::Options(HelpOptions { name: group.name, help: group.help, options })));
    }
    if topic == QUERY {
        return Ok(Answer::new(Help::Query(query_example(session))));
    }
    // A command of several words, such as `plan check`, is explained as a whole.
    let command = find(topic.split_whitespace().next().unwrap_or(topic))?;
    Ok(Answer::new(Help::Command(explained(command, session))))
}

fn named(group: &CommandGroup) -> HelpGroup {
    let commands = group.commands.iter().map(|command| HelpEntry::for_command(command)).collect();
    HelpGroup { name: group.name, summary: group.summary, commands }
}

fn explained(command: &'static Command, session: &Session) -> HelpEntry {
    let group = GROUPS.iter().find(|group| group.commands.iter().any(|other| other.name == command.name));
    let others = group.into_iter().flat_map(|group| group.commands).map(|other| other.name);
    HelpEntry {
        example: Some(example(command, session)),
        options: command.options.iter().flat_map(OptionEntry::of_group).collect(),
        see: others.filter(|&name| name != command.name).collect(),
        group: group.map(|group| group.name),
        ..HelpEntry::for_command(command)
    }
}

/// All words that `help` accepts.
pub(crate) fn topics() -> impl Iterator<Item = &'static str> {
    let shared = SHARED_OPTIONS.iter().map(|group| group.name);
    let groups = GROUPS.iter().map(|group| group.name);
    commands().map(|command| command.name).chain(groups).chain(shared).chain([QUERY])
}

fn quit(_: &mut Session, _: &Arguments) -> Result<Answer, CommandError> {
    Ok(Answer::new(SessionEnd {}))
}
