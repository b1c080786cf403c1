//! Values of all states of a game with chance: backward induction where no state repeats ([`expected_values()`]), value
//! iteration where one does ([`ValueIteration`]).

use super::retrograde::Predecessors;
use crate::SearchError;
use crate::budget::Meter;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use gdl::number::{Real, to_u32};
use ggp_game::{Role, Utility};
use serde::Serialize;

/// The means of all states, and the best joint moves.
pub(super) struct ExpectedValues {
    /// The means of all roles, state after state; 0 for chance.
    means: Vec<Real>,
    roles: usize,
    /// For each state in which a role decides, the index of its best joint move.
    best: Vec<u32>,
    /// The precision of the means of the first state.
    pub(super) precision: Precision,
}

impl ExpectedValues {
    /// The mean of each role, in the order of the roles.
    pub(super) fn means(&self, state: usize) -> &[Real] {
        &self.means[state * self.roles..][..self.roles]
    }

    /// The index of the joint move of best play, if a role decides.
    pub(super) fn best(&self, space: &StateSpace, state: usize, chance: Role) -> Option<usize> {
        match space.kind(state) {
            StateKind::Turn(role) if usize::from(role) != chance.index() => Some(self.best[state] as usize),
            StateKind::Forced => Some(0),
            _ => None,
        }
    }
}

/// The means of all states of a space in which `chance` moves at random.
///
/// States that cannot come back to themselves are settled from the ends of the game back, in fractions. The others are
/// iterated in floating-point numbers, if there is one player, or two whose utilities have a constant sum
/// ([`ValueIteration`]).
pub(super) fn expected_values(
    space: &StateSpace,
    roles: usize,
    chance: Role,
    meter: &mut Meter<'_>,
) -> Result<ExpectedValues, Halt> {
    let states = space.len();
    let joint_moves = space.joint_moves();
    let each = roles * size_of::<Real>() + 4 * size_of::<u32>() + 3 * size_of::<f64>();
    meter.holds(space.bytes() + (joint_moves * size_of::<u32>() + states * each) as u64)?;
    let players: Vec<usize> = (0..roles).filter(|&role| role != chance.index()).collect();
    let mut means = vec![Real::ZERO; states * roles];
    let mut induction = Induction { space, players: &players, roles, chance: chance.index(), means: &mut means };
    let predecessors = Predecessors::new(space);
    let repeated = induction.settle(&predecessors, meter)?;
    let iteration = if repeated.is_empty() {
        None
    } else {
        let mut iteration = ValueIteration::new(space, &players, chance.index(), &repeated, meter)?;
        let first = players[0];
        iteration.begin(|state| induction.mean(state, first).to_f64());
        let precision = iteration.run()?;
        for &state in &repeated {
            // Iterated means are never exact fractions.
            for (role, mean) in iteration.means(state as usize) {
                induction.means[state as usize * roles + role] = Real::Rounded(mean);
            }
        }
        Some((iteration, precision))
    };
    let mut best: Vec<u32> = (0..states).map(|state| induction.favourite(state).1).collect();
    let precision = match iteration {
        Some((iteration, precision)) => {
            iteration.leave_cycles(&predecessors, &mut best);
            precision
        }
        None if players.iter().all(|&role| means[role].is_exact()) => Precision::Exact,
        None => Precision::Rounded,
    };
    Ok(ExpectedValues { means, roles, best, precision })
}

/// Backward induction.
struct Induction<'a> {
    space: &'a StateSpace,
    /// The roles except chance.
    players: &'a [usize],
    roles: usize,
    chance: usize,
    means: &'a mut [Real],
}

impl Induction<'_> {
    /// The number of states between two checks of the clock.
    const STATES_PER_CHECK: usize = 1 << 16;

    fn mean(&self, state: usize, role: usize) -> Real {
        self.means[state * self.roles + role]
    }

    /// Settles all states from which no state repeats; returns the others, the farthest first.
    fn settle(&mut self, predecessors: &Predecessors, meter: &Meter<'_>) -> Result<Vec<u32>, Halt> {
        let states = self.space.len();
        let mut open: Vec<u32> = (0..states).map(|state| to_u32(self.space.successors(state).len())).collect();
        let mut queue: Vec<u32> = Vec::new();
        for state in 0..states {
            if let StateKind::End(ending) = self.space.kind(state) {
                for (role, utility) in self.space.endings[usize::from(ending)].iter().enumerate() {
                    self.means[state * self.roles + role] = utility.to_real();
                }
                queue.push(to_u32(state));
            }
        }
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            if next.is_multiple_of(Self::STATES_PER_CHECK) {
                meter.pause()?;
            }
            next += 1;
            for before in predecessors.predecessors(state) {
                let before = before as usize;
                open[before] -= 1;
                if open[before] == 0 {
                    self.back_up(before);
                    queue.push(to_u32(before));
                }
            }
        }
        Ok((0..to_u32(states)).rev().filter(|&state| open[state as usize] > 0).collect())
    }

    /// Sets the means of a state from those of the successors.
    fn back_up(&mut self, state: usize) {
        let successors = self.space.successors(state);
        let is_chance = matches!(self.space.kind(state), StateKind::Turn(mover) if usize::from(mover) == self.chance);
        let favourite = (!is_chance).then(|| self.favourite(state).0);
        let mover = self.mover(state);
        // The best of rounded means may be another successor than the best of the true ones.
        let are_exact = || successors.iter().all(|&after| self.mean(after as usize, mover).is_exact());
        let are_exact = is_chance || successors.len() == 1 || are_exact();
        for &role in self.players {
            let mean = match favourite {
                Some(after) => self.mean(after, role).rounded_unless(are_exact),
                None => {
                    let means = successors.iter().map(|&after| self.mean(after as usize, role));
                    Real::mean(means, successors.len())
                }
            };
            self.means[state * self.roles + role] = mean;
        }
    }

    /// The role that decides in a state, except chance; the first player if there is none.
    fn mover(&self, state: usize) -> usize {
        match self.space.kind(state) {
            StateKind::Turn(mover) if usize::from(mover) != self.chance => usize::from(mover),
            _ => self.players[0],
        }
    }

    /// The first of the successors that are best for the role that decides, and its index.
    fn favourite(&self, state: usize) -> (usize, u32) {
        let mover = self.mover(state);
        let mut best: Option<(usize, u32)> = None;
        for (index, &after) in (0..).zip(self.space.successors(state)) {
            let after = after as usize;
            let is_better = |&(best, _): &(usize, u32)| self.mean(after, mover).exceeds(self.mean(best, mover));
            if best.as_ref().is_none_or(is_better) {
                best = Some((after, index));
            }
        }
        best.unwrap_or((state, 0))
    }
}

/// The means of the first player in all states, of which some are iterated.
///
/// There is one player, or there are two whose utilities have a constant sum. The means are iterated from the least and
/// from the greatest utility, which gives bounds, and, where these do not meet, from the value of play without end: the
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
        // The lower bounds last: of one player they are the means, and stay.
        let change = self.iterate_from(least)?;
        let gap = self.repeated.iter().zip(&upper).map(|(&state, upper)| upper - self.means[state as usize]);
        let error = gap.fold(0.0, f64::max);
        if error <= Real::EQUAL {
            return Ok(Precision::Within { error });
        }
        match self.sum {
            // For one player play without end counts the least utility, so the lower bounds are the means.
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
                // In place: a new mean counts at once for the states after it (Gauss and Seidel), which takes fewer
                // rounds.
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

/// The precision of means.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "precision", rename_all = "snake_case")]
pub enum Precision {
    /// No state repeats: backward induction, in fractions.
    Exact,
    /// No state repeats, but the terms of a fraction did not fit: backward induction, up to the rounding of
    /// floating-point numbers.
    Rounded,
    /// States repeat: the true means lie within this distance, whatever the value of play without end.
    Within {
        /// The greatest distance of a bound from the mean that is given.
        error: f64,
    },
    /// States repeat, and the means depend on the value of play without end. They were iterated until no mean changed
    /// by more than this.
    Iterated {
        /// The greatest change of a mean in the last round.
        change: f64,
        /// The value of play without end for the first player.
        endless: f64,
    },
}

impl Precision {
    /// True if no further work would change the means.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Exact | Self::Rounded)
    }
}
