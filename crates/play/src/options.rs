//! The options of players beside those of searches ([`crate::ask::options`]).

use crate::ask::PlayoutKind;
pub(crate) use crate::ask::options::{DEPTH, MEMORY};
pub(crate) use crate::ask::sampling::{EXPLORATION, VISITS};
use crate::ask::spec::{NamedOption, NumberKind, TextValue};

/// `seed=N`: the seed of everything that a player draws.
pub(crate) const SEED: NamedOption =
    NamedOption::number("--seed", "N", "an integer from 0", "the seed of its random choices");
/// `nodes=N`: nodes of the search for a plan.
pub(crate) const NODES: NamedOption =
    NamedOption::number("--nodes", "N", "a number from 1", "nodes of a search for a plan").within(1, u64::MAX);
/// `playouts=NAME`: how random games are played.
pub(crate) const PLAYOUTS: NamedOption = NamedOption::choice(
    "--playouts",
    &[PlayoutKind::Decisive.name(), PlayoutKind::Lanes.name(), PlayoutKind::Single.name()],
    "how random games are played: a role that can win at once does, hundreds at once, or one after the other",
);
/// `repeats=N`: random games from a leaf, if they are played in lanes.
pub(crate) const REPEATS: NamedOption =
    NamedOption::number("--repeats", "N", "a number from 1 to 64", "random games from a leaf").within(1, 64);
/// `exact=N`: how much exact search is added to the random games.
pub(crate) const EXACT: NamedOption =
    NamedOption::decimal("--exact", "N", "a number from 0", "nodes of exact search for each random game");
/// `estimate=W`: how much a learned evaluation counts against random games.
pub(crate) const ESTIMATE: NamedOption = NamedOption::decimal(
    "--estimate",
    "W",
    "a number from 0 to 1",
    "how much a learned evaluation counts against random games",
)
.of_kind(NumberKind::Probability);
/// `rave=N`: the most visits for which games count in which a role made a move later.
pub(crate) const RAVE: NamedOption = NamedOption::decimal(
    "--rave",
    "N",
    "a number of visits from 0",
    "the most visits for which games count in which a role made a move later",
);
/// `transpositions=no`: whether lines that lead to the same state meet in one node of the tree.
pub(crate) const TRANSPOSITIONS: NamedOption = NamedOption::choice(
    "--transpositions",
    &["yes", "no"],
    "whether lines that lead to the same state meet in one node of the tree",
);
/// `ponder=yes`: whether the player thinks in the time of the others.
pub(crate) const PONDER: NamedOption =
    NamedOption::choice("--ponder", &["yes", "no"], "whether it thinks in the time of the others");
/// `threads=N`: the threads with which a player thinks.
pub(crate) const THREADS: NamedOption = NamedOption::number(
    "--threads",
    "N",
    "a number from 1 to 64",
    "one thread grows the tree, the others play random games",
)
.within(1, 64);
/// `db=FOLDER`: the files of `ggp solve` from which a player plays, as far as they know the game.
pub(crate) const DATABASE: NamedOption = NamedOption::text(
    "--db",
    "FOLDER",
    "a folder of `ggp solve`",
    TextValue::File,
    "plays from the files of a solved game, as far as they know it",
);
