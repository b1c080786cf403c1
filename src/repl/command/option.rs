//! The table of options of commands: their names, values, defaults and help, from which parsing, help, completion and
//! the arguments of the shell derive.

use super::ArgumentKind;
use super::relation::OptionRelation;
use crate::suggestion::alternatives;

/// An option of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommandOption {
    /// The name as it is typed: `--depth`.
    pub name: &'static str,
    /// The kind of value.
    pub(crate) value: OptionValue,
    /// The default, for help; empty if it is obvious.
    pub(crate) default: &'static str,
    /// The effect, in a phrase.
    pub help: &'static str,
    /// The completion of its value.
    pub(crate) completes: ArgumentKind,
    /// Whether the command requires it.
    pub(crate) is_required: bool,
    /// For each, one of the others that it names has to be given as well, if the command has any of them.
    pub(crate) needs: &'static [OptionRelation],
    /// The options with which it cannot be combined.
    pub(crate) conflicts: &'static [OptionRelation],
}

/// The kind of value of an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OptionValue {
    /// None: the option is a flag.
    Nothing,
    /// One word of text.
    Word {
        /// The name of the value in help: `MOVES`.
        name: &'static str,
        /// The description of the value in errors: `a number of moves`.
        what: &'static str,
    },
    /// A number.
    Number {
        /// The name of the value in help: `MOVES`.
        name: &'static str,
        /// The description of the value in errors: `a number of moves`.
        what: &'static str,
        /// Whether it is an integer.
        is_whole: bool,
    },
    /// An optional integer.
    OptionalNumber {
        /// The name of the value in help.
        name: &'static str,
    },
    /// One of some words.
    Choice {
        /// The words.
        of: &'static [&'static str],
        /// Whether it may be missing; then another word belongs to the operands.
        is_optional: bool,
    },
    /// Two words of text.
    TwoWords {
        /// The names of the values in help.
        names: &'static str,
    },
}

/// A group of options: those of one command, or those that several commands share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionGroup {
    /// The word for the group in the usage of a command; empty for the options of one command.
    pub(crate) name: &'static str,
    /// The common effect of its options, in a phrase.
    pub(crate) help: &'static str,
    /// The options of the group.
    pub options: &'static [CommandOption],
}

impl CommandOption {
    /// Makes an option without a value.
    pub(crate) const fn flag(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            value: OptionValue::Nothing,
            default: "",
            help,
            completes: ArgumentKind::Nothing,
            is_required: false,
            needs: &[],
            conflicts: &[],
        }
    }

    /// Makes an option with one word as its value, called `value` in help and `what` in errors.
    pub(crate) const fn word(name: &'static str, value: &'static str, what: &'static str, help: &'static str) -> Self {
        Self { value: OptionValue::Word { name: value, what }, ..Self::flag(name, help) }
    }

    /// Makes an option with an integer as its value, called `value` in help and `what` in errors.
    pub(crate) const fn number(
        name: &'static str,
        value: &'static str,
        what: &'static str,
        help: &'static str,
    ) -> Self {
        Self { value: OptionValue::Number { name: value, what, is_whole: true }, ..Self::flag(name, help) }
    }

    /// Makes an option with a number as its value, which may have decimals, called `value` in help and `what` in
    /// errors.
    pub(crate) const fn decimal(
        name: &'static str,
        value: &'static str,
        what: &'static str,
        help: &'static str,
    ) -> Self {
        Self { value: OptionValue::Number { name: value, what, is_whole: false }, ..Self::flag(name, help) }
    }

    /// Makes an option with an optional integer.
    pub(crate) const fn optional_number(name: &'static str, value: &'static str, help: &'static str) -> Self {
        Self { value: OptionValue::OptionalNumber { name: value }, ..Self::flag(name, help) }
    }

    /// Makes an option with one of some words.
    pub(crate) const fn choice(name: &'static str, of: &'static [&'static str], help: &'static str) -> Self {
        Self { value: OptionValue::Choice { of, is_optional: false }, ..Self::flag(name, help) }
    }

    /// Makes an option with one of some words, or none.
    pub(crate) const fn optional_choice(name: &'static str, of: &'static [&'static str], help: &'static str) -> Self {
        Self { value: OptionValue::Choice { of, is_optional: true }, ..Self::flag(name, help) }
    }

    /// Makes an option with two words.
    pub(crate) const fn two_words(name: &'static str, names: &'static str, help: &'static str) -> Self {
        Self { value: OptionValue::TwoWords { names }, ..Self::flag(name, help) }
    }

    /// The same option with a default.
    pub(crate) const fn default(self, default: &'static str) -> Self {
        Self { default, ..self }
    }

    /// The same option with a completion of its value.
    pub(crate) const fn completed_by(self, completes: ArgumentKind) -> Self {
        Self { completes, ..self }
    }

    /// The same option, required.
    pub(crate) const fn required(self) -> Self {
        Self { is_required: true, ..self }
    }

    /// The same option, which needs others.
    pub(super) const fn needing(self, needs: &'static [OptionRelation]) -> Self {
        Self { needs, ..self }
    }

    /// The same option, which cannot be combined with others.
    pub(super) const fn excluding(self, conflicts: &'static [OptionRelation]) -> Self {
        Self { conflicts, ..self }
    }

    /// The names of the options that it needs or excludes.
    pub fn related(&self) -> impl Iterator<Item = &'static str> {
        self.needs.iter().chain(self.conflicts).flat_map(OptionRelation::others).map(|(name, _)| name)
    }

    /// Whether the option cannot be combined with another, whatever their values.
    pub(crate) fn excludes(&self, other: &Self) -> bool {
        let excludes = |one: &Self, other: &Self| one.conflicts.iter().any(|conflict| conflict.is_to(other.name));
        excludes(self, other) || excludes(other, self)
    }

    /// The name without its dashes, as specifications have it: `depth`.
    pub(crate) fn key(&self) -> &'static str {
        self.name.trim_start_matches('-')
    }

    /// The name with its value: `--depth MOVES`.
    pub fn usage(&self) -> String {
        match self.value {
            OptionValue::Nothing => self.name.to_string(),
            OptionValue::Word { name, .. } | OptionValue::Number { name, .. } => format!("{} {name}", self.name),
            OptionValue::OptionalNumber { name } => format!("{} [{name}]", self.name),
            OptionValue::Choice { of, is_optional: true } => format!("{} [{}]", self.name, of.join("|")),
            OptionValue::Choice { of, is_optional: false } => format!("{} {}", self.name, of.join("|")),
            OptionValue::TwoWords { names } => format!("{} {names}", self.name),
        }
    }

    /// The values that it takes, for messages.
    pub(super) fn possible(&self) -> String {
        match self.value {
            OptionValue::Nothing => "no value".to_string(),
            OptionValue::Word { what, .. } | OptionValue::Number { what, .. } => what.to_string(),
            OptionValue::OptionalNumber { .. } => "a number".to_string(),
            OptionValue::Choice { of, .. } => {
                alternatives(&of.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>())
            }
            OptionValue::TwoWords { .. } => "two values".to_string(),
        }
    }

    /// The help with the default.
    pub(crate) fn meaning(&self) -> String {
        if self.default.is_empty() {
            self.help.to_string()
        } else {
            format!("{} [default: {}]", self.help, self.default)
        }
    }
}

impl OptionGroup {
    /// A group of the options of one command.
    pub(crate) const fn own(options: &'static [CommandOption]) -> Self {
        Self { name: "", help: "", options }
    }

    /// The group in the usage of a command.
    pub(crate) fn usage(&self) -> String {
        if !self.name.is_empty() {
            return format!("[{}]", self.name);
        }
        let form =
            |option: &CommandOption| if option.is_required { option.usage() } else { format!("[{}]", option.usage()) };
        self.options.iter().map(form).collect::<Vec<_>>().join(" ")
    }
}

pub(super) const DEPTH: CommandOption =
    CommandOption::number("--depth", "MOVES", "a number of moves", "look no further ahead than this");
pub(super) const NODES: CommandOption =
    CommandOption::number("--nodes", "N", "a number of nodes", "visit no more nodes than this");
pub(super) const SECONDS: CommandOption =
    CommandOption::decimal("--seconds", "SECONDS", "a number of seconds", "take no longer than this");
pub(super) const MEMORY: CommandOption = CommandOption::word(
    "--memory",
    "SIZE",
    "a size such as 500M or 2G",
    "remember no more than this: 500M, 2G; MiB without a letter",
);
pub(super) const TRACE: CommandOption =
    CommandOption::optional_number("--trace", "N", "show the first N events of the search")
        .default("none; 1000 without N");
pub(super) const QUEUE: CommandOption = CommandOption::flag("--queue", "show events including the waiting nodes");
pub(super) const COUNT: CommandOption = CommandOption::word(
    "--count",
    "WORD,…",
    "some of `calls`, `generated`, `expanded`, `pops`, `leaves`",
    "say these counts of nodes: calls of the recursive function (searches without a queue or stack), nodes generated, expanded, taken from the queue or stack (searches that have one), leaves",
)
.default("generated, as `nodes`, and expanded");
/// `--rounds`, for iterative searches of one player.
pub(super) const ROUNDS: CommandOption =
    CommandOption::flag("--rounds", "list what each round cost, a line for each limit");
pub(super) const TREE: CommandOption =
    CommandOption::two_words("--tree", "text|list|dot|svg|stages FILE", "draw the explored tree to a file")
        .completed_by(ArgumentKind::File);
pub(super) const BOARDS: CommandOption =
    CommandOption::flag("--boards", "draw the board of each position into an SVG tree").needing(OF_TREE);
pub(super) const MERGE: CommandOption =
    CommandOption::flag("--merge", "draw siblings once whose boards are rotations or reflections of each other")
        .needing(OF_TREE);
const OF_TREE: &[OptionRelation] =
    &[OptionRelation::to(&["--tree"]).saying("`--boards` and `--merge` are for a drawn tree: `--tree svg FILE`")];

/// `--full`, for plans and lines.
pub(super) const FULL: CommandOption =
    CommandOption::flag("--full", "list all moves of plans and lines, also of those that are longer than 60 moves");

/// `--stages`: the intervals after each leaf.
pub(super) const STAGES: CommandOption =
    CommandOption::flag("--stages", "show after each leaf in which interval the value of each open node must lie");

/// The limits of a search.
pub(super) const LIMITS: OptionGroup = OptionGroup {
    name: "LIMITS",
    help: "limits; an answer that is not exact says which limit stopped it",
    options: &[DEPTH, NODES, SECONDS, MEMORY],
};

/// What to show of a search in addition to its answer.
pub(crate) const VIEW: OptionGroup = OptionGroup {
    name: "VIEW",
    help: "what to show of a search: its first N events, including the waiting nodes; the explored tree, with boards; counts of nodes; long plans in full",
    options: &[TRACE, QUEUE, TREE, FORCE, BOARDS, MERGE, COUNT, FULL],
};

/// The option that every command has.
pub(crate) const JSON: CommandOption = CommandOption::flag("--json", "the answer as a JSON object");

/// The groups that several commands share.
pub(crate) const SHARED_OPTIONS: [&OptionGroup; 2] = [&LIMITS, &VIEW];

/// `--goal N`, for searches of one player.
pub(super) const GOAL: CommandOption =
    CommandOption::decimal("--goal", "N", "a utility", "the utility that a plan has to reach")
        .default("the best there is");
/// `--order MOVE,…`, for searches of one player.
pub(super) const ORDER_MOVES: CommandOption = CommandOption::word(
    "--order",
    "MOVE,…|random",
    "moves with commas between them, or `random`",
    "moves to try first, with slashes between the lists of one expansion after the other; or a new random order at each",
)
.completed_by(ArgumentKind::Moves);
/// `--heuristic`, for guided searches.
pub(super) const HEURISTIC: CommandOption = CommandOption::word(
    "--heuristic",
    "SHEET|hmax|hadd|hff",
    "a heuristic",
    "estimates the moves to go: a sheet with rules for `heuristic`, or one computed from the rules of the game",
)
.default("0 everywhere")
.completed_by(ArgumentKind::Heuristic);
/// `--eval SHEET`, for searches of several players.
pub(super) const EVAL: CommandOption = CommandOption::word(
    "--eval",
    "SHEET",
    "a sheet",
    "judges states at the depth limit: a sheet with rules for `evaluation`",
)
.completed_by(ArgumentKind::Heuristic);
/// `--guess`, for searches of several players.
pub(super) const GUESS: CommandOption = CommandOption::flag(
    "--guess",
    "judges states at the depth limit by goal values and numbers of moves, in place of a sheet",
)
.excluding(&[OptionRelation::to(&["--eval"])]);
/// `--extend-forced`, for searches of several players.
pub(super) const EXTEND_FORCED: CommandOption = CommandOption::flag(
    "--extend-forced",
    "look further ahead than --depth while no role has a choice: only joint moves with a choice count",
);
/// `--svg FILE`, for drawings.
pub(super) const SVG: CommandOption = file("--svg", "draw charts to a file");

/// `--force`, for commands that write files.
pub(crate) const FORCE: CommandOption = CommandOption::flag("--force", "replace files that exist");

/// Makes an option with the name of a file to write; `-` is standard output.
pub(super) const fn file(name: &'static str, help: &'static str) -> CommandOption {
    CommandOption::word(name, "FILE", "a file", help).completed_by(ArgumentKind::File)
}
