//! Searches that are named with their options, `alphabeta:order=evaluation+table`: for `compare`, `play` and the
//! prompt, by the grammar of [`ggp_play::ask::spec`] and the table of commands.

use super::arguments::values;
use super::dive::LINES;
use super::hidden::SETS;
use super::option::VIEW;
use super::{Arguments, Command, find};
use crate::repl::CommandError;
use crate::repl::read::words;
use ggp_play::ask::sampling::VISITS;
use ggp_play::ask::spec::{NamedOption, Noun, SearchSpec, Signature, SpecEnd, SpecError, ValueKind, split};

/// Whether a command is a search that chooses moves.
pub(crate) fn is_search(command: &Command) -> bool {
    command.options.contains(&VIEW) || [&VISITS, &LINES, &SETS].into_iter().any(|option| command.has(option))
}

/// The command that a text with options names.
///
/// # Errors
/// If there is none.
pub(super) fn command(text: &str) -> Result<&'static Command, CommandError> {
    find(split(text).0)
}

/// Reads the options of a command in a text that names it; `more` are options that it has here in addition to its own.
///
/// # Errors
/// If it has no such option.
pub(super) fn spec(command: &Command, text: &str, more: &[NamedOption]) -> Result<SearchSpec, CommandError> {
    let (name, options) = split(text);
    let table: Vec<NamedOption> = table(command).chain(more.iter().copied()).collect();
    Signature::new(Noun::Search, command.name, &table).read_each(name, options).map_err(|error| match error {
        SpecError::UnknownOption { noun: Noun::Search, key, .. } => command.has_no_option(&format!("--{key}")),
        error => command.misused(error.to_string()),
    })
}

/// The end of the options of a command in a text behind its name.
pub(crate) fn end_of_options(command: &Command, text: &str) -> Option<SpecEnd> {
    Signature::new(Noun::Search, command.name, &table(command).collect::<Vec<_>>()).end(text)
}

fn table(command: &Command) -> impl Iterator<Item = NamedOption> {
    command.every_option().copied()
}

/// The command of a word that names a search with its options behind a colon.
pub(super) fn with_options(word: &str) -> Option<&'static Command> {
    let (name, options) = split(word);
    // A name without options is no case of this, so that `find`, which asks for it, ends.
    if options.starts_with(':') { find(name).ok().filter(|command| is_search(command)) } else { None }
}

/// The command and the arguments of a line that begins with a search named with its options; `None` if it begins
/// otherwise.
///
/// # Errors
/// If it has no such option, and those of the arguments.
pub(super) fn line(line: &str) -> Result<Option<(&'static Command, Arguments)>, CommandError> {
    let Some(word) = words(line).next() else { return Ok(None) };
    let (first, rest) = line.split_at(word.end);
    let Some(command) = with_options(first) else { return Ok(None) };
    let spec = spec(command, first, &[])?;
    Ok(Some((command, arguments(command, &spec, rest)?)))
}

/// The arguments of a search that is named with its options, with those that follow as text.
///
/// # Errors
/// If an option does not take its value, or is given twice.
pub(super) fn arguments(command: &'static Command, spec: &SearchSpec, rest: &str) -> Result<Arguments, CommandError> {
    Arguments::read_after(command, given_options(command, spec)?, rest)
}

/// The options of a command that a specification gives.
pub(super) fn given_options(
    command: &Command,
    spec: &SearchSpec,
) -> Result<Vec<(NamedOption, Vec<String>)>, CommandError> {
    let mut found: Vec<(NamedOption, Vec<String>)> = Vec::new();
    for (key, value) in spec.options() {
        let Some(option) = command.every_option().find(|option| option.key() == key) else { continue };
        let words: Vec<&str> = match (option.value, &value) {
            (_, None) => Vec::new(),
            (ValueKind::TwoWords { .. }, Some(value)) => words(value).map(|range| &value[range]).collect(),
            (_, Some(value)) => vec![value],
        };
        let taken = values(option, words.iter().copied()).map_err(|problem| command.misused(problem))?;
        if taken.len() < words.len() {
            let what = option.possible();
            let text = words.join(" ");
            return Err(command.misused(format!("`{}` takes {what}, not `{text}`", option.name)));
        }
        if found.iter().any(|(other, _)| other == option) {
            return Err(command.misused(format!("`{}` is given twice", option.name)));
        }
        found.push((*option, taken));
    }
    Ok(found)
}
