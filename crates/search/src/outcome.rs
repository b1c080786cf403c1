//! The result of a search: an answer that says whether it is exact, or why there is none.

use super::Cost;
use gdl::limits::Stop;
use gdl::rules::GroundTerm;
use ggp_game::ReasonError;

/// An answer with its cost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    /// The answer; if the search was stopped, the best found so far, if any.
    pub answer: Option<T>,
    /// The limit that stopped the search; `None` if the answer is exact.
    pub stopped: Option<Stop>,
    /// The work that was done.
    pub cost: Cost,
}

impl<T> Outcome<T> {
    /// True if the search finished, so that no further work would change the answer.
    pub fn is_exact(&self) -> bool {
        self.stopped.is_none()
    }

    /// The same outcome with the answer converted.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { answer: self.answer.map(form), stopped: self.stopped, cost: self.cost }
    }

    /// The same outcome with the answer converted, if that does not fail.
    pub fn try_map<U, E>(self, form: impl FnOnce(T) -> Result<U, E>) -> Result<Outcome<U>, E> {
        Ok(Outcome { answer: self.answer.map(form).transpose()?, stopped: self.stopped, cost: self.cost })
    }
}

/// The reason why a search cannot be carried out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The algorithm is for one player.
    #[error("this search is for games of one role, and this one has {roles}")]
    NotOneRole {
        /// The number of roles of the game.
        roles: usize,
    },
    /// The algorithm is for several players.
    #[error("this search is for games of several roles besides `random`, and this one has one")]
    NotSeveralRoles,
    /// More than two roles choose at once, and no equilibrium of pure strategies tells them how.
    #[error(
        "{choosing} roles choose at once in a state that has no equilibrium of pure strategies, and those of mixed \
         strategies are computed only for two; `maxn` answers as if they chose one after the other"
    )]
    NoPureEquilibrium {
        /// The number of roles that have a choice in the state.
        choosing: usize,
    },
    /// The algorithm does not support chance.
    #[error("this search does not support chance, and the game has the role `random`; use `expectimax`")]
    Chance,
    /// The role that asks is chance.
    #[error("`random` is chance: it has no aim, so no move is better for it than another")]
    AsksChance,
    /// The algorithm is for turn-taking games.
    #[error(
        "this search is for turn-taking games, and here roles choose at the same time; use `nash`, or `mcts` if that has \
         no answer"
    )]
    Simultaneous,
    /// Chance moves at the same time as another role.
    #[error("this search is for turn-taking games, and here chance moves at the same time as a role; use `expectimax`")]
    SimultaneousChance,
    /// No state that can be reached is terminal.
    #[error("the game never ends: no terminal state can be reached")]
    Endless,
    /// The state graph has a cycle, and the algorithm cannot assign values to cycles in such a game.
    #[error(
        "a state can be reached again from itself; such a game is solved only for one role, or for two whose utilities \
         have a constant sum"
    )]
    Circular,
    /// The game has more of something than the algorithm can number.
    #[error("this search is for at most {limit} {what}")]
    TooMany {
        /// The things that are too many, in the plural.
        what: &'static str,
        /// The greatest number.
        limit: u32,
    },
    /// The linear program of a state has no solution within the tolerance of its solver.
    #[error("the equilibrium of a state could not be computed precisely enough")]
    Unsolved,
    /// A model of the opponents has no prediction.
    #[error("the opponents cannot be simulated: {problem}")]
    Model {
        /// The reason, in words.
        problem: String,
    },
    /// A role does not know its legal moves.
    #[error(
        "{role} cannot know its legal moves: after the same moves and percepts of its own they are {} in one state and \
         {} in another",
        listed(&moves[0]), listed(&moves[1])
    )]
    UnknownMoves {
        /// The role.
        role: GroundTerm,
        /// Its legal moves in two states that it cannot tell apart.
        moves: [Vec<GroundTerm>; 2],
    },
    /// No state was found that agrees with what the role knows.
    #[error("no state was found that agrees with the moves and percepts of the role")]
    NothingPossible,
    /// The algorithm is for two roles whose utilities have a constant sum.
    #[error(
        "this search is for one role, or two whose utilities have the same sum in every end of the game; `cfr` has no such \
         condition"
    )]
    NotConstantSum,
    /// The state is terminal, so there is no move to choose.
    #[error("the game is over: there is no move to choose")]
    Over,
    /// The rules give no answer in some state of the tree.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

/// Some moves, with commas between them.
fn listed(moves: &[GroundTerm]) -> String {
    moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl SearchError {
    /// Checks that the game has exactly one role.
    pub(super) fn unless_one_role(roles: &[GroundTerm]) -> Result<(), Self> {
        if roles.len() == 1 { Ok(()) } else { Err(Self::NotOneRole { roles: roles.len() }) }
    }
}

/// The early end of a recursion: by a limit (of the search, or of the engine within an answer), an error of the engine,
/// or an unsuitable game.
#[derive(Debug)]
pub(super) enum Halt {
    /// A limit was reached; the search has the best answer so far.
    Stopped(Stop),
    /// The engine has no answer.
    Failed(ReasonError),
    /// The game turns out to be unsuitable for the algorithm.
    Refused(SearchError),
}

impl Halt {
    /// The limit that was reached.
    ///
    /// # Errors
    /// If there is no answer at all, not even the best so far.
    pub(super) fn stop(self) -> Result<Stop, SearchError> {
        match self {
            Self::Stopped(stop) => Ok(stop),
            Self::Failed(error) => Err(error.into()),
            Self::Refused(error) => Err(error),
        }
    }
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<ReasonError> for Halt {
    fn from(error: ReasonError) -> Self {
        // A limit that stops the engine within an answer stops the search like one of its own.
        error.stop().map_or(Self::Failed(error), Self::Stopped)
    }
}

impl From<SearchError> for Halt {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::Reason(error) => error.into(),
            error => Self::Refused(error),
        }
    }
}
