//! The options of the searches of several players, as everybody gives them: their keys, and what they mean. Who reads
//! them from a text ([`super::spec`]) or from the line of a command only says which are given ([`GivenOptions`]).

use super::opponents::MODELS;
pub(crate) use super::opponents::{DEPTH, EVALUATION};
use super::spec::{SearchOption, SearchSpec, ValueKind};
use super::{Algorithm, OpponentSpec};
use crate::search::{Enhancements, EqualMoves, Ordering, Pruning};

/// `guess`: states at the horizon are judged by what every game has ([`super::guess`]).
pub(crate) const GUESS: SearchOption = SearchOption::new(
    "guess",
    ValueKind::Flag,
    "`guess`, which judges states at the depth limit by goal values and moves",
)
.excluding(EVALUATION.key);
/// `extend-forced`: joint moves without a choice do not count towards the depth.
pub(crate) const EXTEND_FORCED: SearchOption = SearchOption::new(
    "extend-forced",
    ValueKind::Flag,
    "`extend-forced`, with which joint moves without a choice do not count towards the depth",
);
/// `table`: states and their values are remembered.
pub(crate) const TABLE: SearchOption =
    SearchOption::new("table", ValueKind::Flag, "`table`, which remembers states and their values");
/// `order=ORDER`: which moves are tried first.
pub(crate) const ORDER: SearchOption = SearchOption::new(
    "order",
    ValueKind::Word(&["given", "evaluation", "estimate", "table", "best", "worst", "random"]),
    "`order=ORDER`: given, evaluation, estimate, table, best, worst or random",
);
/// `seed=N`: the seed of random choices.
pub(crate) const SEED: SearchOption =
    SearchOption::new("seed", ValueKind::Integer { least: 0, most: u64::MAX }, "`seed=N`, an integer from 0");
/// `killers`: moves that have cut at the same depth are tried first.
pub(crate) const KILLERS: SearchOption =
    SearchOption::new("killers", ValueKind::Flag, "`killers`, which tries moves first that have cut at the same depth");
/// `history`: moves that have cut often are tried first.
pub(crate) const HISTORY: SearchOption =
    SearchOption::new("history", ValueKind::Flag, "`history`, which tries moves first that have cut often");
/// `null-windows`: of moves after the first it is asked only whether they are better.
pub(crate) const NULL_WINDOWS: SearchOption = SearchOption::new(
    "null-windows",
    ValueKind::Flag,
    "`null-windows`, which asks of moves after the first only whether they are better",
);
/// `aspiration`: each round begins with a window around the value before.
pub(crate) const ASPIRATION: SearchOption = SearchOption::new(
    "aspiration",
    ValueKind::Flag,
    "`aspiration`, which begins each round around the value of the round before",
);
/// `ties`: equally good first moves are told apart from others.
pub(crate) const TIES: SearchOption =
    SearchOption::new("ties", ValueKind::OptionalWord(&["honest", "naive"]), "`ties`, `ties=honest` or `ties=naive`");
/// `opponents=MODEL`: what is assumed of the other roles.
pub(crate) const OPPONENTS: SearchOption = SearchOption::new(
    "opponents",
    ValueKind::Search(&MODELS),
    "`opponents=MODEL`: uniform, minimax, minimax:depth=N+epsilon=E+eval=SHEET, greedy:eval=SHEET or weights:file=FILE",
);

/// The options that were given to a search.
pub(crate) trait GivenOptions {
    /// Whether the option is given.
    fn is_given(&self, option: &SearchOption) -> bool;

    /// The word that is given with the option.
    fn given_word(&self, option: &SearchOption) -> Option<&str>;
}

impl GivenOptions for SearchSpec {
    fn is_given(&self, option: &SearchOption) -> bool {
        self.has(option)
    }

    fn given_word(&self, option: &SearchOption) -> Option<&str> {
        self.text(option)
    }
}

/// Orders of moves, memory and windows as they are given; `seed` is that of a random order which has none.
pub(crate) fn pruning(given: &impl GivenOptions, seed: impl FnOnce() -> u64) -> Pruning {
    let number = given.given_word(&SEED).and_then(|seed| seed.parse().ok());
    let ordering = match given.given_word(&ORDER) {
        Some("evaluation") => Ordering::Evaluation,
        Some("estimate") => Ordering::Estimate,
        Some("table") => Ordering::Table,
        Some("best") => Ordering::Best,
        Some("worst") => Ordering::Worst,
        Some("random") => Ordering::Random { seed: number.unwrap_or_else(seed) },
        _ => Ordering::Canonical,
    };
    let ties = match given.given_word(&TIES) {
        Some("naive") => EqualMoves::Naive,
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
    /// What the search assumes of opponents if nothing else is said: expectimax that they move at random, unless the game
    /// has chance, which does.
    pub(crate) fn usual_opponents(self, has_chance: bool) -> Option<OpponentSpec> {
        match self {
            Self::Expectimax if !has_chance => Some(OpponentSpec::Uniform),
            Self::Expectimax | Self::Expectiminimax => Some(OpponentSpec::Adversaries),
            _ => None,
        }
    }

    /// The options that the search has for everybody who asks; the prompt has others, for what is shown.
    pub(crate) const fn options(self) -> &'static [SearchOption] {
        match self {
            Self::Minimax | Self::Negamax => &[DEPTH, TABLE, TIES, EVALUATION, GUESS, EXTEND_FORCED],
            Self::AlphaBeta | Self::Paranoid => {
                &[DEPTH, ORDER, SEED, TABLE, KILLERS, HISTORY, NULL_WINDOWS, TIES, EVALUATION, GUESS, EXTEND_FORCED]
            }
            Self::Iterative => &[DEPTH, KILLERS, HISTORY, NULL_WINDOWS, ASPIRATION, EVALUATION, GUESS, EXTEND_FORCED],
            Self::MaxN => &[DEPTH, TABLE, EVALUATION, GUESS, EXTEND_FORCED],
            Self::Expectimax => &[DEPTH, EVALUATION, GUESS, OPPONENTS, TABLE, EXTEND_FORCED],
            Self::Expectiminimax => &[DEPTH, TABLE, EVALUATION, GUESS, EXTEND_FORCED],
            Self::Nash => &[DEPTH, EVALUATION, GUESS, EXTEND_FORCED],
        }
    }
}
