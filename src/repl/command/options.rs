//! Options of commands, such as `--depth 3`: taken out of the arguments one by one, so that what is left are the others.

use super::Command;
use crate::quantity::{Seconds, Size};
use crate::repl::{CommandError, read};
use crate::search::Budget;
use std::str::FromStr;

/// The arguments of a command, from which options are taken.
pub(super) struct Options {
    command: &'static Command,
    rest: String,
}

impl Options {
    /// All that was given.
    pub(super) fn of(command: &'static Command, arguments: &str) -> Self {
        Self { command, rest: arguments.to_string() }
    }

    /// Whether a word such as `--naive` is there.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        let (before, after) = read::split_at_word(&self.rest, name);
        let Some(after) = after else { return false };
        self.rest = format!("{before} {after}").trim().to_string();
        true
    }

    /// The word behind a name such as `--order`.
    pub(super) fn word(&mut self, name: &str) -> Result<Option<String>, CommandError> {
        let (rest, value) = read::option(&self.rest, name);
        self.rest = rest;
        match value {
            Some(value) if value.is_empty() => Err(self.wrong(format!("`{name}` needs a value"))),
            value => Ok(value),
        }
    }

    /// The two words behind a name.
    pub(super) fn two_words(&mut self, name: &str) -> Result<Option<(String, String)>, CommandError> {
        let (before, after) = read::split_at_word(&self.rest, name);
        let Some(after) = after else { return Ok(None) };
        let (first, others) = read::word(after);
        let (second, others) = read::word(others);
        if second.is_empty() {
            return Err(self.wrong(format!("`{name}` needs two values")));
        }
        let words = (first.to_string(), second.to_string());
        self.rest = format!("{before} {others}").trim().to_string();
        Ok(Some(words))
    }

    /// The number behind a name; `what` it is, for the error: `a number of moves`.
    pub(super) fn number<T: FromStr>(&mut self, name: &str, what: &str) -> Result<Option<T>, CommandError> {
        let Some(word) = self.word(name)? else { return Ok(None) };
        word.parse().map(Some).map_err(|_| self.wrong(format!("`{name}` takes {what}, not `{word}`")))
    }

    /// The number behind a name, or another where the name is there without one.
    pub(super) fn optional_number<T: FromStr>(&mut self, name: &str, otherwise: T) -> Result<Option<T>, CommandError> {
        let (before, after) = read::split_at_word(&self.rest, name);
        let Some((first, others)) = after.map(read::word) else { return Ok(None) };
        let number = first.parse().ok();
        let left = if number.is_some() { others } else { after.unwrap_or_default() };
        self.rest = format!("{before} {left}").trim().to_string();
        Ok(Some(number.unwrap_or(otherwise)))
    }

    /// The budget with `--depth`, `--nodes`, `--seconds` and `--memory`, where they are given.
    pub(super) fn budget(&mut self, budget: Budget) -> Result<Budget, CommandError> {
        let mut budget = budget;
        if let Some(depth) = self.number("--depth", "a number of moves")? {
            budget = budget.with_depth(depth);
        }
        if let Some(nodes) = self.number("--nodes", "a number of nodes")? {
            budget = budget.with_nodes(nodes);
        }
        if let Some(seconds) = self.number("--seconds", "a number of seconds")? {
            budget = budget.with_time(Seconds::duration(seconds));
        }
        if let Some(memory) = self.number("--memory", "a size such as 500M or 2G")? {
            budget = budget.with_memory(Size::bytes(memory));
        }
        Ok(budget)
    }

    /// What is left; a word that begins with `--` is an option that the command does not have.
    pub(super) fn rest(self) -> Result<String, CommandError> {
        match self.rest.split_whitespace().find(|word| word.starts_with("--")) {
            Some(option) => Err(self.wrong(format!("`{}` has no option `{option}`", self.command.name))),
            None => Ok(self.rest),
        }
    }

    /// Nothing must be left.
    pub(super) fn end(self) -> Result<(), CommandError> {
        let command = self.command;
        match self.rest()?.as_str() {
            "" => Ok(()),
            rest => Err(command.misused(format!("`{}` does not take `{rest}`", command.name))),
        }
    }

    /// The error for an option that does not fit.
    pub(super) fn wrong(&self, problem: impl Into<String>) -> CommandError {
        self.command.misused(problem)
    }
}
