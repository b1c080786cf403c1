//! What a search gives back: an answer that says whether it is exact, or why there is none.

use super::Cost;
use crate::game::{ReasonError, Utility};
use crate::rules::GroundTerm;
use serde::Serialize;
use std::time::Duration;

/// An answer with its price.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<T> {
    /// The answer; where the search was stopped, the best it had found, if it had found any.
    pub answer: Option<T>,
    /// Why the search was stopped; `None` where the answer is exact.
    pub stopped: Option<Stop>,
    /// What it cost.
    pub cost: Cost,
}

impl<T> Outcome<T> {
    /// Whether the search came to its end, and there is an answer that no further work would change.
    pub fn is_exact(&self) -> bool {
        self.stopped.is_none()
    }

    /// The same outcome with another form of the answer.
    pub fn map<U>(self, form: impl FnOnce(T) -> U) -> Outcome<U> {
        Outcome { answer: self.answer.map(form), stopped: self.stopped, cost: self.cost }
    }
}

/// A limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "limit", rename_all = "snake_case")]
pub enum Stop {
    /// As many states have been visited as were given.
    #[error("the limit of {limit} {} was reached", if *limit == 1 { "node" } else { "nodes" })]
    Nodes {
        /// How many were given.
        #[serde(rename = "given")]
        limit: u64,
    },
    /// A line of joint moves is longer than was given.
    #[error("the limit of {limit} {} ahead was reached", if *limit == 1 { "move" } else { "moves" })]
    Depth {
        /// How long a line was given.
        #[serde(rename = "given")]
        limit: u32,
    },
    /// What was remembered would take more memory than was given.
    #[error("the limit of {} of memory was reached", bytes(*limit))]
    Memory {
        /// How many bytes were given.
        #[serde(rename = "given")]
        limit: u64,
    },
    /// The time is over.
    #[error("the time of {} s was over", limit.as_secs_f64())]
    Time {
        /// How long was given.
        #[serde(rename = "given")]
        limit: Duration,
    },
    /// Somebody asked to stop.
    #[error("interrupted")]
    Interrupted,
}

/// Why a search cannot be done at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The algorithm is for one player.
    #[error("this search is for games of one role, and this one has {roles}")]
    NotOneRole {
        /// How many roles the game has.
        roles: usize,
    },
    /// The algorithm is for two players.
    #[error("this search is for games of two roles besides `random`, and this one has {roles}")]
    NotTwoRoles {
        /// How many roles the game has, chance aside.
        roles: usize,
    },
    /// The algorithm is for opponents.
    #[error(
        "this search is for games in which one gains what the other loses, and the game can end with {utilities:?}"
    )]
    NotZeroSum {
        /// The utilities of an end that do not add up to what another's do.
        utilities: Vec<Utility>,
    },
    /// The algorithm does not know chance.
    #[error("this search knows no chance, and the game has the role `random`; `expectimax` is for such games")]
    Chance,
    /// Chance was asked what is best for it.
    #[error("`random` is chance: nothing is better or worse for it")]
    AsksChance,
    /// The algorithm is for games of turns.
    #[error("this search is for games of turns, and here roles choose at the same time; `nash` is for such games")]
    Simultaneous,
    /// The game goes round in circles, and there is no saying what that is worth.
    #[error("a state can be reached again from itself; such a game is solved only for one role, or for two opponents")]
    Circular,
    /// The linear program of a state has no solution within the tolerance of its solver.
    #[error("the equilibrium of a state could not be computed precisely enough")]
    Unsolved,
    /// A move was asked for where the game is over.
    #[error("the game is over: there is no move to choose")]
    Over,
    /// The rules give no answer somewhere in the tree.
    #[error(transparent)]
    Reason(#[from] ReasonError),
}

impl SearchError {
    /// Checks that the game has one role only.
    pub(super) fn unless_one_role(roles: &[GroundTerm]) -> Result<(), Self> {
        if roles.len() == 1 { Ok(()) } else { Err(Self::NotOneRole { roles: roles.len() }) }
    }
}

/// What ends a recursion early: a limit, or an error of the engine.
#[derive(Debug)]
pub(super) enum Halt {
    /// A limit; the search has the best so far.
    Stopped(Stop),
    /// The engine has no answer.
    Failed(ReasonError),
    /// The game turns out to be of a kind that the algorithm is not for.
    Refused(SearchError),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl From<ReasonError> for Halt {
    fn from(error: ReasonError) -> Self {
        match error {
            ReasonError::Interrupted => Self::Stopped(Stop::Interrupted),
            error => Self::Failed(error),
        }
    }
}

/// A number of bytes in the unit that suits it.
fn bytes(count: u64) -> String {
    const UNITS: [&str; 4] = ["bytes", "KiB", "MiB", "GiB"];
    let power = (count.checked_ilog2().unwrap_or(0) / 10).min(3);
    let exact = count as f64 / f64::from(1_u32 << (10 * power));
    format!("{} {}", (exact * 10.0).round() / 10.0, UNITS[power as usize])
}
