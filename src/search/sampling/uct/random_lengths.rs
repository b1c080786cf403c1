//! The lengths of random games from the first state: how long the rest of the game may be, and whether it may end at any
//! time.

use super::Uct;
use crate::game::Reasoner;
use crate::search::SearchError;

/// The number of games.
const GAMES: u32 = 32;
/// The longest that is believed, in joint moves.
const LONGEST: u32 = 1000;

/// The lengths of some random games, in joint moves.
#[derive(Clone, Copy, Default)]
pub(crate) struct RandomLengths {
    /// The greatest.
    pub(crate) longest: u32,
    sum: f32,
    squares: f32,
}

impl RandomLengths {
    fn add(&mut self, length: u32) {
        self.longest = self.longest.max(length);
        self.sum += length as f32;
        self.squares += (length as f32).powi(2);
    }

    /// The standard deviation of the lengths as a share of their mean: 0 if all games are equally long.
    pub(crate) fn spread(&self) -> f32 {
        let mean = self.sum / GAMES as f32;
        if mean > 0.0 { (self.squares / GAMES as f32 - mean.powi(2)).max(0.0).sqrt() / mean } else { 0.0 }
    }
}

impl<R: Reasoner> Uct<R> {
    /// Plays random games from the first state, one by one.
    ///
    /// # Errors
    /// If the rules give no answer in one of them.
    pub(crate) fn random_lengths(&mut self, reasoner: &mut R) -> Result<RandomLengths, SearchError> {
        let mut lengths = RandomLengths::default();
        for _ in 0..GAMES {
            let mut state = self.tree.state(self.tree.root()).clone();
            let (mut length, random) = (0, &mut self.random);
            while length < LONGEST && reasoner.random_step(&mut state, &mut |count| random.below(count))? {
                length += 1;
            }
            lengths.add(length);
        }
        Ok(lengths)
    }
}
