//! The lengths of random games from the first state: how long the rest of the game may be, and whether it may end at any
//! time.

use super::Uct;
use crate::game::Reasoner;
use crate::search::budget::Meter;
use crate::search::{Budget, SearchError};

/// The number of games, and the least that say something of their spread.
const GAMES: u32 = 32;
const LEAST_GAMES: u32 = 8;
/// The longest that is believed, in joint moves.
const LONGEST: u32 = 1000;

/// The lengths of some random games, in joint moves.
#[derive(Clone, Copy, Default)]
pub(crate) struct RandomLengths {
    /// The ply of the state from which they were played, and their number.
    ply: u32,
    games: u32,
    longest: u32,
    sum: f32,
    squares: f32,
}

impl RandomLengths {
    fn add(&mut self, length: u32) {
        self.games += 1;
        self.longest = self.longest.max(length);
        self.sum += length as f32;
        self.squares += (length as f32).powi(2);
    }

    /// The joint moves that are left at a ply at most; `None` if no game came to its end.
    pub(super) fn left_at(&self, ply: u32) -> Option<u32> {
        (self.games > 0).then(|| self.longest.saturating_sub(ply - self.ply))
    }

    /// Whether they still say how much is left at a ply: until half of it is over.
    fn serve_at(&self, ply: u32) -> bool {
        self.games >= LEAST_GAMES && self.left_at(ply).is_some_and(|left| 2 * left > self.longest)
    }

    /// The standard deviation of the lengths as a share of their mean: 0 if all games are equally long; `None` if there
    /// are too few.
    pub(crate) fn spread(&self) -> Option<f32> {
        let games = self.games as f32;
        let mean = self.sum / self.games as f32;
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
    pub(crate) fn random_lengths(&mut self, reasoner: &mut R, budget: &Budget) -> Result<RandomLengths, SearchError> {
        let root = self.tree.root();
        let meter = Meter::start_flat(budget);
        let ply = self.tree.node(root).ply();
        if self.lengths.serve_at(ply) {
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
