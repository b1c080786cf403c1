//! The searches that can be asked by name.

/// A search of several players, or of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Algorithm {
    /// [`ggp_search::minimax()`].
    Minimax,
    /// [`ggp_search::negamax()`].
    Negamax,
    /// [`ggp_search::alpha_beta()`].
    AlphaBeta,
    /// [`ggp_search::iterative_alpha_beta()`].
    Iterative,
    /// [`ggp_search::paranoid()`].
    Paranoid,
    /// [`ggp_search::max_n()`].
    MaxN,
    /// [`ggp_search::expectimax()`].
    Expectimax,
    /// [`ggp_search::expectimax()`] with opponents who play together against the role.
    Expectiminimax,
    /// [`ggp_search::nash()`].
    Nash,
}

impl Algorithm {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Minimax,
        Self::Negamax,
        Self::AlphaBeta,
        Self::Iterative,
        Self::Paranoid,
        Self::MaxN,
        Self::Expectimax,
        Self::Expectiminimax,
        Self::Nash,
    ];

    /// The name: that of the command, of the player, and in specifications.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Minimax => "minimax",
            Self::Negamax => "negamax",
            Self::AlphaBeta => "alphabeta",
            Self::Iterative => "iterative",
            Self::Paranoid => "paranoid",
            Self::MaxN => "maxn",
            Self::Expectimax => "expectimax",
            Self::Expectiminimax => "expectiminimax",
            Self::Nash => "nash",
        }
    }

    /// Whether the value is what a role can force, which the files of a solved game know.
    pub(crate) fn forces(self) -> bool {
        matches!(self, Self::Minimax | Self::Negamax | Self::AlphaBeta)
    }
}
