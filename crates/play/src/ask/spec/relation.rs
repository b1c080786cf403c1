//! What an option says of others in its table: that it needs one of them, or that it cannot be combined with them.

use gdl::suggestion::alternatives;

/// A relation of an option to others, of which each is named as it is typed: `--table`, or with a value `--order
/// random`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionRelation {
    /// The value of the option that the relation is for; empty if it does not depend on the value.
    pub(super) value: &'static str,
    /// The other options. Who has the option need not have all of them.
    others: &'static [&'static str],
    /// The problem if the relation is violated; empty if the names say enough.
    problem: &'static str,
}

impl OptionRelation {
    /// A relation to these options.
    pub const fn to(others: &'static [&'static str]) -> Self {
        Self { value: "", others, problem: "" }
    }

    /// The same relation for one value of the option.
    pub(crate) const fn for_value(self, value: &'static str) -> Self {
        Self { value, ..self }
    }

    /// The same relation with a sentence for the error.
    pub const fn saying(self, problem: &'static str) -> Self {
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
    pub(super) fn missing(&self, name: &str) -> String {
        match self.problem {
            "" => format!("{} needs {}", self.written(name), self.listed()),
            problem => problem.to_string(),
        }
    }

    /// The problem of the option with this name if it excludes the others, and one is given.
    pub(super) fn clash(&self, name: &str) -> String {
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
