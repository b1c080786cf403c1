//! The players there are, by name.

use super::options::OptionKind;
use OptionKind::{Depth, Evaluation, Exploration, Memory, Nodes, Playouts, Repeats, Seed};

/// A player that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlayerKind {
    /// The first legal move.
    Legal,
    /// Any legal move.
    Random,
    /// A plan for one player, looked for anew at each step.
    Deliberation,
    /// A plan for one player, read off.
    Planner,
    /// What can be forced.
    Minimax,
    /// Alpha-beta, deeper and deeper.
    AlphaBeta,
    /// What can be expected of others who move at random.
    Expectimax,
    /// Flat Monte Carlo.
    MonteCarlo,
    /// Monte Carlo tree search.
    Mcts,
    /// A person.
    Human,
    /// What suits the game.
    Auto,
}

impl PlayerKind {
    /// All players, in the order in which help lists them.
    pub const ALL: &[Self] = &[
        Self::Legal,
        Self::Random,
        Self::Deliberation,
        Self::Planner,
        Self::Minimax,
        Self::AlphaBeta,
        Self::Expectimax,
        Self::MonteCarlo,
        Self::Mcts,
        Self::Human,
        Self::Auto,
    ];

    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Random => "random",
            Self::Deliberation => "deliberation",
            Self::Planner => "planner",
            Self::Minimax => "minimax",
            Self::AlphaBeta => "alphabeta",
            Self::Expectimax => "expectimax",
            Self::MonteCarlo => "montecarlo",
            Self::Mcts => "mcts",
            Self::Human => "human",
            Self::Auto => "auto",
        }
    }

    /// What it does, in a few words.
    pub fn summary(self) -> &'static str {
        match self {
            Self::Legal => "the first legal move",
            Self::Random => "any legal move, each with the same probability",
            Self::Deliberation => "one role: looks for a plan anew at each step",
            Self::Planner => "one role: finds a plan in the start clock and reads it off",
            Self::Minimax => "what can be forced, to the end of the game or to a depth",
            Self::AlphaBeta => "alpha-beta, deeper and deeper as long as there is time",
            Self::Expectimax => "what can be expected of others who move at random",
            Self::MonteCarlo => "random games after each move",
            Self::Mcts => "Monte Carlo tree search (UCT)",
            Self::Human => "asks in the terminal",
            Self::Auto => "planner for one role, else mcts",
        }
    }

    /// The options that it understands.
    pub fn options(self) -> &'static [OptionKind] {
        match self {
            Self::Legal | Self::Deliberation | Self::Planner | Self::Human => &[],
            Self::Random => &[Seed],
            Self::Minimax => &[Depth, Memory],
            Self::AlphaBeta | Self::Expectimax => &[Depth, Evaluation, Memory],
            Self::MonteCarlo => &[Seed, Nodes, Playouts],
            Self::Mcts | Self::Auto => &[Seed, Nodes, Memory, Playouts, Repeats, Exploration],
        }
    }

    /// Whether it answers at once, so that many matches at a time do not slow it down.
    pub fn is_quick(self) -> bool {
        matches!(self, Self::Legal | Self::Random)
    }
}
