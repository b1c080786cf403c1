//! `random`: a random legal move.

use crate::game::Move;
use crate::game::chance::below;
use crate::play::equipment::Wanted;
use crate::play::{Deadline, PlayerError, Position, Strategy};
use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

/// Makes each legal move with the same probability; the same seed makes the same moves in the same match.
pub struct Random {
    random: Xoshiro256PlusPlus,
}

impl Random {
    /// Makes a player with this seed.
    pub fn new(seed: u64) -> Self {
        Self { random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl Strategy for Random {
    fn name(&self) -> String {
        "random".to_string()
    }

    fn wants(&self) -> Wanted {
        Wanted::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(Some(position.legal[below(&mut self.random, position.legal.len())]))
    }
}
