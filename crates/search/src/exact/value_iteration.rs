//! Value iteration: the means of states from which play can come back to a state.

use super::precision::Precision;
use super::retrograde::Predecessors;
use crate::SearchError;
use crate::budget::Meter;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use gdl::number::{Real, to_u32};
use ggp_game::Utility;

/// The means of the first player in all states, of which some are iterated.
///
/// There is one player, or there are two whose utilities have a constant sum. The means are iterated from the least and
/// from the greatest utility, which gives bounds, and, where these do not meet, from what play without end counts: the
/// least utility for one player, half the sum for two.
///
/// - Source: Shapley, *Stochastic Games*, PNAS 39, 1953; bounds from both sides: Haddad and Monmege, *Interval
///   Iteration Algorithm for MDPs and IMDPs*, 2018.
pub(super) struct ValueIteration<'a, 'b> {
    space: &'a StateSpace,
    /// The roles except chance.
    players: &'a [usize],
    chance: usize,
    /// The states that are iterated, the farthest first.
    repeated: &'a [u32],
    /// The mean of the first player in each state.
    means: Vec<f64>,
    /// The sum of the utilities of two players.
    sum: Option<f64>,
    meter: &'a Meter<'b>,
}

impl<'a, 'b> ValueIteration<'a, 'b> {
    /// The number of states between two checks of the clock.
    const STATES_PER_CHECK: usize = 1 << 16;
    /// Iteration ends when no mean changes by more.
    const LEAST_CHANGE: f64 = 1e-12;

    /// An iteration that has not begun.
    ///
    /// # Errors
    /// If no end can be reached, or there are other players than one, or two whose utilities have a constant sum.
    pub(super) fn new(
        space: &'a StateSpace,
        players: &'a [usize],
        chance: usize,
        repeated: &'a [u32],
        meter: &'a Meter<'b>,
    ) -> Result<Self, Halt> {
        if space.endings.is_empty() {
            return Err(Halt::Refused(SearchError::Endless));
        }
        let sum = constant_sum(space, players)?;
        Ok(Self { space, players, chance, repeated, means: Vec::new(), sum, meter })
    }

    /// Takes over the means of the states that are not iterated.
    pub(super) fn begin(&mut self, mean: impl Fn(usize) -> f64) {
        self.means = (0..self.space.len()).map(mean).collect();
    }

    /// Iterates the means of states that can repeat.
    pub(super) fn run(&mut self) -> Result<Precision, Halt> {
        let first = self.players[0];
        let utilities = || self.space.endings.iter().map(|ending| ending[first].to_f64());
        let least = utilities().fold(f64::INFINITY, f64::min);
        let most = utilities().fold(f64::NEG_INFINITY, f64::max);
        // The bounds hold also where play need not end.
        let endless = self.sum.map_or(least, |sum| sum / 2.0);
        let least = least.min(endless);
        let most = most.max(endless);
        self.iterate_from(most)?;
        let upper: Vec<f64> = self.repeated.iter().map(|&state| self.means[state as usize]).collect();
        let change = self.iterate_from(least)?;
        let gap = self.repeated.iter().zip(&upper).map(|(&state, upper)| upper - self.means[state as usize]);
        let error = gap.fold(0.0, f64::max);
        if error <= Real::EQUAL {
            return Ok(Precision::Within { error });
        }
        match self.sum {
            None => Ok(Precision::Iterated { change, endless }),
            Some(_) => {
                let change = self.iterate_from(endless)?;
                Ok(Precision::Iterated { change, endless })
            }
        }
    }

    /// Repeats rounds from one value for the first player until no mean changes; returns the last change.
    fn iterate_from(&mut self, start: f64) -> Result<f64, Halt> {
        self.repeated.iter().for_each(|&state| self.means[state as usize] = start);
        loop {
            let mut change = 0.0_f64;
            for (done, &state) in self.repeated.iter().enumerate() {
                if done.is_multiple_of(Self::STATES_PER_CHECK) {
                    self.meter.pause()?;
                }
                let before = self.means[state as usize];
                let mean = self.round(state as usize);
                change = change.max((mean - before).abs());
                self.means[state as usize] = mean;
            }
            if change <= Self::LEAST_CHANGE {
                return Ok(change);
            }
        }
    }

    /// The mean of the first player in a state by the rule of its mover, without regard to which of equal moves is
    /// first.
    fn round(&self, state: usize) -> f64 {
        let first = self.players[0];
        let means = self.space.successors(state).iter().map(|&after| self.means[after as usize]);
        match self.space.kind(state) {
            StateKind::Turn(mover) if usize::from(mover) == self.chance => {
                means.sum::<f64>() / self.space.successors(state).len() as f64
            }
            StateKind::Turn(mover) if usize::from(mover) != first => means.fold(f64::INFINITY, f64::min),
            _ => means.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    /// The means of the players in an iterated state.
    pub(super) fn means(&self, state: usize) -> impl Iterator<Item = (usize, f64)> {
        let mean = self.means[state];
        let second = self.sum.map(|sum| (self.players[1], sum - mean));
        [Some((self.players[0], mean)), second].into_iter().flatten()
    }

    /// Among equal moves chooses for the first player one that leads out of cycles: the first that comes nearer to
    /// states from which nothing repeats.
    pub(super) fn leave_cycles(&self, predecessors: &Predecessors, best: &mut [u32]) {
        let mut leads_out = vec![true; self.space.len()];
        self.repeated.iter().for_each(|&state| leads_out[state as usize] = false);
        let mut queue: Vec<u32> = (0..to_u32(self.space.len())).filter(|&state| leads_out[state as usize]).collect();
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            for before in predecessors.predecessors(state) {
                let number = before as usize;
                if leads_out[number] {
                    continue;
                }
                if matches!(self.space.kind(number), StateKind::Turn(mover) if usize::from(mover) == self.players[0]) {
                    let worth = |after: u32| self.means[after as usize];
                    let most = self.round(number);
                    let successors = (0..).zip(self.space.successors(number));
                    let mut out =
                        successors.filter(|&(_, &after)| after == state && worth(after) + Real::EQUAL >= most);
                    let Some((index, _)) = out.next() else { continue };
                    best[number] = index;
                }
                leads_out[number] = true;
                queue.push(before);
            }
        }
    }
}

/// The sum of the utilities of two players, which must be constant; `None` for one player.
fn constant_sum(space: &StateSpace, players: &[usize]) -> Result<Option<f64>, Halt> {
    let sum = |ending: &Vec<Utility>| -> i64 { players.iter().map(|&role| ending[role].millionths()).sum() };
    let mut sums = space.endings.iter().map(sum);
    match (players.len(), sums.next()) {
        (1, _) => Ok(None),
        (2, Some(first)) if sums.all(|other| other == first) => Ok(Some(Utility::from_millionths(first).to_f64())),
        _ => Err(Halt::Refused(SearchError::Circular)),
    }
}
