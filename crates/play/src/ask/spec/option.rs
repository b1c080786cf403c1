//! Options: their names, kinds of value, defaults and effects, their relations to each other, and the names of searches
//! and players that take them. Specifications, lines of the prompt, their completion, help, the arguments of the shell
//! and the controls of a page are all made of these.

use gdl::suggestion::alternatives;

/// An option of a search, a player, a model of opponents or a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOption {
    /// The name as it is typed: `--depth`. In a specification it stands without dashes ([`NamedOption::key`]).
    pub name: &'static str,
    /// The kind of its value.
    pub value: ValueKind,
    /// The default, for help; empty if it is obvious.
    pub default: &'static str,
    /// The effect, in a phrase.
    pub help: &'static str,
    /// True if it must be given.
    pub is_required: bool,
    /// For each, one of the others that it names has to be given as well, if there are any of them.
    pub(crate) needs: &'static [OptionRelation],
    /// The options with which it cannot be combined.
    conflicts: &'static [OptionRelation],
}

/// The kind of value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueKind {
    /// None: the option is a flag.
    Flag,
    /// One word of text.
    Text {
        /// The name of the value in help: `SHEET`.
        name: &'static str,
        /// The description of the value in errors: `a sheet`.
        what: &'static str,
        /// The kind of thing that the text names.
        kind: TextValue,
        /// True if it may be missing.
        is_optional: bool,
    },
    /// A number.
    Number {
        /// The name of the value in help: `MOVES`.
        name: &'static str,
        /// The description of the value in errors: `a number of moves`.
        what: &'static str,
        /// The numbers that it takes.
        kind: NumberKind,
    },
    /// An optional integer.
    OptionalNumber {
        /// The name of the value in help.
        name: &'static str,
    },
    /// One of some words.
    Word {
        /// The words.
        of: &'static [&'static str],
        /// True if it may be missing.
        is_optional: bool,
    },
    /// Two words of text; the second one is the name of a file and may be missing.
    TwoWords {
        /// The names of the values in help.
        names: &'static str,
    },
    /// A name with options of its own.
    Search {
        /// The name of the value in help: `MODEL`.
        name: &'static str,
        /// The description of the value in errors: `an assumption about the opponents`.
        what: &'static str,
        /// The names that may be given.
        vocabulary: &'static Vocabulary,
    },
}

/// The kind of thing that the text of an option names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextValue {
    /// Anything; the reader of the option checks it.
    Any,
    /// A size of memory above 0: `500M`.
    Size,
    /// A file or a folder.
    File,
    /// A sheet of the library or a file, or a heuristic that is computed.
    Sheet,
    /// Moves of the game.
    Moves,
    /// Searches with their options, with commas between them.
    Searches,
}

/// The numbers that an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NumberKind {
    /// An integer within these bounds.
    Integer {
        /// The least.
        least: u64,
        /// The greatest.
        most: u64,
    },
    /// A number from 0 on.
    Weight,
    /// A time in seconds.
    Seconds,
    /// A utility.
    Utility,
    /// A number from 0 to 1.
    Probability,
}

impl NumberKind {
    /// Any integer from 0 on.
    pub(super) const INTEGER: Self = Self::Integer { least: 0, most: u64::MAX };
}

impl NamedOption {
    const fn new(name: &'static str, value: ValueKind, help: &'static str) -> Self {
        Self { name, value, default: "", help, is_required: false, needs: &[], conflicts: &[] }
    }

    /// An option without a value.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self::new(name, ValueKind::Flag, help)
    }

    /// An option with one word of text as its value, called `value` in help and `what` in errors.
    pub const fn text(
        name: &'static str,
        value: &'static str,
        what: &'static str,
        kind: TextValue,
        help: &'static str,
    ) -> Self {
        Self::new(name, ValueKind::Text { name: value, what, kind, is_optional: false }, help)
    }

    /// An option with the name of a file, which may be missing.
    pub const fn optional_file(name: &'static str, help: &'static str) -> Self {
        let kind = TextValue::File;
        Self::new(name, ValueKind::Text { name: "FILE", what: "a file", kind, is_optional: true }, help)
    }

    /// An option with any word as its value; the reader of the option checks it.
    pub const fn word(name: &'static str, value: &'static str, what: &'static str, help: &'static str) -> Self {
        Self::text(name, value, what, TextValue::Any, help)
    }

    /// An option with an integer as its value, called `value` in help and `what` in errors.
    pub const fn number(name: &'static str, value: &'static str, what: &'static str, help: &'static str) -> Self {
        Self::new(name, ValueKind::Number { name: value, what, kind: NumberKind::INTEGER }, help)
    }

    /// An option with a number from 0 on as its value, which may have decimals, called `value` in help and `what` in
    /// errors.
    pub const fn decimal(name: &'static str, value: &'static str, what: &'static str, help: &'static str) -> Self {
        Self::number(name, value, what, help).of_kind(NumberKind::Weight)
    }

    /// An option with an optional integer.
    pub const fn optional_number(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self::new(name, ValueKind::OptionalNumber { name: value }, help)
    }

    /// An option with one of some words.
    pub const fn choice(name: &'static str, of: &'static [&'static str], help: &'static str) -> Self {
        Self::new(name, ValueKind::Word { of, is_optional: false }, help)
    }

    /// An option with one of some words, or none.
    pub(crate) const fn optional_choice(name: &'static str, of: &'static [&'static str], help: &'static str) -> Self {
        Self::new(name, ValueKind::Word { of, is_optional: true }, help)
    }

    /// An option with a word and a file, which may be missing.
    pub const fn two_words(name: &'static str, names: &'static str, help: &'static str) -> Self {
        Self::new(name, ValueKind::TwoWords { names }, help)
    }

    /// An option with a name that has options of its own.
    pub(crate) const fn search(
        name: &'static str,
        value: &'static str,
        what: &'static str,
        vocabulary: &'static Vocabulary,
        help: &'static str,
    ) -> Self {
        Self::new(name, ValueKind::Search { name: value, what, vocabulary }, help)
    }

    /// The same option for numbers of another kind. An option without a number stays as it is.
    pub const fn of_kind(self, kind: NumberKind) -> Self {
        match self.value {
            ValueKind::Number { name, what, .. } => Self { value: ValueKind::Number { name, what, kind }, ..self },
            _ => self,
        }
    }

    /// The same option for integers within these bounds.
    pub const fn within(self, least: u64, most: u64) -> Self {
        self.of_kind(NumberKind::Integer { least, most })
    }

    /// The same option with a default.
    pub const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// The same option, required.
    pub const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The same option, which needs others.
    pub const fn needing(self, needs: &'static [OptionRelation]) -> Self {
        Self { needs, ..self }
    }

    /// The same option, which cannot be combined with others.
    pub const fn excluding(self, conflicts: &'static [OptionRelation]) -> Self {
        Self { conflicts, ..self }
    }

    /// The names of the options that it needs or excludes.
    pub fn related(&self) -> impl Iterator<Item = &'static str> {
        self.needs.iter().chain(self.conflicts).flat_map(OptionRelation::others).map(|(name, _)| name)
    }

    /// True if the option cannot be combined with another, whatever their values.
    pub fn excludes(&self, other: &Self) -> bool {
        let excludes = |one: &Self, other: &Self| one.conflicts.iter().any(|conflict| conflict.is_to(other.name));
        excludes(self, other) || excludes(other, self)
    }

    /// The name without its dashes, as specifications have it: `depth`.
    pub fn key(&self) -> &'static str {
        self.name.trim_start_matches('-')
    }

    /// True if it has no value.
    pub fn is_flag(&self) -> bool {
        self.value == ValueKind::Flag
    }

    /// The name with its value: `--depth MOVES`.
    pub fn usage(&self) -> String {
        self.with_value(self.name, " ")
    }

    /// The key with its value, as in a specification: `depth=MOVES`.
    pub fn form(&self) -> String {
        self.with_value(self.key(), "=")
    }

    /// A name with the value behind a sign.
    fn with_value(&self, name: &str, sign: &str) -> String {
        match self.value {
            ValueKind::Flag => name.to_string(),
            ValueKind::Text { name: value, is_optional: true, .. } => format!("{name}{}", optional(sign, value)),
            ValueKind::Text { name: value, .. }
            | ValueKind::Number { name: value, .. }
            | ValueKind::Search { name: value, .. }
            | ValueKind::TwoWords { names: value } => format!("{name}{sign}{value}"),
            ValueKind::OptionalNumber { name: value } => format!("{name}{}", optional(sign, value)),
            ValueKind::Word { of, is_optional: true } => format!("{name}{}", optional(sign, &of.join("|"))),
            ValueKind::Word { of, is_optional: false } => format!("{name}{sign}{}", of.join("|")),
        }
    }

    /// The values that it takes, for messages.
    pub fn possible(&self) -> String {
        match self.value {
            ValueKind::Flag => "no value".to_string(),
            ValueKind::Text { what, .. } | ValueKind::Number { what, .. } | ValueKind::Search { what, .. } => {
                what.to_string()
            }
            ValueKind::OptionalNumber { .. } => "a number".to_string(),
            ValueKind::Word { of, .. } => alternatives(&of.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>()),
            ValueKind::TwoWords { .. } => "a word and a file".to_string(),
        }
    }

    /// The effect with the default.
    pub fn meaning(&self) -> String {
        if self.default.is_empty() {
            self.help.to_string()
        } else {
            format!("{} [default: {}]", self.help, self.default)
        }
    }
}

/// A name that may be given, with the options that it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature<'a> {
    /// The kind of thing that is named.
    pub noun: Noun,
    /// The name.
    pub name: &'a str,
    /// The options in the order in which they are listed: some before its own, its own, and some after them. One takes
    /// the place of those with the same name before it.
    pub options: [&'a [NamedOption]; 3],
}

/// The kind of thing that a name stands for, for messages.
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
    /// The kind of thing that is named.
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
    pub fn every_option(&self) -> impl Iterator<Item = &'a NamedOption> {
        let all = || self.options.into_iter().flatten();
        all()
            .enumerate()
            // A later option takes the place of an earlier one with the same name.
            .filter(move |(at, option)| all().skip(at + 1).all(|later| later.name != option.name))
            .map(|(_, option)| option)
    }

    /// The option with this key.
    pub(super) fn option(&self, key: &str) -> Option<&'a NamedOption> {
        self.every_option().find(|option| option.key() == key)
    }
}

/// The first problem of the given options of a table: one needs another that is missing, or two cannot be combined. An
/// option that the table does not have is not needed. `has` returns true if the option with a name is given, with a
/// value if that is not empty.
pub fn violated(table: &[&NamedOption], has: impl Fn(&str, &str) -> bool) -> Option<String> {
    // A need that no option of the table can fulfil is no need here.
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

/// A value that may be left out: in a line ` [N]`, in a specification `[=N]`.
fn optional(sign: &str, value: &str) -> String {
    if sign == " " { format!(" [{value}]") } else { format!("[{sign}{value}]") }
}

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

    /// True if it is a relation to this option, whatever the values of both.
    fn is_to(&self, name: &str) -> bool {
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
