//! What may be named: options with their kinds of value, the options that a name takes, and the names of one place.

/// An option of searches.
#[derive(Clone, Copy, Debug)]
pub struct SearchOption {
    /// The key, as in `seed=1`.
    pub key: &'static str,
    /// The kind of its value.
    pub value: ValueKind,
    /// The form of the option with the range of its value, for messages: `` `seed=N`, an integer from 0 ``.
    pub form: &'static str,
    /// Whether it must be given.
    pub is_required: bool,
    /// The key of an option with which it cannot be combined; empty if there is none.
    pub excludes: &'static str,
}

/// The kind of value of an option.
#[derive(Clone, Copy, Debug)]
pub enum ValueKind {
    /// A text or none; who reads the option checks it.
    Any,
    /// None.
    Flag,
    /// An integer within these bounds.
    Integer {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A number from 0 to 1.
    Probability,
    /// A number of at least 0.
    Weight,
    /// A size of memory above 0.
    Size,
    /// One of some words.
    Word(&'static [&'static str]),
    /// One of some words, or none.
    OptionalWord(&'static [&'static str]),
    /// The name of a sheet, a file or a folder.
    File,
    /// A name with options of its own.
    Search(&'static Vocabulary),
}

/// A name that may be given, with the options that it takes.
#[derive(Clone, Copy, Debug)]
pub struct Signature<'a> {
    /// What is named.
    pub noun: Noun,
    /// The name.
    pub name: &'a str,
    /// The options, in the order in which they are listed.
    pub options: &'a [SearchOption],
    /// Options that it has here in addition to those that it has everywhere; they are listed after them.
    pub more: &'a [SearchOption],
}

/// What a name stands for, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noun {
    /// A player of matches.
    Player,
    /// An assumption about opponents.
    Opponents,
    /// A search of the prompt.
    Search,
}

/// The names that a text may give in one place.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// What is named.
    pub noun: Noun,
    /// The names with their options.
    pub signatures: &'static [Signature<'static>],
}

impl SearchOption {
    /// An option that may be left out.
    pub const fn new(key: &'static str, value: ValueKind, form: &'static str) -> Self {
        Self { key, value, form, is_required: false, excludes: "" }
    }

    /// The same option, which cannot be combined with another.
    pub const fn excluding(self, key: &'static str) -> Self {
        Self { excludes: key, ..self }
    }

    /// The same option where it must be given.
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }
}

impl<'a> Signature<'a> {
    /// A name with its options.
    pub const fn new(noun: Noun, name: &'a str, options: &'a [SearchOption]) -> Self {
        Self { noun, name, options, more: &[] }
    }

    /// The same name with more options.
    pub const fn with(self, more: &'a [SearchOption]) -> Self {
        Self { more, ..self }
    }

    /// All options, in the order in which they are listed.
    pub(crate) fn every_option(&self) -> impl Iterator<Item = &'a SearchOption> {
        self.options.iter().chain(self.more)
    }

    /// The option with this key.
    pub(super) fn option(&self, key: &str) -> Option<&'a SearchOption> {
        self.every_option().find(|option| option.key == key)
    }
}
