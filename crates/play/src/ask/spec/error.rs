//! What can be wrong with a text that names a search: each error names the option and what is possible.

use super::Noun;
use gdl::suggestion::near_or_all;

/// An error in a specification.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is nothing of this name.
    #[error("{}; {}", noun.unknown(name), hint(name, known, "there are none"))]
    UnknownName {
        /// What should have been named.
        noun: Noun,
        /// The name that is not known.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// What is named does not have the option.
    #[error("{} no option `{key}`; {}", noun.has(name), hint(key, known, noun.none()))]
    UnknownOption {
        /// What is named.
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
        /// What is wrong, in a sentence that names the options.
        problem: String,
    },
    /// A required option is missing.
    #[error("{} {form}", noun.needs(name))]
    Missing {
        /// What is named.
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
