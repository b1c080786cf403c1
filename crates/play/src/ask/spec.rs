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
//! In a list of searches, a comma ends a search, so only plus signs are left between its options. The value of an
//! option may be a search with options of its own, as in `opponents=minimax:depth=2+epsilon=0.2`: what follows a plus
//! sign is the inner one's if it has such an option. In the name of a file a plus sign separates only if an option of
//! the search follows. Separators in parentheses do not count, and the parentheses around a value that has separators
//! are not part of it.
//!
//! The first form is the one that is written. Options have commas between them; within a list or a value (`{:#}`), plus
//! signs. The names of one place and their options are a [`Vocabulary`]: players and models of opponents are the
//! tables of this room, searches that of the commands of `repl`.

mod grammar;
mod option;

#[doc(hidden)]
pub use grammar::{ExpectedWord, SpecEnd, list, outside_parentheses, split};
#[doc(hidden)]
pub use option::violated;
pub use option::{NamedOption, Noun, NumberKind, OptionRelation, Signature, TextValue, ValueKind, Vocabulary};

use gdl::number::Real;
use gdl::quantity::{Seconds, Size};
use gdl::suggestion::{alternatives, near_or_all};
use ggp_game::Utility;
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
enum SpecValue {
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

    /// True if any option is given.
    pub(crate) fn has_options(&self) -> bool {
        !self.options.is_empty()
    }

    fn value(&self, option: &NamedOption) -> Option<&SpecValue> {
        // If an option is given again, the last one counts.
        self.options.iter().rev().find(|(key, _)| key == option.key()).map(|(_, value)| value)
    }

    /// True if an option is given.
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

impl NamedOption {
    /// Reads a value, which gets the form in which it is written.
    ///
    /// # Errors
    /// If the option does not take it.
    fn read(&self, value: Option<&str>) -> Result<SpecValue, SpecError> {
        let text = value.unwrap_or_default();
        let written = match self.value {
            ValueKind::Flag
            | ValueKind::OptionalNumber { .. }
            | ValueKind::Word { is_optional: true, .. }
            | ValueKind::Text { is_optional: true, .. }
                if value.is_none() =>
            {
                return Ok(SpecValue::Flag);
            }
            ValueKind::Search { vocabulary, .. } => return Ok(SpecValue::Search(vocabulary.read(text)?)),
            ValueKind::Flag => None,
            ValueKind::Number { kind, .. } => kind.written(text),
            ValueKind::OptionalNumber { .. } => NumberKind::INTEGER.written(text),
            ValueKind::Word { of, .. } => of.contains(&text).then(|| text.to_string()),
            ValueKind::Text { kind: TextValue::Size, .. } => Size::positive(text).ok().map(|size| size.to_string()),
            ValueKind::Text { .. } | ValueKind::TwoWords { .. } => (!text.is_empty()).then(|| text.to_string()),
        };
        let bad = || {
            let text = value.map_or(self.key().to_string(), |value| format!("{}={value}", self.key()));
            SpecError::BadOption { text, form: self.described() }
        };
        written.map(SpecValue::Text).ok_or_else(bad)
    }

    /// The form with the values that it takes, for messages: `` `seed=N`, a whole number ``.
    fn described(&self) -> String {
        match self.value {
            ValueKind::Flag => format!("`{}`, which takes no value", self.key()),
            ValueKind::Word { of, .. } => {
                alternatives(&of.iter().map(|word| format!("`{}={word}`", self.key())).collect::<Vec<_>>())
            }
            _ => format!("`{}`, {}", self.form(), self.possible()),
        }
    }
}

impl NumberKind {
    /// The form in which a number of this kind is written; `None` if the text is none.
    pub fn written(self, text: &str) -> Option<String> {
        match self {
            Self::Integer { least, most } => {
                let number: u64 = text.parse().ok()?;
                (least..=most).contains(&number).then(|| number.to_string())
            }
            Self::Weight => {
                let number: f64 = text.parse().ok()?;
                (number.is_finite() && number >= 0.0).then(|| number.to_string())
            }
            Self::Seconds => text.parse::<Seconds>().ok().map(|_| text.to_string()),
            Self::Utility => text.parse::<Utility>().ok().map(|utility| utility.to_string()),
            Self::Probability => {
                let number: Real = text.parse().ok()?;
                (!Real::ZERO.exceeds(number) && !number.exceeds(Real::ONE)).then(|| number.to_string())
            }
        }
    }
}

impl Signature<'_> {
    /// Reads the options behind a name that stands for this one.
    ///
    /// # Errors
    /// If there is no such option, a value is not of the kind that the option takes, an option is missing, or two
    /// cannot be combined.
    pub(crate) fn read(&self, name: &str, text: &str) -> Result<SearchSpec, SpecError> {
        let spec = self.read_each(name, text)?;
        self.check(&spec)?;
        Ok(spec)
    }

    /// The same, where the options are only some of those that will be given, so that none of them is missed yet.
    ///
    /// # Errors
    /// If there is no such option, or a value is not of the kind that the option takes.
    pub fn read_each(&self, name: &str, text: &str) -> Result<SearchSpec, SpecError> {
        let mut spec = SearchSpec::new(name);
        for given in grammar::options(self, text) {
            let unknown = || self.unknown(given.key);
            let option = self.option(given.key).ok_or_else(unknown)?;
            spec.options.push((given.key.to_string(), option.read(given.value.as_deref())?));
        }
        Ok(spec)
    }

    /// Checks that an option has what it needs and that no two exclude each other.
    ///
    /// # Errors
    /// The option that is missing, or the two that cannot be combined.
    fn check(&self, spec: &SearchSpec) -> Result<(), SpecError> {
        let table: Vec<&NamedOption> = self.every_option().collect();
        if let Some(missing) = table.iter().find(|option| option.is_required && !spec.has(option)) {
            let form = missing.described();
            return Err(SpecError::Missing { noun: self.noun, name: self.name.to_string(), form });
        }
        let has = |name: &str, value: &str| {
            let option = table.iter().find(|option| option.name == name);
            option.is_some_and(|option| spec.has(option) && (value.is_empty() || spec.text(option) == Some(value)))
        };
        match violated(&table, has) {
            Some(problem) => Err(SpecError::Violated { problem }),
            None => Ok(()),
        }
    }

    /// A specification with a value for an option in place of the one that it has.
    ///
    /// # Errors
    /// If there is no such option, or it does not take the value.
    pub(crate) fn with_value(&self, mut spec: SearchSpec, key: &str, value: &str) -> Result<SearchSpec, SpecError> {
        let option = self.option(key).ok_or_else(|| self.unknown(key))?;
        spec.options.retain(|(given, _)| given != key);
        spec.options.push((key.to_string(), option.read(Some(value))?));
        self.check(&spec)?;
        Ok(spec)
    }

    /// The error for a key that is not an option's.
    fn unknown(&self, key: &str) -> SpecError {
        let known = self.every_option().map(NamedOption::key).collect();
        SpecError::UnknownOption { noun: self.noun, name: self.name.to_string(), key: key.to_string(), known }
    }
}

impl Vocabulary {
    /// Reads a name with options.
    ///
    /// # Errors
    /// If there is no such name, and those of its options.
    pub fn read(&self, text: &str) -> Result<SearchSpec, SpecError> {
        let (name, options) = split(text);
        let signature = self.signatures.iter().find(|signature| signature.name == name);
        let unknown = || {
            let known = self.signatures.iter().map(|signature| signature.name).collect();
            SpecError::UnknownName { noun: self.noun, name: name.to_string(), known }
        };
        signature.ok_or_else(unknown)?.read(name, options)
    }
}

/// An error in a specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is nothing of this name.
    #[error("{}; {}", noun.unknown(name), hint(name, known, "there are none"))]
    UnknownName {
        /// The kind of thing that should have been named.
        noun: Noun,
        /// The name that is not known.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// The search, player or model does not have the option.
    #[error("{} no option `{key}`; {}", noun.has(name), hint(key, known, noun.none()))]
    UnknownOption {
        /// The kind of thing that is named.
        noun: Noun,
        /// Its name.
        name: String,
        /// The key that was given.
        key: String,
        /// The keys that there are.
        known: Vec<&'static str>,
    },
    /// An option has no value, or one that it does not take.
    #[error("`{text}` is not {form}")]
    BadOption {
        /// The text of the option.
        text: String,
        /// The form that it should have.
        form: String,
    },
    /// An option lacks another that it needs, or two cannot be combined.
    #[error("{problem}")]
    Violated {
        /// The problem, in a sentence that names the options.
        problem: String,
    },
    /// A required option is missing.
    #[error("{} {form}", noun.needs(name))]
    Missing {
        /// The kind of thing that is named.
        noun: Noun,
        /// Its name.
        name: String,
        /// The form of the option.
        form: String,
    },
}

impl Noun {
    fn unknown(self, name: &str) -> String {
        match self {
            Self::Player => format!("there is no player `{name}`"),
            Self::Opponents => format!("opponents cannot be `{name}`"),
            Self::Search => format!("there is no search `{name}`"),
        }
    }

    fn has(self, name: &str) -> String {
        match self {
            Self::Player => format!("the player `{name}` has"),
            Self::Opponents => format!("opponents that are `{name}` have"),
            Self::Search => format!("`{name}` has"),
        }
    }

    fn needs(self, name: &str) -> String {
        match self {
            Self::Player => format!("the player `{name}` needs"),
            Self::Opponents => format!("opponents that are `{name}` need"),
            Self::Search => format!("`{name}` needs"),
        }
    }

    fn none(self) -> &'static str {
        if self == Self::Opponents { "there are none" } else { "it has none" }
    }
}

fn hint(name: &str, known: &[&str], none: &str) -> String {
    if known.is_empty() { none.to_string() } else { near_or_all(name, known) }
}
