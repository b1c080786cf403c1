//! The outcomes of many playouts.

use crate::program::NetworkState;
use ggp_game::{Role, Utility};
use std::collections::BTreeMap;
use std::ops::Range;

/// The outcomes of many playouts from one state. All fields are sums of integers, so they do not depend on how the work
/// was divided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// The number of games that reached a terminal state.
    pub playouts: u64,
    /// The number of successor states that were computed, including those of unfinished games.
    pub states: u64,
    /// The utilities of the ended games, by role.
    pub roles: Vec<RoleOutcomes>,
    /// The number of ended games by their number of plies.
    pub lengths: BTreeMap<u32, u64>,
    /// The number of games that were abandoned because they became too long.
    pub unfinished: u64,
    /// The number of games in which some role had no legal move in a state that is not terminal.
    pub stuck: u64,
    /// The first of these, by column and step.
    pub first_stuck: Option<Stuck>,
}

/// The utilities of a role over the ended games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RoleOutcomes {
    /// The number of games by utility.
    pub utilities: BTreeMap<Utility, u64>,
    /// The number of games for whose end the rules define no integer, or several values.
    pub without: u64,
}

/// A state that is not terminal and in which a role has no legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// The role without a legal move.
    pub role: Role,
    /// The state, in the program's bits.
    pub state: NetworkState,
    /// The number of the column, the step in it, and the lane.
    pub(super) order: (u64, u64, u32),
}

impl RoleOutcomes {
    /// The number of games that have a utility.
    pub fn count(&self) -> u64 {
        self.utilities.values().sum()
    }

    /// The mean utility; `None` if there is no game.
    pub fn mean(&self) -> Option<f64> {
        let part = |(utility, &games): (&Utility, &u64)| i128::from(utility.millionths()) * i128::from(games);
        let sum: i128 = self.utilities.iter().map(part).sum();
        let count = self.count();
        (count > 0).then(|| sum as f64 / 1e6 / count as f64)
    }

    /// The sample variance of the utility; `None` for fewer than two games.
    pub(crate) fn variance(&self) -> Option<f64> {
        let mean = self.mean()?;
        let count = self.count();
        let squares: f64 =
            self.utilities.iter().map(|(utility, &games)| (utility.to_f64() - mean).powi(2) * games as f64).sum();
        (count > 1).then(|| squares / (count - 1) as f64)
    }

    /// The standard error of the mean; `None` for fewer than two games.
    pub fn standard_error(&self) -> Option<f64> {
        Some((self.variance()? / self.count() as f64).sqrt())
    }
}

impl Outcomes {
    /// The outcomes of zero playouts.
    pub(super) fn new(roles: usize) -> Self {
        Self { roles: vec![RoleOutcomes::default(); roles], ..Self::default() }
    }

    /// The mean number of plies of ended games; `None` if there are none.
    pub fn mean_length(&self) -> Option<f64> {
        let plies: u128 = self.lengths.iter().map(|(&plies, &games)| u128::from(plies) * u128::from(games)).sum();
        (self.playouts > 0).then(|| plies as f64 / self.playouts as f64)
    }

    /// Adds games that are over: their number by length, and by goal value of the program among those in which it is
    /// the only one of its role. The goal values of each role are a range of these, and stand for these utilities.
    pub(super) fn add_games(
        &mut self,
        by_length: &[u64],
        by_value: &[u64],
        goals: &[Range<usize>],
        utilities: &[Option<Utility>],
    ) {
        for (plies, &games) in (0..).zip(by_length).filter(|&(_, &games)| games > 0) {
            *self.lengths.entry(plies).or_default() += games;
            self.playouts += games;
            self.states += u64::from(plies) * games;
        }
        for (role, goals) in self.roles.iter_mut().zip(goals) {
            role.without += by_length.iter().sum::<u64>();
            for goal in goals.clone() {
                let games = by_value[goal];
                if let Some(utility) = utilities[goal]
                    && games > 0
                {
                    *role.utilities.entry(utility).or_default() += games;
                    role.without -= games;
                }
            }
        }
    }

    /// Adds the outcomes of other playouts.
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
