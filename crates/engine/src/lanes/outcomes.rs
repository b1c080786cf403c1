//! Requests for random games, the queue of the work that they make, and the outcomes.
//!
//! The work is columns of 64 lanes, each with its number of games, which idle batches take one by one. A column plays a
//! number of games that is fixed before it begins, and all of them to their end: counting the games that have ended at
//! some moment would favour short games. Its random numbers depend only on the seed and the column's number. So the sum
//! of the outcomes does not depend on which thread plays which columns, in how wide a batch and next to which others.

use super::word::{Word, and, none, or, without};
use crate::program::NetworkState;
use gdl::time::Instant;
use ggp_game::{Role, Utility};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

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
    /// The first of these by column, step and lane.
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
    /// The number of the column, the step in it, and the lane: it decides which of two is the first, whatever the
    /// threads.
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
    fn variance(&self) -> Option<f64> {
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
            // Every game counts as without a utility until one is found for it.
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

/// A request for random games.
#[derive(Clone, Debug)]
pub struct Request {
    /// The number of games; `None` for no limit.
    pub(crate) playouts: Option<u64>,
    /// The part of the columns that is played: its number, from 0, and the number of parts.
    pub(crate) part: (u64, u64),
    /// No column is begun after this; columns that have begun play all their games.
    pub(crate) deadline: Option<Instant>,
    /// The seed of the random numbers: the same seed gives the same games.
    pub seed: u64,
    /// A game longer than this many plies is abandoned.
    pub(crate) longest: u32,
    /// The number of threads.
    pub threads: usize,
    /// Stops the work when set; games that are being played then are discarded.
    pub(crate) interrupt: Option<Arc<AtomicBool>>,
}

impl Request {
    /// The default for [`Request::longest`].
    pub(crate) const LONGEST: u32 = 5_000;

    /// A request for this many games, with seed 0, on one thread.
    pub fn playouts(playouts: u64) -> Self {
        Self {
            playouts: Some(playouts),
            part: (0, 1),
            deadline: None,
            seed: 0,
            longest: Self::LONGEST,
            threads: 1,
            interrupt: None,
        }
    }

    /// A request for as many games as there is time for.
    pub fn until(deadline: Instant) -> Self {
        Self { playouts: None, deadline: Some(deadline), ..Self::playouts(0) }
    }

    /// Sets the seed.
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// One of several parts of the same games, with the number `part` from 0: the outcomes of all parts together are those
    /// of the whole request ([`super::Lanes::playouts`]). Small requests have fewer parts with games.
    pub fn with_part(self, part: u64, parts: u64) -> Self {
        Self { part: (part, parts.max(1)), ..self }
    }

    /// Sets the number of threads; the outcomes do not depend on it.
    pub fn with_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Sets the number of plies after which a game is abandoned.
    pub fn with_longest(self, longest: u32) -> Self {
        Self { longest, ..self }
    }

    /// Sets a flag that stops the work soon after it is raised.
    pub fn with_interrupt(self, interrupt: Arc<AtomicBool>) -> Self {
        Self { interrupt: Some(interrupt), ..self }
    }
}

/// The columns that are still to be played.
#[derive(Debug)]
pub(super) struct ColumnQueue<'a> {
    pub(super) request: &'a Request,
    /// The number of games of a column.
    games: u64,
    /// The number of columns that have been taken.
    taken: AtomicU64,
    /// The number of the first column that is not of this work.
    end: u64,
}

/// A column to be played.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedColumn {
    pub(super) number: u64,
    pub(super) games: u64,
    /// The time at which it was taken.
    taken: Instant,
}

/// The fewest games of a column, one in each lane.
const LEAST_GAMES: u64 = 64;
/// The most games of a column.
const MOST_GAMES: u64 = 16_384;
/// The least number of columns before they get more than the least number of games: enough for a few threads with wide
/// batches.
const COLUMNS: u64 = 256;
/// The least number of games of a column if the request has no number. More and more lanes are idle in the last games
/// of a column, so it gets more games if there is time.
const GAMES_UNTIL_DEADLINE: u64 = 512;
/// A column must not take more than this part of the time that is left.
const PART_OF_TIME: u32 = 32;

impl<'a> ColumnQueue<'a> {
    pub(super) fn new(request: &'a Request) -> Self {
        let mut work = Self::after(request, 0);
        let (part, parts) = request.part;
        if let Some(playouts) = request.playouts
            && parts > 1
        {
            let columns = playouts.div_ceil(work.games);
            // Of 128 bits, so that no product overflows.
            let bound = |part: u64| {
                let columns = u128::from(columns) * u128::from(part.min(parts)) / u128::from(parts);
                u64::try_from(columns).expect("it is at most the number of columns")
            };
            work.taken = AtomicU64::new(bound(part));
            work.end = bound(part.saturating_add(1));
        }
        work
    }

    /// The work that is left of a request after this number of columns.
    pub(super) fn after(request: &'a Request, columns: u64) -> Self {
        let games = request
            .playouts
            .map_or(GAMES_UNTIL_DEADLINE, |playouts| (playouts / COLUMNS).clamp(LEAST_GAMES, MOST_GAMES));
        Self { request, games, taken: AtomicU64::new(columns), end: u64::MAX }
    }

    /// The number of columns that have been taken, with those before the work began.
    pub(super) fn columns(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }

    /// True if all games have been taken, or the deadline of the whole request has passed, or it is interrupted.
    pub(super) fn ends(&self, whole: &Request) -> bool {
        let are_taken = whole.playouts.is_some_and(|playouts| self.columns().saturating_mul(self.games) >= playouts);
        are_taken || whole.deadline.is_some_and(|deadline| Instant::now() >= deadline) || self.is_interrupted()
    }

    /// The next column, after this one in the same batch; `None` if all are taken, the deadline has passed or the work
    /// is interrupted.
    pub(super) fn take(&self, previous: Option<QueuedColumn>) -> Option<QueuedColumn> {
        let now = Instant::now();
        if self.request.deadline.is_some_and(|deadline| now >= deadline) || self.is_interrupted() {
            return None;
        }
        // Only the numbers must differ, so no other memory needs to be ordered.
        let number = self.taken.fetch_add(1, Ordering::Relaxed);
        if number >= self.end {
            return None;
        }
        let games = match (self.request.playouts, self.request.deadline, previous) {
            (Some(playouts), ..) => playouts.saturating_sub(number.saturating_mul(self.games)).min(self.games),
            (None, Some(deadline), Some(previous)) => previous.games_within((deadline - now) / PART_OF_TIME, now),
            (None, ..) => self.games,
        };
        (games > 0).then_some(QueuedColumn { number, games, taken: now })
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.request.interrupt.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed))
    }
}

impl QueuedColumn {
    /// The number of games of the next column if it has this time: at most twice as many as this one, which has ended
    /// now.
    fn games_within(self, time: Duration, now: Instant) -> u64 {
        let elapsed = (now - self.taken).as_nanos().max(1);
        let games = u128::from(self.games) * time.as_nanos() / elapsed;
        let games = u64::try_from(games).unwrap_or(u64::MAX).min(self.games * 2);
        games.clamp(GAMES_UNTIL_DEADLINE, MOST_GAMES)
    }
}

/// Calls `each` for every goal value of a role, with the lanes in which it is the only one: the rules may define
/// several, and then none counts. `valued` gives the lanes in which a goal value holds.
#[inline(always)]
pub(super) fn each_only<const W: usize>(
    goals: &Range<usize>,
    mut valued: impl FnMut(usize) -> Word<W>,
    mut each: impl FnMut(usize, Word<W>),
) {
    let mut seen = none();
    let mut twice = none();
    for goal in goals.clone() {
        let lanes = valued(goal);
        twice = or(&twice, &and(&seen, &lanes));
        seen = or(&seen, &lanes);
    }
    for goal in goals.clone() {
        each(goal, without(&valued(goal), &twice));
    }
}
