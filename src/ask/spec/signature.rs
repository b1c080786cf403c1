//! What may be named: the options that a name takes, and the names of one place.

use super::NamedOption;

/// A name that may be given, with the options that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// What is named.
    pub noun: Noun,
    /// The name.
    pub name: &'a str,
    /// The options in the order in which they are listed: some before its own, its own, and some after them. One takes the
    /// place of those with the same name before it.
    pub options: [&'a [NamedOption]; 3],
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// What is named.
    pub noun: Noun,
    /// The names with their options.
    pub signatures: &'static [Signature<'static>],
}

impl<'a> Signature<'a> {
    /// A name with its options.
    pub const fn new(noun: Noun, name: &'a str, options: &'a [NamedOption]) -> Self {
        Self { noun, name, options: [&[], options, &[]] }
    }

    /// The same name with more options, before its own and after them.
    pub const fn with(self, before: &'a [NamedOption], after: &'a [NamedOption]) -> Self {
        let [_, own, _] = self.options;
        Self { options: [before, own, after], ..self }
    }

    /// All options, in the order in which they are listed.
    pub(crate) fn every_option(&self) -> impl Iterator<Item = &'a NamedOption> {
        let all = || self.options.into_iter().flatten();
        all()
            .enumerate()
            .filter(move |(at, option)| all().skip(at + 1).all(|later| later.name != option.name))
            .map(|(_, option)| option)
    }

    /// The option with this key.
    pub(super) fn option(&self, key: &str) -> Option<&'a NamedOption> {
        self.every_option().find(|option| option.key() == key)
    }
}
