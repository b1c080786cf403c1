//! Answers to `help`.

use super::Answer;
use crate::repl::command::{Command, CommandOption, OptionGroup};
use serde::Serialize;

/// A page of help.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "page", rename_all = "snake_case")]
pub enum Help {
    /// All commands by group.
    Overview {
        /// The groups, in order.
        groups: Vec<HelpGroup>,
    },
    /// The commands of a group.
    Group(HelpGroup),
    /// A command with its options and its example.
    Command(HelpEntry),
    /// Options that several commands share.
    Options(HelpOptions),
    /// Queries, with an example.
    Query(Example),
}

/// A group of commands as described by `help`.
#[derive(Clone, Debug, Serialize)]
pub struct HelpGroup {
    /// The name of the group.
    pub(crate) name: &'static str,
    /// What its commands are for.
    pub(crate) summary: &'static str,
    /// Its commands.
    pub(crate) commands: Vec<HelpEntry>,
}

/// A command as described by `help`.
#[derive(Clone, Debug, Serialize)]
pub struct HelpEntry {
    /// The name.
    pub(crate) name: &'static str,
    /// The name with the arguments.
    pub(crate) usage: String,
    /// The effect of the command, in one sentence.
    pub(crate) summary: &'static str,
    /// An example, if only one command is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub example: Option<Example>,
    /// Its options, if only one command is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<OptionEntry>,
    /// The other commands of its group, if only one command is described.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) see: Vec<&'static str>,
    /// The name of its group, if only one command is described.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) group: Option<&'static str>,
}

/// An example of a command.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// The line.
    pub(crate) line: &'static str,
    /// The game in which it was tried; `None` if it was not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) game: Option<&'static str>,
    /// The lines before it.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub(crate) before: &'static [&'static str],
    /// Its answer there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Box<Answer>>,
}

/// Options that several commands share.
#[derive(Clone, Debug, Serialize)]
pub struct HelpOptions {
    /// The word for them in the usage of a command.
    pub(crate) name: &'static str,
    /// What they are for.
    pub(crate) help: &'static str,
    /// The options.
    pub(crate) options: Vec<OptionEntry>,
}

/// An option as `help` describes it.
#[derive(Clone, Debug, Serialize)]
pub struct OptionEntry {
    /// Its name, with the name of its value: `--depth MOVES`.
    pub form: String,
    /// What it says.
    pub(crate) help: &'static str,
    /// What holds without it.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) default: &'static str,
    /// The word that stands for its group in the usage; empty for an option of this command alone.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(crate) group: &'static str,
}

impl HelpEntry {
    /// A command in a line.
    pub(crate) fn for_command(command: &Command) -> Self {
        Self {
            name: command.name,
            usage: command.usage(),
            summary: command.summary,
            example: None,
            options: Vec::new(),
            see: Vec::new(),
            group: None,
        }
    }
}

impl OptionEntry {
    /// An option without a group.
    pub(crate) fn for_option(option: &CommandOption) -> Self {
        Self { form: option.usage(), help: option.help, default: option.default, group: "" }
    }

    /// The options of a group.
    pub(crate) fn of_group(group: &'static OptionGroup) -> impl Iterator<Item = Self> {
        group.options.iter().map(|option| Self { group: group.name, ..Self::for_option(option) })
    }
}
