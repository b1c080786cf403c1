//! The options of players beside those of searches ([`crate::ask::options`]): their keys, kinds of value and forms.

use super::playout_options::PlayoutKind;
use crate::ask::spec::{SearchOption, ValueKind};

/// `nodes=N`: random games for a move; for `mixed`, nodes of the search for a plan.
pub(crate) const NODES: SearchOption = SearchOption::new(
    "nodes",
    ValueKind::Integer { least: 1, most: u64::MAX },
    "`nodes=N`, a number from 1: random games for a move, or nodes of a search for a plan",
);
/// `memory=SIZE`: the memory limit of the search.
pub(crate) const MEMORY: SearchOption =
    SearchOption::new("memory", ValueKind::Size, "`memory=SIZE`, above 0, such as 500M or 2G (MiB without a letter)");
/// `playouts=NAME`: how random games are played.
pub(crate) const PLAYOUTS: SearchOption = SearchOption::new(
    "playouts",
    ValueKind::Word(&[PlayoutKind::Decisive.name(), PlayoutKind::Lanes.name(), PlayoutKind::Single.name()]),
    "`playouts=decisive`, `playouts=lanes` or `playouts=single`",
);
/// `repeats=N`: random games from a leaf, if they are played in lanes.
pub(crate) const REPEATS: SearchOption = SearchOption::new(
    "repeats",
    ValueKind::Integer { least: 1, most: 64 },
    "`repeats=N`, a number of random games from a leaf from 1 to 64",
);
/// `exploration=C`: the weight of exploration in UCB1.
pub(crate) const EXPLORATION: SearchOption =
    SearchOption::new("exploration", ValueKind::Weight, "`exploration=C`, a number from 0");
/// `exact=N`: how much exact search is added to the random games.
pub(crate) const EXACT: SearchOption = SearchOption::new(
    "exact",
    ValueKind::Weight,
    "`exact=N`, a number of nodes of exact search for each random game from 0",
);
/// `estimate=W`: how much a learned evaluation counts against random games.
pub(crate) const ESTIMATE: SearchOption =
    SearchOption::new("estimate", ValueKind::Probability, "`estimate=W`, a number from 0 to 1");
/// `rave=N`: the most visits for which games count in which a role made a move later.
pub(crate) const RAVE: SearchOption =
    SearchOption::new("rave", ValueKind::Weight, "`rave=N`, a number of visits from 0");
/// `transpositions=no`: whether lines that lead to the same state meet in one node of the tree.
pub(crate) const TRANSPOSITIONS: SearchOption =
    SearchOption::new("transpositions", ValueKind::Word(&["yes", "no"]), "`transpositions=yes` or `transpositions=no`");
/// `ponder=yes`: whether the player thinks in the time of the others.
pub(crate) const PONDER: SearchOption =
    SearchOption::new("ponder", ValueKind::Word(&["yes", "no"]), "`ponder=yes` or `ponder=no`");
/// `threads=N`: the threads with which a player thinks.
pub(crate) const THREADS: SearchOption = SearchOption::new(
    "threads",
    ValueKind::Integer { least: 1, most: 64 },
    "`threads=N`, a number from 1 to 64: one grows the tree, the others play random games",
);
/// `db=FOLDER`: the files of `ggp solve` from which a player plays, as far as they know the game.
pub(crate) const DATABASE: SearchOption =
    SearchOption::new("db", ValueKind::File, "`db=FOLDER`, a folder of `ggp solve`");
