//! Selection: which of its moves a role tries next in a state.

use super::choice::{Arm, RoleChoice};
use super::later_moves::LaterGames;
use ggp_game::Chance;

/// The upper confidence bounds of moves (UCB1).
pub(super) struct ConfidenceBound {
    /// The width of the bound of a move that was tried once.
    pub(super) width: f32,
    /// The weight of estimates against means.
    pub(super) weight: f32,
    /// The most visits for which the games with later moves count.
    pub(super) rave: f32,
    /// Whether they count for moves that were never tried.
    pub(super) foretells_untried: bool,
}

impl ConfidenceBound {
    /// The index of the move with the greatest bound; moves of which nothing is known come first. Of proven moves only
    /// the best is considered.
    #[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
    pub(super) fn most_promising(&self, choice: &RoleChoice, random: &mut Chance) -> usize {
        // What is not known is no greatest value.
        let best_proven = choice.proven.iter().map(|&worth| worth as f32).fold(f32::NEG_INFINITY, f32::max);
        let mut best = 0;
        let mut best_bound = f32::NEG_INFINITY;
        let mut ties = 0;
        for (index, arm) in choice.arms.iter().enumerate() {
            let proven = choice.proven.get(index).map(|&worth| worth as f32).filter(|worth| !worth.is_nan());
            let bound = match proven {
                Some(worth) if worth < best_proven => continue,
                Some(worth) if arm.visits > 0 => worth,
                _ if arm.visits == 0 && !self.is_foretold(choice, index) => f32::INFINITY,
                _ => {
                    let (mean, doubt) = self.known(choice, index);
                    self.estimated(arm, mean) + self.width * doubt
                }
            };
            // Ties are broken at random, with equal probability.
            if bound > best_bound {
                (best, best_bound, ties) = (index, bound, 1);
            } else if bound == best_bound {
                ties += 1;
                if random.below(ties) == 0 {
                    best = index;
                }
            }
        }
        best
    }

    /// Whether a move that was never tried can be compared with others by its later games.
    #[inline]
    fn is_foretold(&self, choice: &RoleChoice, index: usize) -> bool {
        self.foretells_untried && choice.later.get(index).is_some_and(LaterGames::are_known)
    }

    /// The mean of the games with a move, later ones included if they count, and its doubt: one over the square root of
    /// their number, times [`LaterGames::DOUBT`] if later ones do.
    #[inline]
    fn known(&self, choice: &RoleChoice, index: usize) -> (f32, f32) {
        let arm = &choice.arms[index];
        let later = if self.rave > 0.0 { choice.later.get(index) } else { None };
        match later.and_then(|later| later.expected(arm.visits, arm.mean, self.rave)) {
            Some((mean, visits)) => (mean, LaterGames::DOUBT * visits.sqrt().recip()),
            None => (arm.mean, arm.doubt),
        }
    }

    /// A mean of games with a move, mixed with the estimate of the move if there is one.
    #[inline]
    fn estimated(&self, arm: &Arm, mean: f32) -> f32 {
        match self.weight > 0.0 && arm.estimate > f32::NEG_INFINITY {
            true => mean + self.weight * (arm.estimate - mean),
            false => mean,
        }
    }
}
