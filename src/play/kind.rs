//! The kinds of players, by name.

use OptionKind::{Database, Depth, Evaluation, Exploration, Memory, Nodes, Opponents, Playouts, Repeats, Seed};

/// A kind of player, which specifications name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerKind {
    /// Makes the first legal move.
    Legal,
    /// Makes a random legal move.
    Random,
    /// For one role: searches for a plan again at each step.
    Deliberation,
    /// For one role: searches for a plan once and follows it.
    Planner,
    /// For one role: makes random moves until the rest of the game can be planned whole.
    Mixed,
    /// Maximises the utility that it can force.
    Minimax,
    /// Alpha-beta with iterative deepening, as long as there is time.
    AlphaBeta,
    /// Maximises the expected utility against others who move at random, or as is assumed of them.
    Expectimax,
    /// Flat Monte Carlo: random games after each move.
    MonteCarlo,
    /// Monte Carlo tree search (UCT), kept from move to move.
    Mcts,
    /// Asks a person for each move.
    Human,
    /// A planner for one role, otherwise Monte Carlo tree search.
    Auto,
}

impl PlayerKind {
    /// All kinds, in the order of the help text.
    pub const ALL: &[Self] = &[
        Self::Legal,
        Self::Random,
        Self::Deliberation,
        Self::Planner,
        Self::Mixed,
        Self::Minimax,
        Self::AlphaBeta,
        Self::Expectimax,
        Self::MonteCarlo,
        Self::Mcts,
        Self::Human,
        Self::Auto,
    ];

    /// The name in specifications and commands.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Random => "random",
            Self::Deliberation => "deliberation",
            Self::Planner => "planner",
            Self::Mixed => "mixed",
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
            Self::Expectimax => "expectimax",
            Self::MonteCarlo => "montecarlo",
            Self::Mcts => "mcts",
            Self::Human => "human",
            Self::Auto => "auto",
        }
    }

    /// A description of a few words, for help texts.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Legal => "the first legal move",
            Self::Random => "any legal move, each with the same probability",
            Self::Deliberation => "one role: searches for a plan again at each step",
            Self::Planner => "one role: finds a plan in the start clock and follows it",
            Self::Mixed => "one role: random moves until the rest is small enough to plan it whole",
            Self::Minimax => "minimax, to the end of the game or to a depth",
            Self::AlphaBeta => "alpha-beta, deepening as long as there is time",
            Self::Expectimax => "expectimax against others who move at random, or as is assumed of them",
            Self::MonteCarlo => "flat Monte Carlo: random games after each move",
            Self::Mcts => "Monte Carlo tree search (UCT)",
            Self::Human => "asks in the terminal",
            Self::Auto => "planner for one role, otherwise mcts",
        }
    }

    /// The options that the kind supports.
    pub(crate) fn options(self) -> &'static [OptionKind] {
        match self {
            Self::Legal | Self::Human => &[],
            Self::Deliberation | Self::Planner => &[Database],
            Self::Random => &[Seed, Database],
            Self::Mixed => &[Seed, Nodes, Memory, Database],
            Self::Minimax | Self::AlphaBeta => &[Depth, Evaluation, Memory, Database],
            Self::Expectimax => &[Depth, Evaluation, Opponents, Memory, Database],
            Self::MonteCarlo => &[Seed, Nodes, Playouts, Database],
            Self::Mcts | Self::Auto => &[Seed, Nodes, Memory, Playouts, Repeats, Exploration, Database],
        }
    }

    /// Whether it answers at once, so that many matches at a time do not slow it down.
    pub(crate) fn is_quick(self) -> bool {
        matches!(self, Self::Legal | Self::Random)
    }
}

/// An option, by its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionKind {
    /// `seed=N`: the seed of random choices.
    Seed,
    /// `depth=N`: the depth in plies with a choice.
    Depth,
    /// `nodes=N`: random games for a move; for `mixed`, nodes of the search for a plan.
    Nodes,
    /// `eval=SHEET`: the sheet with the evaluation.
    Evaluation,
    /// `opponents=MODEL`: what is assumed of the other roles.
    Opponents,
    /// `memory=SIZE`: the memory limit of the search.
    Memory,
    /// `playouts=NAME`: how random games are played.
    Playouts,
    /// `repeats=N`: random games from a leaf.
    Repeats,
    /// `exploration=C`: the weight of exploration in UCB1.
    Exploration,
    /// `db=FOLDER`: the files of `ggp solve` from which it plays.
    Database,
}

impl OptionKind {
    /// The key in specifications, as in `seed=1`.
    pub(crate) fn key(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Depth => "depth",
            Self::Nodes => "nodes",
            Self::Evaluation => "eval",
            Self::Opponents => "opponents",
            Self::Memory => "memory",
            Self::Playouts => "playouts",
            Self::Repeats => "repeats",
            Self::Exploration => "exploration",
            Self::Database => "db",
        }
    }

    /// The form of the option with the range of its value, for messages.
    pub(crate) fn form(self) -> &'static str {
        match self {
            Self::Seed => "`seed=N`, an integer from 0",
            Self::Depth => "`depth=N`, a number of plies from 1",
            Self::Nodes => "`nodes=N`, a number from 1: random games for a move, or nodes of a search for a plan",
            Self::Evaluation => "`eval=SHEET`, a sheet of the library or a file",
            Self::Opponents => {
                "`opponents=MODEL`: uniform, minimax, minimax:depth=N+epsilon=E+eval=SHEET, greedy:eval=SHEET or \
                 weights:file=FILE"
            }
            Self::Memory => "`memory=SIZE`, above 0, such as 500M or 2G (MiB without a letter)",
            Self::Playouts => "`playouts=lanes` or `playouts=single`",
            Self::Repeats => "`repeats=N`, a number of random games from a leaf from 1 to 64",
            Self::Exploration => "`exploration=C`, a number from 0",
            Self::Database => "`db=FOLDER`, a folder of `ggp solve`",
        }
    }
}
