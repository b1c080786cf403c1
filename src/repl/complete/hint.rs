//! Hints: what may follow a line that is being typed.

use crate::repl::command::{Command, find};
use crate::repl::read;
use ggp_play::ask::spec::NamedOption;

/// A dimmed text after a line that is being typed.
pub struct Hint {
    /// The text to show after the cursor.
    pub text: String,
    /// The number of bytes that are inserted when the hint is accepted; the rest only describes what may follow.
    pub taken: usize,
}

/// The longest description, in characters.
const LENGTH: usize = 50;

/// The rest of a command's name, if only one begins like this, and its arguments; the rest of an option's name, if only
/// one begins like this; the form of an option's value.
pub fn hint(line: &str) -> Option<Hint> {
    let (first, rest) = read::word(line);
    if first.is_empty() || read::is_query(line) {
        return None;
    }
    let command = find(first).ok()?;
    let is_typed = line.ends_with(char::is_whitespace);
    let hint = match rest.rsplit(char::is_whitespace).next() {
        None | Some("") => of_command(command, first, is_typed)?,
        Some(word) if word.starts_with("--") => of_option(command, word, is_typed)?,
        Some(_) => return None,
    };
    Some(hint).filter(|hint| !hint.text.is_empty())
}

fn of_command(command: &Command, first: &str, is_typed: bool) -> Option<Hint> {
    let name = if is_typed { "" } else { command.name.strip_prefix(first)? };
    Some(hint_of(name, is_typed, &command.arguments()))
}

fn of_option(command: &Command, word: &str, is_typed: bool) -> Option<Hint> {
    let begins = |option: &&NamedOption| if is_typed { option.name == word } else { option.name.starts_with(word) };
    let exact = command.every_option().find(|option| option.name == word);
    let options: Vec<_> = command.every_option().filter(begins).collect();
    let only = if let [only] = options[..] { Some(only) } else { None };
    let option = exact.or(only)?;
    let form = option.usage();
    let value = form.strip_prefix(option.name)?.trim_start();
    if is_typed && option.is_flag() {
        return None;
    }
    let value = format!("{value}{}({})", if value.is_empty() { "" } else { "  " }, option.help);
    Some(hint_of(option.name.strip_prefix(word)?, is_typed, &value))
}

/// The rest of a name, and a description after it, cut at its greatest length.
fn hint_of(name: &str, is_typed: bool, description: &str) -> Hint {
    let space = if is_typed || description.is_empty() { "" } else { " " };
    let is_long = description.chars().count() > LENGTH;
    let shown: String = description.chars().take(if is_long { LENGTH - 1 } else { LENGTH }).collect();
    Hint { taken: name.len(), text: format!("{name}{space}{shown}{}", if is_long { "…" } else { "" }) }
}
