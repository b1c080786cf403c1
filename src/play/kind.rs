//! The kinds of players: their names and options.

use super::opponents::{DEPTH, EVALUATION};
use super::options::{
    DATABASE, ESTIMATE, EXACT, EXPLORATION, MEMORY, NODES, OPPONENTS, PLAYOUTS, PONDER, RAVE, REPEATS, SEED, THREADS,
    TRANSPOSITIONS,
};
use super::spec::{Noun, SearchOption, Signature, Vocabulary};

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

/// The names and options of the kinds, in the order of [`PlayerKind::ALL`].
pub(crate) const PLAYERS: Vocabulary = Vocabulary {
    noun: Noun::Player,
    signatures: &[
        player("legal", &[]),
        player("random", &[SEED, DATABASE]),
        player("deliberation", &[DATABASE]),
        player("planner", &[DATABASE]),
        player("mixed", &[SEED, NODES, MEMORY, DATABASE]),
        player("minimax", &[DEPTH, EVALUATION, MEMORY, DATABASE]),
        player("alphabeta", &[DEPTH, EVALUATION, MEMORY, DATABASE]),
        player("expectimax", &[DEPTH, EVALUATION, OPPONENTS, MEMORY, DATABASE]),
        player("montecarlo", &[SEED, NODES, PLAYOUTS, DATABASE]),
        player("mcts", MCTS),
        player("human", &[]),
        player("auto", MCTS),
    ],
};

const MCTS: &[SearchOption] = &[
    SEED,
    NODES,
    MEMORY,
    PLAYOUTS,
    REPEATS,
    EXPLORATION,
    EXACT,
    ESTIMATE,
    RAVE,
    TRANSPOSITIONS,
    PONDER,
    THREADS,
    DATABASE,
];

const fn player(name: &'static str, options: &'static [SearchOption]) -> Signature<'static> {
    Signature::new(Noun::Player, name, options)
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
        self.signature().name
    }

    /// The name with the options that the kind supports.
    pub(crate) fn signature(self) -> &'static Signature<'static> {
        &PLAYERS.signatures[self as usize]
    }

    /// The kind with this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// Whether it answers at once, so that many matches at a time do not slow it down.
    pub(crate) fn is_quick(self) -> bool {
        matches!(self, Self::Legal | Self::Random)
    }
}
