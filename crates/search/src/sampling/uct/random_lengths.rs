//! The lengths of random games from the first state: how long the rest of the game may be, and whether it may end at any
//! time.

use super::Uct;
use crate::budget::Meter;
use crate::{Budget, SearchError};
use ggp_game::Reasoner;

/// The number of games that are played, if there is time.
const GAMES: u32 = 32;
/// The number of games from which their spread is estimated.
const LEAST_GAMES: u32 = 8;
/// Games are cut off after this many joint moves, and count as this long.
const LONGEST: u32 = 1000;

/// The lengths of some random games, in joint moves.
#[derive(Clone, Copy, Default)]
pub struct RandomLengths {
    /// The ply of the state from which they were played.
    ply: u32,
    /// Their number.
    games: u32,
    /// How many of them were cut off.
    cut: u32,
    longest: u32,
    sum: f32,
    squares: f32,
}

impl RandomLengths {
    #[inline]
    fn add(&mut self, length: u32) {
        self.games += 1;
        self.cut += u32::from(length == LONGEST);
        self.longest = self.longest.max(length);
        self.sum += length as f32;
        self.squares += (length as f32).powi(2);
    }

    /// An estimate of the joint moves that are left at a ply: those of the longest game. `None` if no game was played.
    #[inline]
    pub(super) fn left_at(&self, ply: u32) -> Option<u32> {
        (self.games > 0).then(|| self.longest.saturating_sub(ply - self.ply))
    }

    /// Whether they can be used again at a ply: until half of the longest game is over.
    #[inline]
    fn are_recent_at(&self, ply: u32) -> bool {
        self.games >= LEAST_GAMES && self.left_at(ply).is_some_and(|left| 2 * left > self.longest)
    }

    /// The standard deviation of the lengths as a share of their mean: 0 if all games are equally long, infinite if some
    /// were cut off, since nothing is known of their ends; `None` if there are too few.
    pub fn spread(&self) -> Option<f32> {
        let games = self.games as f32;
        let mean = self.sum / games;
        if self.cut > 0 && self.games >= LEAST_GAMES {
            return Some(f32::INFINITY);
        }
        let is_enough = self.games >= LEAST_GAMES && mean > 0.0;
        is_enough.then(|| (self.squares / games - mean.powi(2)).max(0.0).sqrt() / mean)
    }
}

impl<R: Reasoner> Uct<R> {
    /// Plays random games from the first state, one by one, as many as there is time for; those from an earlier state
    /// serve until half of what they expected is over, so that in a whole match they are played a few times.
    ///
    /// # Errors
    /// If the rules give no answer in one of them.
    pub fn random_lengths(&mut self, reasoner: &mut R, budget: &Budget) -> Result<RandomLengths, SearchError> {
        let root = self.tree.root();
        let meter = Meter::start_flat(budget);
        let ply = self.tree.node(root).ply();
        if self.lengths.are_recent_at(ply) {
            return Ok(self.lengths);
        }
        let mut lengths = RandomLengths { ply, ..RandomLengths::default() };
        'games: for _ in 0..GAMES {
            let mut state = self.tree.state(root).clone();
            let mut length = 0;
            let random = &mut self.random;
            while length < LONGEST && reasoner.random_step(&mut state, &mut |count| random.below(count))? {
                length += 1;
                if meter.pause().is_err() {
                    break 'games;
                }
            }
            lengths.add(length);
        }
        self.lengths = lengths;
        Ok(lengths)
    }
}
