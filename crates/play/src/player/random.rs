//! `random`: a random legal move.

use crate::equipment::Requirement;
use crate::{Deadline, PlayerError, Position, Strategy};
use ggp_game::{Chance, Move};

/// Makes each legal move with the same probability; the same seed makes the same moves in the same match.
pub(crate) struct RandomPlayer {
    random: Chance,
}

impl RandomPlayer {
    /// Makes a player with this seed.
    pub(crate) fn new(seed: u64) -> Self {
        Self { random: Chance::new(seed) }
    }
}

impl Strategy for RandomPlayer {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(Some(position.legal[self.random.below(position.legal.len())]))
    }
}
