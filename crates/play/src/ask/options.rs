//! The options of searches, the same for all callers: their names and their meaning. The reader of a text
//! ([`super::spec`]) or of the line of a command only reports the options that are given ([`GivenOptions`]).

#[doc(hidden)]
pub use super::opponents::EVALUATION;
use super::opponents::MODELS;
use super::spec::{NamedOption, NumberKind, OptionRelation, SearchSpec, TextValue};
use super::{Algorithm, OpponentSpec};
use ggp_search::{Enhancements, EqualMoves, Ordering, Pruning};
use std::str::FromStr;

/// `--depth`: the number of joint moves that a search looks ahead.
pub const DEPTH: NamedOption =
    NamedOption::number("--depth", "MOVES", "a number of moves", "look no further ahead than this")
        .within(0, u32::MAX as u64);
/// `--nodes`: the most nodes that a search visits.
pub const NODES: NamedOption =
    NamedOption::number("--nodes", "N", "a number of nodes", "visit no more nodes than this");
/// `--seconds`: the time of a search.
pub const SECONDS: NamedOption =
    NamedOption::decimal("--seconds", "SECONDS", "a number of seconds", "take no longer than this")
        .of_kind(NumberKind::Seconds);
/// `--memory`: the memory limit of a search.
pub const MEMORY: NamedOption = NamedOption::text(
    "--memory",
    "SIZE",
    "a size such as 500M or 2G",
    TextValue::Size,
    "the memory limit: 500M, 2G; MiB without a letter",
);
/// `--guess`: states at the horizon are evaluated by goal values and mobility ([`guess`](super::guess)).
pub const GUESS: NamedOption = NamedOption::flag(
    "--guess",
    "judges states at the depth limit by goal values and numbers of moves, in place of a sheet",
)
.excluding(&[OptionRelation::to(&["--eval"])]);
/// `--net`: the network of `ggp train` that judges, or a folder in which there is one of the game.
pub const NETWORK: NamedOption = NamedOption::text(
    "--net",
    "FILE",
    "a file of `ggp train`, or a folder of such files",
    TextValue::File,
    "judges by a network that has learned the game; in a folder, that of the same rules is found, whatever the names",
)
.excluding(&[OptionRelation::to(&["--eval", "--guess"])]);
/// `--extend-forced`: joint moves without a choice do not count towards the depth.
pub const EXTEND_FORCED: NamedOption = NamedOption::flag(
    "--extend-forced",
    "search beyond --depth as long as no role has a choice: only joint moves with a choice count",
);
/// `--table`: states and their values are remembered.
pub(crate) const TABLE: NamedOption = NamedOption::flag(
    "--table",
    "remember states and their values; if play can return to a state and the game has few states, answer from all states",
);
/// `--order`: the moves that are tried first.
const ORDER: NamedOption = NamedOption::choice(
    "--order",
    &["given", "evaluation", "estimate", "table", "best", "worst", "random"],
    "which moves to try first: in canonical order, those that the evaluation (`estimate`: also of ends of the game) or the table of states prefers, the best or \
     the worst by their minimax values, or at random by the seed",
)
.default("given");
/// `--seed`: the seed of a random order.
pub const SEED: NamedOption = NamedOption::number("--seed", "N", "a whole number", "the seed of `--order random`")
    .default("that of the session")
    .needing(&[OptionRelation::to(&["--order random"])]);
/// `--killers`: moves that have cut at the same depth are tried first.
pub(crate) const KILLERS: NamedOption =
    NamedOption::flag("--killers", "try the last two moves that have cut at the same depth before others");
/// `--history`: moves that have cut often are tried first.
const HISTORY: NamedOption =
    NamedOption::flag("--history", "try moves that have cut often before others, after the killers");
/// `--null-windows`: moves after the first are searched with an empty window, which shows only if they are better.
pub(crate) const NULL_WINDOWS: NamedOption = NamedOption::flag(
    "--null-windows",
    "only test whether a move after the first is better, and search it again if it is (PVS)",
);
/// `--aspiration`: each round begins with a window around the value before.
const ASPIRATION: NamedOption =
    NamedOption::flag("--aspiration", "begin each round with a window around the value of the round before");
/// `--ties`: equally good first moves are distinguished from others.
const TIES: NamedOption = NamedOption::optional_choice(
    "--ties",
    &[HONEST, NAIVE],
    "list all first moves that are equally good; `naive`: also moves that a cut left at a bound equal to this value",
)
.default("none; honest without a word");
/// All first moves that are worth as much as the best, and no others.
const HONEST: &str = "honest";
const NAIVE: &str = "naive";
/// `--opponents`: the assumption about the other roles.
pub const OPPONENTS: NamedOption = NamedOption::search(
    "--opponents",
    "MODEL",
    "an assumption about the opponents",
    &MODELS,
    "what to assume of the other roles: uniform, minimax, minimax:depth=N,epsilon=E,eval=SHEET, greedy:eval=SHEET or \
     weights:file=FILE",
)
.default("uniform; in a game with `random` minimax");

/// The options that were given to a search.
pub trait GivenOptions {
    /// True if the option is given.
    fn is_given(&self, option: &NamedOption) -> bool;

    /// The word that is given with the option.
    fn given_word(&self, option: &NamedOption) -> Option<&str>;

    /// The number that is given with the option.
    fn given_number<T: FromStr>(&self, option: &NamedOption) -> Option<T> {
        self.given_word(option)?.parse().ok()
    }
}

impl GivenOptions for SearchSpec {
    fn is_given(&self, option: &NamedOption) -> bool {
        self.has(option)
    }

    fn given_word(&self, option: &NamedOption) -> Option<&str> {
        self.text(option)
    }
}

/// Orders of moves, memory and windows as they are given; `seed` is that of a random order which has none.
pub fn pruning(given: &impl GivenOptions, seed: impl FnOnce() -> u64) -> Pruning {
    let ordering = match given.given_word(&ORDER) {
        Some("evaluation") => Ordering::Evaluation,
        Some("estimate") => Ordering::Estimate,
        Some("table") => Ordering::Table,
        Some("best") => Ordering::Best,
        Some("worst") => Ordering::Worst,
        Some("random") => Ordering::Random { seed: given.given_number(&SEED).unwrap_or_else(seed) },
        _ => Ordering::Canonical,
    };
    let ties = match given.given_word(&TIES) {
        Some(NAIVE) => EqualMoves::Naive,
        _ if given.is_given(&TIES) => EqualMoves::Honest,
        _ => EqualMoves::Unknown,
    };
    let enhancements = Enhancements {
        killers: given.is_given(&KILLERS),
        history: given.is_given(&HISTORY),
        null_windows: given.is_given(&NULL_WINDOWS),
        aspiration: given.is_given(&ASPIRATION),
    };
    Pruning { ordering, table: given.is_given(&TABLE), ties, enhancements }
}

impl Algorithm {
    /// The default assumption about opponents. Expectimax assumes random moves, but adversaries in a game with chance.
    pub fn usual_opponents(self, has_chance: bool) -> Option<OpponentSpec> {
        match self {
            Self::Expectimax if !has_chance => Some(OpponentSpec::Uniform),
            Self::Expectimax | Self::Expectiminimax => Some(OpponentSpec::Adversaries),
            _ => None,
        }
    }

    /// The options that the search has for all callers, without its limits. The prompt has more, for its output.
    pub const fn options(self) -> &'static [NamedOption] {
        match self {
            Self::Minimax | Self::Negamax => &[TABLE, TIES, EVALUATION, GUESS, NETWORK, EXTEND_FORCED],
            Self::AlphaBeta | Self::Paranoid => {
                &[ORDER, SEED, TABLE, KILLERS, HISTORY, NULL_WINDOWS, TIES, EVALUATION, GUESS, NETWORK, EXTEND_FORCED]
            }
            Self::Iterative => &[KILLERS, HISTORY, NULL_WINDOWS, ASPIRATION, EVALUATION, GUESS, NETWORK, EXTEND_FORCED],
            Self::Expectimax => &[EVALUATION, GUESS, OPPONENTS, TABLE, EXTEND_FORCED],
            Self::MaxN => &[TABLE, EVALUATION, GUESS, NETWORK, EXTEND_FORCED],
            // Means are of utilities, and estimates of a network are in other units.
            Self::Expectiminimax => &[TABLE, EVALUATION, GUESS, EXTEND_FORCED],
            Self::Nash => &[EVALUATION, GUESS, EXTEND_FORCED],
        }
    }
}
