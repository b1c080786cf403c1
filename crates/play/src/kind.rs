//! The kinds of players: their names and options.

use super::options::{
    DATABASE, DEPTH, ESTIMATE, EXACT, EXPLORATION, MEMORY, NODES, PLAYOUTS, PONDER, RAVE, REPEATS, SEED, THREADS,
    TRANSPOSITIONS, VISITS,
};
use crate::ask::options::EVALUATION;
use crate::ask::spec::{NamedOption, Noun, Signature, Vocabulary};
use crate::ask::{Algorithm, PlanAlgorithm, Sampling};

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
    /// Asks a search at each turn, with the options that it has at the prompt.
    Search(Algorithm),
    /// Alpha-beta with iterative deepening and all its enhancements, as long as there is time.
    Deepening,
    /// For one role: asks a search for a plan at each turn, with the options that it has at the prompt.
    Plan(PlanAlgorithm),
    /// Asks random games at each turn, with the options that the search has at the prompt.
    Sample(Sampling),
    /// Monte Carlo tree search (UCT) with all its enhancements, kept from move to move.
    Growing,
    /// Asks a person for each move.
    Human,
    /// A planner for one role, otherwise Monte Carlo tree search.
    Auto,
}

/// The names and options of the kinds, in the order of [`PlayerKind::ALL`].
pub const PLAYERS: Vocabulary = Vocabulary { noun: Noun::Player, signatures: &SIGNATURES };

const SIGNATURES: [Signature<'static>; PlayerKind::ALL.len()] = {
    let mut all = [PlayerKind::Legal.own_signature(); PlayerKind::ALL.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = PlayerKind::ALL[at].own_signature();
        at += 1;
    }
    all
};

const GROWING: &[NamedOption] = &[
    SEED,
    VISITS,
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

impl PlayerKind {
    /// All kinds, in the order of the help text.
    pub const ALL: &[Self] = &[
        Self::Legal,
        Self::Random,
        Self::Deliberation,
        Self::Planner,
        Self::Mixed,
        Self::Search(Algorithm::Minimax),
        Self::Search(Algorithm::Negamax),
        Self::Search(Algorithm::AlphaBeta),
        Self::Search(Algorithm::Iterative),
        Self::Search(Algorithm::Paranoid),
        Self::Search(Algorithm::MaxN),
        Self::Search(Algorithm::Expectimax),
        Self::Search(Algorithm::Expectiminimax),
        Self::Search(Algorithm::Nash),
        Self::Plan(PlanAlgorithm::BreadthFirst),
        Self::Plan(PlanAlgorithm::DepthFirst),
        Self::Plan(PlanAlgorithm::IterativeDeepening),
        Self::Plan(PlanAlgorithm::AStar),
        Self::Plan(PlanAlgorithm::IdaStar),
        Self::Plan(PlanAlgorithm::Greedy),
        Self::Plan(PlanAlgorithm::BestMove),
        Self::Plan(PlanAlgorithm::BestPlan),
        Self::Deepening,
        Self::Sample(Sampling::MonteCarlo),
        Self::Sample(Sampling::Mcts),
        Self::Growing,
        Self::Human,
        Self::Auto,
    ];

    /// The name in specifications and commands.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Random => "random",
            Self::Deliberation => "deliberation",
            Self::Planner => "planner",
            Self::Mixed => "mixed",
            Self::Search(algorithm) => algorithm.name(),
            Self::Deepening => "deepening",
            Self::Plan(algorithm) => algorithm.name(),
            Self::Sample(sampling) => sampling.name(),
            Self::Growing => "growing",
            Self::Human => "human",
            Self::Auto => "auto",
        }
    }

    /// The name with the options of the kind. A player that asks a search has the options of that search.
    const fn own_signature(self) -> Signature<'static> {
        match self {
            Self::Legal | Self::Human => self.with_options(&[]),
            Self::Random => self.with_options(&[SEED, DATABASE]),
            Self::Deliberation | Self::Planner => self.with_options(&[DATABASE]),
            Self::Mixed => self.with_options(&[SEED, NODES, MEMORY, DATABASE]),
            Self::Search(algorithm) => self.with_options(algorithm.options()).with(&[DEPTH], &[SEED, MEMORY, DATABASE]),
            Self::Plan(algorithm) => self.with_options(algorithm.options()).with(&[DEPTH], &[SEED, MEMORY, DATABASE]),
            Self::Sample(sampling) => self.with_options(sampling.options()).with(&[], &[SEED, MEMORY, DATABASE]),
            Self::Deepening => self.with_options(&[EVALUATION, MEMORY, DATABASE]),
            Self::Growing | Self::Auto => self.with_options(GROWING),
        }
    }

    const fn with_options(self, options: &'static [NamedOption]) -> Signature<'static> {
        Signature::new(Noun::Player, self.name(), options)
    }

    /// The name with the options that the kind supports.
    pub fn signature(self) -> &'static Signature<'static> {
        let own = PLAYERS.signatures.iter().find(|signature| signature.name == self.name());
        own.expect("the vocabulary has the names of the kinds")
    }

    /// The kind with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }

    /// How it plays, in a phrase.
    pub fn summary(self) -> String {
        let text = match self {
            Self::Legal => "makes the first legal move",
            Self::Random => "makes a random legal move",
            Self::Deliberation => "for one role: searches for a plan again at each step",
            Self::Planner => "for one role: searches for a plan once and follows it",
            Self::Mixed => "for one role: makes random moves until the rest of the game can be planned whole",
            Self::Plan(_) => {
                return format!(
                    "for one role: makes the first move of the plan that the search `{}` finds",
                    self.name()
                );
            }
            Self::Search(_) | Self::Sample(_) => {
                return format!("makes the move that the search `{}` recommends", self.name());
            }
            Self::Deepening => {
                "alpha-beta deeper and deeper as long as there is time, with all its enhancements and an evaluation that \
                 it learns in the start clock"
            }
            Self::Growing => {
                "Monte Carlo tree search with all its enhancements, which keeps its tree from move to move and learns an \
                 evaluation in the start clock"
            }
            Self::Human => "asks a person for each move",
            Self::Auto => "a planner for one role; otherwise growing or, if that wins in a trial, deepening",
        };
        text.to_string()
    }

    /// Whether it answers at once, so that many matches at a time do not slow it down.
    pub(crate) fn is_quick(self) -> bool {
        matches!(self, Self::Legal | Self::Random)
    }
}
