//! Options that several commands of the prompt have, and their groups. The options of searches themselves are in
//! [`ggp_play::ask::options`]; here are those that say what is shown of a search, and those that only the prompt has.

use ggp_play::ask::options::{DEPTH, MEMORY, NODES, SECONDS};
use ggp_play::ask::spec::{NamedOption, OptionRelation, TextValue};

/// A group of options: those of one command, or those that several commands share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionGroup {
    /// The word for the group in the usage of a command; empty for the options of one command.
    pub(crate) name: &'static str,
    /// The common effect of its options, in a phrase.
    pub(crate) help: &'static str,
    /// The options of the group.
    pub options: &'static [NamedOption],
}

impl OptionGroup {
    /// A group of the options of one command.
    pub(crate) const fn own(options: &'static [NamedOption]) -> Self {
        Self { name: "", help: "", options }
    }

    /// The group in the usage of a command.
    pub(crate) fn usage(&self) -> String {
        if !self.name.is_empty() {
            return format!("[{}]", self.name);
        }
        let form =
            |option: &NamedOption| if option.is_required { option.usage() } else { format!("[{}]", option.usage()) };
        self.options.iter().map(form).collect::<Vec<_>>().join(" ")
    }
}

pub(super) const TRACE: NamedOption =
    NamedOption::optional_number("--trace", "N", "show the first N events of the search")
        .default("none; 1000 without N");
pub(super) const QUEUE: NamedOption =
    NamedOption::optional_number("--queue", "N", "show events including the first N waiting nodes")
        .default("none; all without N");
pub(super) const COUNT: NamedOption = NamedOption::word(
    "--count",
    "WORD,…",
    "some of `calls`, `generated`, `expanded`, `pops`, `leaves`",
    "print these counts of nodes: calls of the recursive function (searches without a queue or stack), nodes generated, expanded, taken from the queue or stack (searches that have one), leaves",
)
.default("generated, as `nodes`, and expanded");
/// `--rounds`, for iterative searches of one player.
pub(super) const ROUNDS: NamedOption =
    NamedOption::flag("--rounds", "list what each round cost, a line for each limit");
pub(super) const TREE: NamedOption = NamedOption::two_words(
    "--tree",
    "text|list|dot|svg|stages [FILE]",
    "draw the explored tree, to a file or below the answer",
);
pub(super) const BOARDS: NamedOption =
    NamedOption::flag("--boards", "draw the board of each position into an SVG tree").needing(OF_TREE);
pub(super) const MERGE: NamedOption =
    NamedOption::flag("--merge", "draw siblings once whose boards are rotations or reflections of each other")
        .needing(OF_TREE);
const OF_TREE: &[OptionRelation] =
    &[OptionRelation::to(&["--tree"]).saying("`--boards` and `--merge` are for a drawn tree: `--tree svg FILE`")];

/// `--full`, for plans and lines.
pub(super) const FULL: NamedOption =
    NamedOption::flag("--full", "list all moves of plans and lines, also of those that are longer than 60 moves");

/// `--list`, with `--runs`.
pub(super) const LIST: NamedOption =
    NamedOption::flag("--list", "list the counts of all runs").needing(&[OptionRelation::to(&["--runs"])]);

/// `--stages`: the intervals after each leaf.
pub(super) const STAGES: NamedOption =
    NamedOption::flag("--stages", "show after each leaf in which interval the value of each open node must lie");

/// The limits of a search.
pub(super) const LIMITS: OptionGroup = OptionGroup {
    name: "LIMITS",
    help: "limits; an answer that is not exact says which limit stopped it",
    options: &[DEPTH, NODES, SECONDS, MEMORY],
};

/// Parts of a search that are shown in addition to its answer.
pub(crate) const VIEW: OptionGroup = OptionGroup {
    name: "OUTPUT",
    help: "what to show of a search: its first N events, including the waiting nodes; the explored tree, with boards; counts of nodes; long plans in full",
    options: &[TRACE, QUEUE, TREE, FORCE, BOARDS, MERGE, COUNT, FULL],
};

/// The option that every command has.
pub(crate) const JSON: NamedOption = NamedOption::flag("--json", "the answer as a JSON object");

/// The groups that several commands share.
pub(crate) const SHARED_OPTIONS: [&OptionGroup; 2] = [&LIMITS, &VIEW];

/// `--svg FILE`, for drawings.
pub(crate) const SVG: NamedOption = file("--svg", "draw charts to a file");

/// `--force`, for commands that write files.
pub(crate) const FORCE: NamedOption = NamedOption::flag("--force", "replace files that exist");

/// Makes an option with the name of a file to write; `-` is standard output.
pub(super) const fn file(name: &'static str, help: &'static str) -> NamedOption {
    NamedOption::text(name, "FILE", "a file", TextValue::File, help)
}
