//! One way to name a search with its options: players of a match, models of opponents, and the searches that `compare`
//! and `play` run are all read and written here.
//!
//! A [`SearchSpec`] is a name with options, `alphabeta:depth=4,eval=SHEET`. This is its grammar:
//!
//! ```text
//! spec   = name [":" option { ("," | "+") option }]
//!        | name { " --" key [" " value] }
//! option = key ["=" value]
//! value  = text | "(" text ")"
//! ```
//!
//! In a list of searches, a comma ends a search, so only plus signs are left between its options. The value of
//! an option may be a search with options of its own, as in `opponents=minimax:depth=2+epsilon=0.2`: what follows a plus
//! sign is the inner one's if it has such an option. In the name of a file a plus sign separates only if an option of the
//! search follows. Separators in parentheses do not count, and the parentheses around a value that has separators are not
//! part of it.
//!
//! The first form is the one that is written. Options have commas between them; within a list or a value (`{:#}`), plus
//! signs. The names of one place and their options are a [`Vocabulary`]: players and models of opponents are the
//! tables of this room, searches that of the commands of `repl`.

mod complete;
mod error;
mod grammar;
mod option;
mod reader;
mod relation;

#[doc(hidden)]
pub use complete::{ExpectedWord, SpecEnd};
pub use error::SpecError;
#[doc(hidden)]
pub use grammar::{list, outside_parentheses, split};
#[doc(hidden)]
pub use option::violated;
pub use option::{NamedOption, Noun, NumberKind, Signature, TextValue, ValueKind, Vocabulary};
pub use relation::OptionRelation;

use std::fmt;
use std::str::FromStr;

/// A search, a player or a model of opponents with its options, as a text names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchSpec {
    name: String,
    /// The options in the order in which they were given. If one is given again, the last one counts.
    options: Vec<(String, SpecValue)>,
}

/// The value of an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SpecValue {
    /// None: the option is a flag.
    Flag,
    /// A text of the kind that the option takes, in the form in which it is written.
    Text(String),
    /// A search with options of its own.
    Search(SearchSpec),
}

impl SearchSpec {
    /// A search without options.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), options: Vec::new() }
    }

    /// The name, as it was given.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The options with the texts of their values, in the order in which they were given.
    pub fn options(&self) -> impl Iterator<Item = (&str, Option<String>)> {
        self.options.iter().map(|(key, value)| (&**key, value.text()))
    }

    /// Whether any option is given.
    pub(crate) fn has_options(&self) -> bool {
        !self.options.is_empty()
    }

    fn value(&self, option: &NamedOption) -> Option<&SpecValue> {
        self.options.iter().rev().find(|(key, _)| key == option.key()).map(|(_, value)| value)
    }

    /// Whether an option is given.
    pub(crate) fn has(&self, option: &NamedOption) -> bool {
        self.value(option).is_some()
    }

    /// The text of an option, if it is given with one.
    pub fn text(&self, option: &NamedOption) -> Option<&str> {
        if let Some(SpecValue::Text(text)) = self.value(option) { Some(text) } else { None }
    }

    /// The parsed value of an option, if it is given.
    pub fn number<T: FromStr>(&self, option: &NamedOption) -> Option<T> {
        self.text(option)?.parse().ok()
    }

    /// The search that is the value of an option, if it is given.
    pub fn search(&self, option: &NamedOption) -> Option<&Self> {
        if let Some(SpecValue::Search(inner)) = self.value(option) { Some(inner) } else { None }
    }

    /// With a value for an option in place of those before; the value is not checked.
    pub(crate) fn with(self, option: &NamedOption, value: impl ToString) -> Self {
        self.with_value(option, SpecValue::Text(value.to_string()))
    }

    /// With an option that takes no value.
    pub(crate) fn with_flag(self, option: &NamedOption) -> Self {
        self.with_value(option, SpecValue::Flag)
    }

    fn with_value(self, option: &NamedOption, value: SpecValue) -> Self {
        let mut changed = self.without(option);
        changed.options.push((option.key().to_string(), value));
        changed
    }

    /// Without an option.
    pub fn without(mut self, option: &NamedOption) -> Self {
        self.options.retain(|(key, _)| key != option.key());
        self
    }

    /// The search as it is typed at the prompt: `alphabeta --depth 4 --table`.
    pub fn line(&self) -> String {
        let options = self.options().map(|(key, value)| match value {
            Some(value) => format!(" --{key} {value}"),
            None => format!(" --{key}"),
        });
        self.name.clone() + &options.collect::<String>()
    }

    /// Each option once, in the order of a signature.
    pub(crate) fn in_order_of(mut self, signature: &Signature<'_>) -> Self {
        let given =
            signature.every_option().filter_map(|option| Some((option.key().to_string(), self.value(option)?.clone())));
        self.options = given.collect();
        self
    }
}

impl SpecValue {
    fn text(&self) -> Option<String> {
        match self {
            Self::Flag => None,
            Self::Text(text) => Some(text.clone()),
            Self::Search(inner) => Some(format!("{inner:#}")),
        }
    }
}

/// The written form; with `{:#}` that within a list of searches or a value.
impl fmt::Display for SearchSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_inner = formatter.alternate();
        formatter.write_str(&self.name)?;
        for (number, (key, value)) in self.options.iter().enumerate() {
            let separator = if number == 0 {
                ":"
            } else if is_inner {
                "+"
            } else {
                ","
            };
            write!(formatter, "{separator}{key}")?;
            match value {
                SpecValue::Flag => {}
                // At the end or between commas, all plus signs are the inner one's.
                SpecValue::Search(inner) if !is_inner || number + 1 == self.options.len() => {
                    write!(formatter, "={inner:#}")?;
                }
                SpecValue::Search(inner) => write!(formatter, "=({inner:#})")?,
                value => write!(formatter, "={}", grammar::enclosed(&value.text().unwrap_or_default()))?,
            }
        }
        Ok(())
    }
}
