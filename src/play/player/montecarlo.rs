//! `montecarlo`: flat Monte Carlo.

use crate::game::Move;
use crate::play::equipment::{Equipment, Requirement};
use crate::play::finding::log_search;
use crate::play::planning::budget;
use crate::play::playing::RandomPlay;
use crate::play::playout_options::{PlayoutKind, PlayoutOptions};
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};
use crate::search::monte_carlo;

/// Makes the move after which random play has the best mean.
pub(crate) struct MonteCarlo {
    /// The seed of its random choices.
    pub(crate) seed: u64,
    /// The greatest number of random games for a move.
    pub(crate) nodes: Option<u64>,
    /// How it plays random games.
    playouts: PlayoutOptions,
    play: Option<RandomPlay>,
    turn: u64,
}

impl MonteCarlo {
    /// Makes a player with these options.
    pub(crate) fn new(seed: u64, nodes: Option<u64>, playouts: PlayoutKind) -> Self {
        Self { seed, nodes, playouts: PlayoutOptions::new(playouts, 1), play: None, turn: 0 }
    }
}

impl Strategy for MonteCarlo {
    fn name(&self) -> String {
        "montecarlo".to_string()
    }

    fn prepare(&mut self, _: &Start, position: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        self.play = Some(RandomPlay::at(self.playouts, position, self.seed));
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let budget = budget(position, stop, 0).with_nodes(self.nodes.unwrap_or(u64::MAX));
        let play = self.play.get_or_insert_with(|| RandomPlay::at(self.playouts, position, self.seed));
        let Position { engine, state, role, .. } = position;
        self.turn += 1;
        let seed = self.seed.wrapping_add(self.turn);
        let outcome = monte_carlo(engine, state, *role, play, seed, &budget)?;
        log_search("montecarlo", &outcome, |advice| advice.describe(engine));
        Ok(outcome.answer.and_then(|advice| advice.found()))
    }

    fn wants(&self) -> Requirement {
        self.playouts.requirement()
    }

    fn equipped(&mut self, _: Equipment, _: &mut Position) {
        self.play = None;
    }

    fn forget(&mut self) {
        self.play = None;
    }
}
