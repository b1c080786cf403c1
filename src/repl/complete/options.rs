//! The words that the table of commands knows: options, their values, and words among the operands.

use crate::repl::command::{ArgumentKind, Command, commands, end_of_options, find, is_search};
use crate::repl::read;
use ggp_play::ask::spec::{ExpectedWord, NamedOption, TextValue, ValueKind, split};

/// The options of a command that have not been given and that can be combined with those that have, by name.
pub(super) fn names(command: &Command, rest: &str) -> Vec<String> {
    let given = |name: &str| read::words(rest).any(|word| &rest[word] == name);
    let is_excluded =
        |option: &NamedOption| command.every_option().any(|other| given(other.name) && other.excludes(option));
    let options = command.every_option().filter(|option| !given(option.name) && !is_excluded(option));
    let mut names: Vec<String> = options.map(|option| option.name.to_string()).collect();
    names.sort();
    names
}

/// What the value of an option may be.
pub(super) struct OptionValueKind {
    /// Words of its own.
    pub(super) words: Vec<String>,
    /// The kind of other words.
    pub(super) takes: ArgumentKind,
    /// Whether there may be several with commas between them.
    pub(super) are_listed: bool,
}

/// The value that is typed next, if the last words are an option that still needs one.
pub(super) fn value(command: &Command, rest: &str) -> Option<OptionValueKind> {
    let words: Vec<&str> = read::words(rest).map(|range| &rest[range]).collect();
    let option = |word: Option<&&str>| command.every_option().find(|option| word == Some(&option.name));
    match (option(words.last()), option(words.iter().rev().nth(1))) {
        (Some(option), _) => value_of(option),
        (None, Some(option)) if matches!(option.value, ValueKind::TwoWords { .. }) => {
            Some(OptionValueKind { words: Vec::new(), takes: ArgumentKind::File, are_listed: false })
        }
        _ => None,
    }
}

/// The first value of an option; `None` if it needs none.
fn value_of(option: &NamedOption) -> Option<OptionValueKind> {
    let of = |words: Vec<String>, takes, are_listed| Some(OptionValueKind { words, takes, are_listed });
    match option.value {
        ValueKind::Text { name, what, kind } => {
            let words = if name.starts_with("WORD") { quoted(what) } else { choices(name) };
            of(words, named_by(kind), name.contains(",…"))
        }
        ValueKind::Number { .. } | ValueKind::Search { .. } => of(Vec::new(), ArgumentKind::Nothing, false),
        ValueKind::TwoWords { names } => of(choices(names), ArgumentKind::Nothing, false),
        ValueKind::Word { of: words, .. } => {
            of(words.iter().map(ToString::to_string).collect(), ArgumentKind::Nothing, false)
        }
        ValueKind::Flag | ValueKind::OptionalNumber { .. } => None,
    }
}

/// What a text names, as arguments of commands do.
fn named_by(kind: TextValue) -> ArgumentKind {
    match kind {
        TextValue::Any | TextValue::Size => ArgumentKind::Nothing,
        TextValue::File => ArgumentKind::File,
        TextValue::Sheet => ArgumentKind::Heuristic,
        TextValue::Moves => ArgumentKind::Moves,
        TextValue::Searches => ArgumentKind::Algorithm,
    }
}

/// What may stand at the end of a search that `compare` or `play` runs, from a byte on: its name or, behind a colon, an
/// option or the value of one: `alphabeta`, `alphabeta:table`, `alphabeta:table+order=`, `alphabeta:order=random`.
pub(super) fn end_of_search(begun: &str) -> Option<(usize, OptionValueKind)> {
    let (name, rest) = split(begun);
    let words = |words: Vec<String>, takes| OptionValueKind { words, takes, are_listed: false };
    if rest.is_empty() {
        let searches = commands().filter(|command| is_search(command)).map(|command| command.name.to_string());
        return Some((begun.len() - name.len(), words(searches.collect(), ArgumentKind::Nothing)));
    }
    let command = find(name).ok()?;
    let end = end_of_options(command, rest)?;
    let value = match end.expected {
        ExpectedWord::Name(names) => words(names.into_iter().map(str::to_string).collect(), ArgumentKind::Nothing),
        ExpectedWord::Key(options) => {
            let sign = |option: &NamedOption| if option.is_flag() { "" } else { "=" };
            let keys = options.iter().map(|option| format!("{}{}", option.key(), sign(option)));
            words(keys.collect(), ArgumentKind::Nothing)
        }
        ExpectedWord::Value(option) => value_of(&option)?,
    };
    Some((begun.len() - rest.len() + end.start, value))
}

/// The words that the operands may begin with, if there is none yet, and the operands so far: such a word, and the
/// rest.
pub(super) fn operand_words<'a>(command: &Command, rest: &'a str) -> (Vec<String>, (&'a str, &'a str)) {
    let words = first_words(command.operands);
    let (first, others) = read::word(rest);
    match first {
        "" => (words.iter().map(ToString::to_string).collect(), ("", "")),
        _ if words.contains(&first) => (Vec::new(), (first, others)),
        _ => (Vec::new(), ("", rest)),
    }
}

/// The words in lower case with which the alternatives of operands begin: `check` and `show` of `check MOVE … | show`.
fn first_words(operands: &str) -> Vec<&str> {
    let alternatives = operands.split('|').map(|part| part.trim().trim_start_matches('['));
    let first = alternatives.filter_map(|part| part.split([' ', ']']).next());
    first.filter(|word| is_choice(word)).collect()
}

/// The words in lower case of the name of a value: `text`, `dot` and `svg` of `text|dot|svg FILE`.
fn choices(name: &str) -> Vec<String> {
    name.split(['|', ' ']).filter(|word| is_choice(word)).map(str::to_string).collect()
}

fn is_choice(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())
}

/// The words in backquotes of a description.
fn quoted(description: &str) -> Vec<String> {
    description.split('`').skip(1).step_by(2).map(str::to_string).collect()
}
