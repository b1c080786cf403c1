//! The rule for means in games with chance: that of `solve` in memory for games in which no state repeats.

use gdl::number::Real;
use ggp_game::Utility;

/// How the means of a state follow from those of its successors. A state has a mean for each role except chance.
#[derive(Clone, Debug)]
pub(super) struct Players {
    chance: u16,
    /// The roles except chance.
    roles: Vec<u16>,
}

impl Players {
    /// The players of a game of this many roles.
    pub(super) fn new(roles: usize, chance: usize) -> Self {
        let number = |role: usize| u16::try_from(role).expect("there are few roles");
        let chance = number(chance);
        let all = 0..number(roles);
        Self { chance, roles: all.filter(|&role| role != chance).collect() }
    }

    /// The number of means of a state.
    pub(super) fn count(&self) -> usize {
        self.roles.len()
    }

    /// Adds the means of a terminal state with these utilities, in the order of the roles.
    pub(super) fn of_end(&self, ending: &[Utility], means: &mut Vec<f64>) {
        means.extend(self.roles.iter().map(|&role| ending[usize::from(role)].to_f64()));
    }

    /// Adds the means of a state in which a role decides, from those of the successors.
    pub(super) fn back_up(&self, role: u16, choosing: u16, successors: &[f64], means: &mut Vec<f64>) {
        let each = self.count();
        if choosing > 0 && role == self.chance {
            let count = (successors.len() / each) as f64;
            means.extend((0..each).map(|player| successors.iter().skip(player).step_by(each).sum::<f64>() / count));
            return;
        }
        let decides = self.roles.iter().position(|&player| choosing > 0 && player == role).unwrap_or(0);
        let mut states = successors.chunks_exact(each);
        let first = states.next().expect("a state that is not over has a successor");
        let better = |best: &'_ [f64], next: &'_ [f64]| next[decides] > best[decides] + Real::EQUAL;
        means.extend_from_slice(states.fold(first, |best, next| if better(best, next) { next } else { best }));
    }
}
