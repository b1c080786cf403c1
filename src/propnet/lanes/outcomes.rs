//! What many playouts came to.

use crate::game::{Role, Utility};
use crate::propnet::reasoner::State;
use std::collections::BTreeMap;

/// What many playouts from one state came to. Sums of integers all of it, so it does not depend on who played which part.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Games that came to their end.
    pub playouts: u64,
    /// Next states that were computed, those of unfinished games included.
    pub states: u64,
    /// What the ended games were worth, role by role.
    pub roles: Vec<RoleOutcomes>,
    /// How many ended games had so many plies.
    pub lengths: BTreeMap<u32, u64>,
    /// Games that were broken off since they became too long.
    pub unfinished: u64,
    /// Games that came to a state in which some role has no move though the game is not over.
    pub stuck: u64,
    /// The first of these: that of the earliest column and step.
    pub first_stuck: Option<Stuck>,
}

/// What ended games were worth to a role.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleOutcomes {
    /// How many games were worth so much.
    pub utilities: BTreeMap<Utility, u64>,
    /// Games to whose end the rules give no integer, or more than one value.
    pub without: u64,
}

/// A state in which a role has no move though the game is not over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The role.
    pub role: Role,
    /// The state.
    pub state: State,
    /// The number of the column, its step, and the lane in it.
    pub(super) order: (u64, u64, u32),
}

impl RoleOutcomes {
    /// The number of games that were worth something.
    pub fn count(&self) -> u64 {
        self.utilities.values().sum()
    }

    /// The mean utility; none where there was no game.
    pub fn mean(&self) -> Option<f64> {
        let sum: i128 = self.utilities.iter().map(|(utility, &games)| i128::from(utility.0) * i128::from(games)).sum();
        let count = self.count();
        (count > 0).then(|| sum as f64 / count as f64)
    }

    /// The variance of the utility from game to game (that of a sample); none with fewer than two games.
    pub fn variance(&self) -> Option<f64> {
        let (mean, count) = (self.mean()?, self.count());
        let squares: f64 =
            self.utilities.iter().map(|(utility, &games)| (f64::from(utility.0) - mean).powi(2) * games as f64).sum();
        (count > 1).then(|| squares / (count - 1) as f64)
    }

    /// The standard error of the mean; none with fewer than two games.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count() as f64).sqrt())
    }
}

impl Outcomes {
    /// No playouts yet.
    pub(super) fn new(roles: usize) -> Self {
        Self { roles: vec![RoleOutcomes::default(); roles], ..Self::default() }
    }

    /// The mean number of plies of an ended game.
    pub fn mean_length(&self) -> Option<f64> {
        let plies: u128 = self.lengths.iter().map(|(&plies, &games)| u128::from(plies) * u128::from(games)).sum();
        (self.playouts > 0).then(|| plies as f64 / self.playouts as f64)
    }

    /// Adds what others have played.
    pub(super) fn add(&mut self, other: Self) {
        self.playouts += other.playouts;
        self.states += other.states;
        for (role, more) in self.roles.iter_mut().zip(other.roles) {
            more.utilities
                .into_iter()
                .for_each(|(utility, games)| *role.utilities.entry(utility).or_default() += games);
            role.without += more.without;
        }
        other.lengths.into_iter().for_each(|(plies, games)| *self.lengths.entry(plies).or_default() += games);
        self.unfinished += other.unfinished;
        self.stuck += other.stuck;
        self.first_stuck = match (self.first_stuck.take(), other.first_stuck) {
            (Some(one), Some(other)) => Some(if one.order <= other.order { one } else { other }),
            (one, other) => one.or(other),
        };
    }
}
