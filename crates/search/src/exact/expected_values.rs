//! Values of all states of a game with chance: backward induction where no state repeats, value iteration where one
//! does.

use super::precision::Precision;
use super::retrograde::Predecessors;
use super::value_iteration::ValueIteration;
use crate::budget::Meter;
use crate::explore::state_space::{StateKind, StateSpace};
use crate::outcome::Halt;
use gdl::number::{Real, to_u32};
use ggp_game::Role;

/// The means of all states, and the best joint moves.
pub(super) struct ExpectedValues {
    /// The means of all roles, state after state; 0 for chance.
    means: Vec<Real>,
    roles: usize,
    /// For each state in which a role decides, the index of its best joint move.
    best: Vec<u32>,
    /// How exact the means of the first state are.
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
