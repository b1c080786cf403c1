//! What an option says of others in its table: that it needs one of them, or that it cannot be combined with them.

use super::NamedOption;
use crate::suggestion::alternatives;

/// A relation of an option to others, of which each is named as it is typed: `--table`, or with a value `--order
/// random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRelation {
    /// The value of the option that the relation is for; empty if it does not depend on the value.
    value: &'static str,
    /// The other options. Who has the option need not have all of them.
    others: &'static [&'static str],
    /// The problem if the relation is violated; empty if the names say enough.
    problem: &'static str,
}

impl OptionRelation {
    /// A relation to these options.
    pub(crate) const fn to(others: &'static [&'static str]) -> Self {
        Self { value: "", others, problem: "" }
    }

    /// The same relation for one value of the option.
    pub(crate) const fn for_value(self, value: &'static str) -> Self {
        Self { value, ..self }
    }

    /// The same relation with a sentence for the error.
    pub(crate) const fn saying(self, problem: &'static str) -> Self {
        Self { problem, ..self }
    }

    /// The names of the other options, each with its value, which is empty if it does not matter.
    pub(super) fn others(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.others.iter().map(|other| other.split_once(' ').unwrap_or((other, "")))
    }

    /// Whether it is a relation to this option, whatever the values of both.
    pub(super) fn is_to(&self, name: &str) -> bool {
        self.value.is_empty() && self.others.contains(&name)
    }

    /// The problem of the option with this name if it needs one of the others, and none is given.
    fn missing(&self, name: &str) -> String {
        match self.problem {
            "" => format!("{} needs {}", self.written(name), self.listed()),
            problem => problem.to_string(),
        }
    }

    /// The problem of the option with this name if it excludes the others, and one is given.
    fn clash(&self, name: &str) -> String {
        match self.problem {
            "" => format!("{} and {} cannot be combined", self.written(name), self.listed()),
            problem => problem.to_string(),
        }
    }

    /// The option with the value that the relation is for.
    fn written(&self, name: &str) -> String {
        if self.value.is_empty() { format!("`{name}`") } else { format!("`{name} {}`", self.value) }
    }

    /// The other options as words: `--trace`, `--tree` or `--rounds`.
    fn listed(&self) -> String {
        alternatives(&self.others.iter().map(|other| format!("`{other}`")).collect::<Vec<_>>())
    }
}

/// What is wrong with the options that are given of a table: one needs another that is missing, or two cannot be combined.
/// One that the table does not have is not needed. `has` says whether the option with a name is given, with a value if that
/// is not empty.
pub(crate) fn violated(table: &[&NamedOption], has: impl Fn(&str, &str) -> bool) -> Option<String> {
    let is_possible =
        |need: &OptionRelation| need.others().any(|(name, _)| table.iter().any(|option| option.name == name));
    let is_met = |relation: &OptionRelation| relation.others().any(|(name, value)| has(name, value));
    let applies = |option: &NamedOption, relation: &OptionRelation| has(option.name, relation.value);
    for option in table {
        for need in option.needs {
            if applies(option, need) && is_possible(need) && !is_met(need) {
                return Some(need.missing(option.name));
            }
        }
    }
    for option in table {
        for conflict in option.conflicts {
            if applies(option, conflict) && is_met(conflict) {
                return Some(conflict.clash(option.name));
            }
        }
    }
    None
}
