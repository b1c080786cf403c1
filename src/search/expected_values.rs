//! Values of all states of a game with chance: backward induction where no state repeats, value iteration where one
//! does.

use super::SearchError;
use super::budget::Meter;
use super::outcome::Halt;
use super::retrograde::Predecessors;
use super::state_space::{StateKind, StateSpace};
use crate::game::{Role, Utility};
use crate::number::to_u32;
use serde::Serialize;

/// Means that differ by less count as equal, so that rounding does not choose the move.
pub(crate) const EQUAL_MEANS: f64 = 1e-9;

/// How exact means are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "precision", rename_all = "snake_case")]
pub enum Precision {
    /// No state repeats: backward induction, exact up to the rounding of floating-point numbers.
    Rounded,
    /// States repeat: the true means lie within this distance, however play without end counts.
    Within {
        /// The greatest distance of a bound from the mean that is given.
        error: f64,
    },
    /// States repeat, and the means depend on what play without end is worth. They were iterated until no mean changed
    /// by more than this.
    Iterated {
        /// The greatest change of a mean in the last round.
        change: f64,
        /// What play without end counts for the first player.
        endless: f64,
    },
}

impl Precision {
    /// Whether no further work would change the means.
    pub fn is_exact(&self) -> bool {
        matches!(self, Self::Rounded)
    }
}

/// The means of all states, and the best joint moves.
pub(super) struct ExpectedValues {
    /// The means of all roles, state after state; 0 for chance.
    means: Vec<f64>,
    roles: usize,
    /// For each state in which a role decides, the index of its best joint move.
    best: Vec<u32>,
    pub(super) precision: Precision,
}

impl ExpectedValues {
    /// The mean of each role, in the order of the roles.
    pub(super) fn of(&self, state: usize) -> &[f64] {
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
/// States that cannot come back to themselves are settled from the ends of the game back. The others are iterated, if
/// there is one player, or two whose utilities have a constant sum: from the least and from the greatest utility, which
/// gives bounds, and, where these do not meet, from what play without end counts: the least utility for one player,
/// half the sum for two.
///
/// - Source: Shapley, *Stochastic Games*, PNAS 39, 1953; bounds from both sides: Haddad and Monmege, *Interval
///   Iteration Algorithm for MDPs and IMDPs*, 2018.
pub(super) fn expected_values(
    space: &StateSpace,
    roles: usize,
    chance: Role,
    meter: &mut Meter<'_>,
) -> Result<ExpectedValues, Halt> {
    let (states, joint_moves) = (space.len(), space.joint_moves());
    let each = roles * size_of::<f64>() + 4 * size_of::<u32>() + 2 * size_of::<f64>();
    meter.holds(space.bytes() + (joint_moves * size_of::<u32>() + states * each) as u64)?;
    let players: Vec<usize> = (0..roles).filter(|&role| role != chance.index()).collect();
    let mut analysis =
        Analysis { space, players, roles, chance: chance.index(), means: vec![0.0; states * roles], meter };
    let predecessors = Predecessors::new(space);
    let repeated = analysis.induce(&predecessors)?;
    let precision = if repeated.is_empty() { Precision::Rounded } else { analysis.iterate(&repeated)? };
    let mut best: Vec<u32> = (0..states).map(|state| analysis.favourite(state).1).collect();
    if !repeated.is_empty() {
        analysis.leave_cycles(&repeated, &predecessors, &mut best);
    }
    let Analysis { means, .. } = analysis;
    Ok(ExpectedValues { means, roles, best, precision })
}

struct Analysis<'a, 'b> {
    space: &'a StateSpace,
    /// The roles except chance.
    players: Vec<usize>,
    roles: usize,
    chance: usize,
    means: Vec<f64>,
    meter: &'a mut Meter<'b>,
}

impl Analysis<'_, '_> {
    /// The number of states between two checks of the clock.
    const STATES_PER_CHECK: usize = 1 << 16;
    /// Iteration ends when no mean changes by more.
    const LEAST_CHANGE: f64 = 1e-12;

    fn mean(&self, state: usize, role: usize) -> f64 {
        self.means[state * self.roles + role]
    }

    /// Settles all states from which no state repeats; returns the others, the farthest first.
    fn induce(&mut self, predecessors: &Predecessors) -> Result<Vec<u32>, Halt> {
        let states = self.space.len();
        let mut open: Vec<u32> = (0..states).map(|state| to_u32(self.space.successors(state).len())).collect();
        let mut queue: Vec<u32> = Vec::new();
        for state in 0..states {
            if let StateKind::End(ending) = self.space.kind(state) {
                for (role, utility) in self.space.endings[usize::from(ending)].iter().enumerate() {
                    self.means[state * self.roles + role] = utility.to_f64();
                }
                queue.push(to_u32(state));
            }
        }
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            if next.is_multiple_of(Self::STATES_PER_CHECK) {
                self.meter.pause()?;
            }
            next += 1;
            for before in predecessors.of(state) {
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
        for player in 0..self.players.len() {
            let role = self.players[player];
            let mean = match favourite {
                Some(after) => self.mean(after, role),
                None => {
                    let sum: f64 = successors.iter().map(|&after| self.mean(after as usize, role)).sum();
                    sum / successors.len() as f64
                }
            };
            self.means[state * self.roles + role] = mean;
        }
    }

    /// The first of the successors that are best for the role that decides, and its index.
    fn favourite(&self, state: usize) -> (usize, u32) {
        let mover = match self.space.kind(state) {
            StateKind::Turn(mover) if usize::from(mover) != self.chance => usize::from(mover),
            _ => self.players[0],
        };
        let mut best: Option<(usize, u32)> = None;
        for (index, &after) in (0..).zip(self.space.successors(state)) {
            let after = after as usize;
            let is_better = |&(best, _): &(usize, u32)| self.mean(after, mover) > self.mean(best, mover) + EQUAL_MEANS;
            if best.as_ref().is_none_or(is_better) {
                best = Some((after, index));
            }
        }
        best.unwrap_or((state, 0))
    }

    /// Iterates the means of states that can repeat.
    fn iterate(&mut self, repeated: &[u32]) -> Result<Precision, Halt> {
        let sum = self.constant_sum()?;
        let first = self.players[0];
        let utilities = || self.space.endings.iter().map(|ending| ending[first].to_f64());
        let (least, most) = (utilities().fold(f64::INFINITY, f64::min), utilities().fold(f64::NEG_INFINITY, f64::max));
        if least > most {
            return Err(Halt::Refused(SearchError::Endless));
        }
        // The bounds hold also where play need not end.
        let endless = sum.map_or(least, |sum| sum / 2.0);
        let (least, most) = (least.min(endless), most.max(endless));
        self.iterate_from(repeated, most, sum)?;
        let upper: Vec<f64> = repeated.iter().map(|&state| self.mean(state as usize, first)).collect();
        let change = self.iterate_from(repeated, least, sum)?;
        let gap = repeated.iter().zip(&upper).map(|(&state, upper)| upper - self.mean(state as usize, first));
        let error = gap.fold(0.0, f64::max);
        if error <= EQUAL_MEANS {
            return Ok(Precision::Within { error });
        }
        match sum {
            None => Ok(Precision::Iterated { change, endless }),
            Some(_) => {
                let change = self.iterate_from(repeated, endless, sum)?;
                Ok(Precision::Iterated { change, endless })
            }
        }
    }

    /// The sum of the utilities of two players, which must be constant; `None` for one player.
    fn constant_sum(&self) -> Result<Option<f64>, Halt> {
        let sum = |ending: &Vec<Utility>| -> i64 { self.players.iter().map(|&role| ending[role].millionths()).sum() };
        let mut sums = self.space.endings.iter().map(sum);
        match (self.players.len(), sums.next()) {
            (1, _) => Ok(None),
            (2, Some(first)) if sums.all(|other| other == first) => Ok(Some(Utility::from_millionths(first).to_f64())),
            _ => Err(Halt::Refused(SearchError::Circular)),
        }
    }

    /// Repeats rounds from one value for the first player until no mean changes; returns the last change.
    fn iterate_from(&mut self, repeated: &[u32], start: f64, sum: Option<f64>) -> Result<f64, Halt> {
        repeated.iter().for_each(|&state| self.set(state as usize, start, sum));
        loop {
            let mut change = 0.0_f64;
            for (done, &state) in repeated.iter().enumerate() {
                if done.is_multiple_of(Self::STATES_PER_CHECK) {
                    self.meter.pause()?;
                }
                let before = self.mean(state as usize, self.players[0]);
                let mean = self.round(state as usize);
                change = change.max((mean - before).abs());
                self.set(state as usize, mean, sum);
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
        let means = self.space.successors(state).iter().map(|&after| self.mean(after as usize, first));
        match self.space.kind(state) {
            StateKind::Turn(mover) if usize::from(mover) == self.chance => {
                means.sum::<f64>() / self.space.successors(state).len() as f64
            }
            StateKind::Turn(mover) if usize::from(mover) != first => means.fold(f64::INFINITY, f64::min),
            _ => means.fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn set(&mut self, state: usize, mean: f64, sum: Option<f64>) {
        self.means[state * self.roles + self.players[0]] = mean;
        if let Some(sum) = sum {
            self.means[state * self.roles + self.players[1]] = sum - mean;
        }
    }

    /// Among equal moves chooses for the first player one that leads out of cycles: the first that comes nearer to
    /// states from which nothing repeats.
    fn leave_cycles(&self, repeated: &[u32], predecessors: &Predecessors, best: &mut [u32]) {
        let mut leads_out = vec![true; self.space.len()];
        repeated.iter().for_each(|&state| leads_out[state as usize] = false);
        let mut queue: Vec<u32> = (0..to_u32(self.space.len())).filter(|&state| leads_out[state as usize]).collect();
        let mut next = 0;
        while let Some(&state) = queue.get(next) {
            next += 1;
            for before in predecessors.of(state) {
                let number = before as usize;
                if leads_out[number] {
                    continue;
                }
                if matches!(self.space.kind(number), StateKind::Turn(mover) if usize::from(mover) == self.players[0]) {
                    let worth = |after: u32| self.mean(after as usize, self.players[0]);
                    let most = self.round(number);
                    let successors = (0..).zip(self.space.successors(number));
                    let mut out =
                        successors.filter(|&(_, &after)| after == state && worth(after) + EQUAL_MEANS >= most);
                    let Some((index, _)) = out.next() else { continue };
                    best[number] = index;
                }
                leads_out[number] = true;
                queue.push(before);
            }
        }
    }
}
