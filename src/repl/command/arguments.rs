//! Arguments of a command: options, parsed by the command's table, and operands.

use super::option::{FORCE, JSON};
use super::{ArgumentKind, Command};
use crate::repl::output::OutputFile;
use crate::repl::{CommandError, Session, read};
use gdl::quantity::{Seconds, Size};
use ggp_play::ask::budget::QuestionBudget;
use ggp_play::ask::options::{DEPTH, EXTEND_FORCED, GivenOptions, MEMORY, NODES, SECONDS};
use ggp_play::ask::spec::{NamedOption, ValueKind, violated};
use ggp_search::Budget;
use std::ops::Range;
use std::str::FromStr;

/// The arguments of a command.
#[derive(Clone, Debug)]
pub(crate) struct Arguments {
    command: &'static Command,
    /// The given options with their values.
    given: Vec<(NamedOption, Vec<String>)>,
    /// Everything else, unchanged.
    operands: String,
}

impl Arguments {
    /// Parses what follows the name of a command. Words within parentheses are not options. A command whose argument is
    /// another command leaves that command's options unparsed, except `--json`.
    pub(crate) fn read(command: &'static Command, text: &str) -> Result<Self, CommandError> {
        Self::read_after(command, Vec::new(), text)
    }

    /// As [`Arguments::read`], with options that are given already.
    pub(super) fn read_after(
        command: &'static Command,
        given: Vec<(NamedOption, Vec<String>)>,
        text: &str,
    ) -> Result<Self, CommandError> {
        let mut arguments = Self { command, given, operands: String::new() };
        let words: Vec<Range<usize>> = read::words(text).collect();
        // The end of the previous operand, if no option has been removed since.
        let (mut at, mut end) = (0, None);
        while let Some(range) = words.get(at).cloned() {
            let word = &text[range.clone()];
            at += 1;
            if let Some(option) = arguments.option(word)? {
                let values = values(&option, words[at..].iter().map(|range| &text[range.clone()]));
                let values = values.map_err(|problem| arguments.wrong(problem))?;
                at += values.len();
                if arguments.has(&option) {
                    return Err(arguments.wrong(format!("`{word}` is given twice")));
                }
                arguments.given.push((option, values));
                end = None;
            } else {
                // Operands keep the spaces between them.
                let gap =
                    end.map_or(if arguments.operands.is_empty() { "" } else { " " }, |end| &text[end..range.start]);
                arguments.operands = std::mem::take(&mut arguments.operands) + gap + word;
                end = Some(range.end);
            }
        }
        arguments.checked()
    }

    /// Arguments from values of options instead of text.
    pub(crate) fn of_values(
        command: &'static Command,
        given: impl IntoIterator<Item = (NamedOption, Vec<String>)>,
    ) -> Result<Self, CommandError> {
        Self { given: given.into_iter().collect(), ..Self::none(command) }.checked()
    }

    /// No arguments, which are still to be given and checked.
    pub(super) fn none(command: &'static Command) -> Self {
        Self { command, given: Vec::new(), operands: String::new() }
    }

    /// Gives an option, by its name, these values.
    ///
    /// # Errors
    /// If the command does not have it, it is given already, or it does not take the values.
    pub(super) fn give(&mut self, name: &str, given: &[String]) -> Result<(), CommandError> {
        let command = self.command;
        let option = command.every_option().find(|option| option.name == name);
        let option = option.copied().ok_or_else(|| command.has_no_option(name))?;
        let taken = values(&option, given.iter().map(String::as_str)).map_err(|problem| self.wrong(problem))?;
        if taken.len() < given.len() {
            return Err(self.wrong(format!("`{name}` does not take `{}`", given[taken.len()])));
        }
        if self.has(&option) {
            return Err(self.wrong(format!("`{name}` is given twice")));
        }
        self.given.push((option, taken));
        Ok(())
    }

    /// The same arguments, which have been checked.
    ///
    /// # Errors
    /// If one is missing, or not expected.
    pub(super) fn checked(self) -> Result<Self, CommandError> {
        self.check().map(|()| self)
    }

    /// The option with this name; an error if the command does not have it.
    fn option(&self, word: &str) -> Result<Option<NamedOption>, CommandError> {
        let command = self.command;
        // The options of a command within this one are parsed when it runs.
        if !word.starts_with("--") || (command.takes == ArgumentKind::Command && word != JSON.name) {
            return Ok(None);
        }
        let known = command.every_option().find(|option| option.name == word);
        known.copied().map(Some).ok_or_else(|| command.has_no_option(word))
    }

    /// Checks that all required arguments are there, and no unexpected ones.
    fn check(&self) -> Result<(), CommandError> {
        let command = self.command;
        if let Some(missing) = command.every_option().find(|option| option.is_required && !self.has(option)) {
            return Err(self.wrong(format!("`{}` is needed", missing.usage())));
        }
        let table: Vec<&NamedOption> = command.every_option().collect();
        if let Some(problem) = violated(&table, |name, value| self.has_value(name, value)) {
            return Err(self.wrong(problem));
        }
        match &self.operands[..] {
            "" => Ok(()),
            _ if !command.operands.is_empty() => Ok(()),
            _ if command.options.is_empty() => Err(self.wrong(format!("`{}` takes no arguments", command.name))),
            operands => Err(self.wrong(format!("`{}` does not take `{operands}`", command.name))),
        }
    }

    /// True if the option with this name is given, with this value if it is not empty.
    fn has_value(&self, name: &str, value: &str) -> bool {
        let is_it = |values: &[String]| value.is_empty() || values.first().is_some_and(|first| first == value);
        self.given.iter().any(|(option, values)| option.name == name && is_it(values))
    }

    /// Everything except options; empty if there is nothing else.
    pub(crate) fn operands(&self) -> &str {
        &self.operands
    }

    /// The same arguments with other operands.
    pub(super) fn with_operands(self, operands: String) -> Self {
        Self { operands, ..self }
    }

    /// The same arguments with a new value for an option.
    pub(super) fn with(mut self, option: NamedOption, value: String) -> Self {
        self.given.retain(|(given, _)| given.name != option.name);
        let values = if option.is_flag() { Vec::new() } else { vec![value] };
        self.given.push((option, values));
        self
    }

    /// The values of an option, if it was given.
    fn values(&self, option: &NamedOption) -> Option<&[String]> {
        self.given.iter().find(|(given, _)| given.name == option.name).map(|(_, values)| &values[..])
    }

    /// True if the option is given.
    pub(crate) fn has(&self, option: &NamedOption) -> bool {
        self.values(option).is_some()
    }

    pub(super) fn command(&self) -> &'static Command {
        self.command
    }

    /// True if the command takes the option.
    pub(super) fn takes(&self, option: &NamedOption) -> bool {
        self.command.has(option)
    }

    /// The value of an option with one word.
    pub(crate) fn word(&self, option: &NamedOption) -> Option<&str> {
        self.values(option)?.first().map(String::as_str)
    }

    /// The file that an option names, if it is given.
    ///
    /// # Errors
    /// If it may not be written.
    pub(super) fn output(&self, option: &NamedOption, session: &Session) -> Result<Option<OutputFile>, CommandError> {
        self.word(option).map(|file| session.output(file, self.has(&FORCE), &[])).transpose()
    }

    /// The value of an option with a word and a file, which may be missing.
    pub(super) fn two_words(&self, option: &NamedOption) -> Option<(&str, Option<&str>)> {
        let (first, rest) = self.values(option)?.split_first()?;
        Some((first, rest.first().map(String::as_str)))
    }

    /// The parsed value of an option.
    pub(crate) fn number<T: FromStr>(&self, option: &NamedOption) -> Result<Option<T>, CommandError> {
        self.parsed(option, str::parse)
    }

    /// The value of an option, parsed by `parse`.
    pub(crate) fn parsed<T, E>(
        &self,
        option: &NamedOption,
        parse: impl FnOnce(&str) -> Result<T, E>,
    ) -> Result<Option<T>, CommandError> {
        let Some(word) = self.word(option) else { return Ok(None) };
        let wrong = || self.wrong(format!("`{}` takes {}, not `{word}`", option.name, option.possible()));
        parse(word).map(Some).map_err(|_| wrong())
    }

    /// The number after an option; `otherwise` if the option has none.
    pub(super) fn optional_number(
        &self,
        option: &NamedOption,
        otherwise: usize,
    ) -> Result<Option<usize>, CommandError> {
        match self.values(option) {
            Some([]) => Ok(Some(otherwise)),
            _ => self.number(option),
        }
    }

    /// Applies the given limits to the budget.
    pub(super) fn budget(&self, budget: QuestionBudget) -> Result<QuestionBudget, CommandError> {
        budget.try_with(|budget| self.limited(budget))
    }

    fn limited(&self, mut budget: Budget) -> Result<Budget, CommandError> {
        if let Some(depth) = self.number(&DEPTH)? {
            budget = budget.with_depth(depth);
        }
        if self.has(&EXTEND_FORCED) {
            budget = budget.extending_forced();
        }
        if let Some(nodes) = self.number(&NODES)? {
            budget = budget.with_nodes(nodes);
        }
        if let Some(seconds) = self.number(&SECONDS)? {
            budget = budget.with_time(Seconds::duration(seconds));
        }
        if let Some(memory) = self.number(&MEMORY)? {
            budget = budget.with_memory(Size::bytes(memory));
        }
        Ok(budget)
    }

    /// The error for invalid arguments.
    pub(crate) fn wrong(&self, problem: impl Into<String>) -> CommandError {
        self.command.misused(problem)
    }
}

/// The values of an option among the words after it, or the error.
pub(super) fn values<'a>(option: &NamedOption, mut rest: impl Iterator<Item = &'a str>) -> Result<Vec<String>, String> {
    let mut value = || rest.next().filter(|word| !word.starts_with("--")).map(str::to_string);
    match option.value {
        ValueKind::Flag => Ok(Vec::new()),
        ValueKind::Number { kind, .. } => {
            let word = value().ok_or_else(|| format!("`{}` needs a value", option.name))?;
            match kind.written(&word) {
                Some(number) => Ok(vec![number]),
                None => Err(format!("`{}` takes {}, not `{word}`", option.name, option.possible())),
            }
        }
        ValueKind::Text { is_optional: true, .. } => Ok(value().into_iter().collect()),
        ValueKind::Text { .. } | ValueKind::Search { .. } => {
            Ok(vec![value().ok_or_else(|| format!("`{}` needs a value", option.name))?])
        }
        // A word that is no number is not the value, but an operand.
        ValueKind::OptionalNumber { .. } => {
            Ok(value().filter(|word| word.bytes().all(|byte| byte.is_ascii_digit())).into_iter().collect())
        }
        ValueKind::Word { of, is_optional } => match value() {
            Some(word) if of.contains(&&word[..]) => Ok(vec![word]),
            _ if is_optional => Ok(Vec::new()),
            Some(word) => Err(format!("`{}` takes {}, not `{word}`", option.name, option.possible())),
            None => Err(format!("`{}` needs a value", option.name)),
        },
        ValueKind::TwoWords { .. } => match value() {
            Some(first) => Ok([first].into_iter().chain(value()).collect()),
            None => Err(format!("`{}` needs a value", option.name)),
        },
    }
}

impl GivenOptions for Arguments {
    fn is_given(&self, option: &NamedOption) -> bool {
        self.has(option)
    }

    fn given_word(&self, option: &NamedOption) -> Option<&str> {
        self.word(option)
    }
}
