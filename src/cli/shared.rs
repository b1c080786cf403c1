//! Options that a command of the prompt shares with a subcommand, as arguments of the shell made from the command's
//! table.

use crate::repl::command::{Arguments, Command};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use ggp_play::ask::spec::{NamedOption, ValueKind};

/// An option as an argument of the shell.
pub(super) fn argument(option: &NamedOption) -> Arg {
    let id = option.key();
    let argument = Arg::new(id).long(id).help(capitalised(&option.meaning())).required(option.is_required);
    match option.value {
        ValueKind::Flag => argument.action(ArgAction::SetTrue),
        ValueKind::Text { name, .. } | ValueKind::Number { name, .. } | ValueKind::Search { name, .. } => {
            argument.value_name(name)
        }
        ValueKind::OptionalNumber { name } => argument.value_name(name).num_args(0..=1),
        ValueKind::Word { of, is_optional } => {
            argument.value_parser(of.to_vec()).num_args(usize::from(!is_optional)..=1)
        }
        ValueKind::TwoWords { names } => argument.value_names(names.split(' ')).num_args(2),
    }
}

/// The options of a command, from the arguments of the shell.
pub(super) fn arguments(command: &'static Command, matches: &ArgMatches) -> Result<Arguments, clap::Error> {
    let given = command.options.iter().flat_map(|group| group.options).filter_map(|option| {
        let id = option.key();
        if matches.value_source(id) != Some(ValueSource::CommandLine) {
            return None;
        }
        let values = match option.value {
            ValueKind::Flag => Vec::new(),
            _ => matches.get_many::<String>(id).into_iter().flatten().cloned().collect(),
        };
        Some((*option, values))
    });
    let wrong = |error: crate::repl::CommandError| {
        clap::Error::raw(clap::error::ErrorKind::ValueValidation, format!("{error}\n"))
    };
    Arguments::of_values(command, given).map_err(wrong)
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
