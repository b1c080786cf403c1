//! Random games for measuring an engine, one after the other, on one thread.
//!
//! This module only plays; the caller reads the clock between slices of work.

use ggp_game::{Chance, ReasonError, Reasoner, Role};

/// Counts of the play so far, over all games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayedAmount {
    /// The number of next states that were computed.
    pub states: u64,
    /// The number of games that ended.
    pub playouts: u64,
    /// The sum of the utilities of all roles over all ended games, each rounded down. For a given seed it changes only
    /// if the engine's answers do, so benches can assert it.
    pub utilities: i64,
}

/// A player of random games with one engine: each role makes each of its legal moves with the same probability.
///
/// Choosing moves allocates nothing, so the measured time is the engine's.
pub struct BenchGames<R: Reasoner> {
    reasoner: R,
    random: Chance,
    initial: R::State,
    state: R::State,
    played: PlayedAmount,
}

impl<R: Reasoner> BenchGames<R> {
    /// A player at the start of a game; the same seed plays the same games on every engine and machine.
    pub fn new(mut reasoner: R, seed: u64) -> Result<Self, ReasonError> {
        let initial = reasoner.initial_state()?;
        Ok(Self {
            random: Chance::new(seed),
            state: initial.clone(),
            initial,
            played: PlayedAmount::default(),
            reasoner,
        })
    }

    /// The counts so far.
    pub fn played(&self) -> PlayedAmount {
        self.played
    }

    /// Plays about `states` more states; a game that is not over then is continued by the next call.
    pub fn play(&mut self, states: u64) -> Result<(), ReasonError> {
        let enough = self.played.states + states;
        // A game whose initial state is terminal computes no next states; its playouts are counted instead.
        let most_playouts = self.played.playouts + states;
        while self.played.states < enough && self.played.playouts < most_playouts {
            let random = &mut self.random;
            if self.reasoner.random_step(&mut self.state, &mut |count| random.below(count))? {
                self.played.states += 1;
            } else {
                self.finish()?;
            }
        }
        Ok(())
    }

    /// Counts a finished game and starts the next one. A role without a single goal value adds nothing to the sum.
    fn finish(&mut self) -> Result<(), ReasonError> {
        for index in 0..self.reasoner.roles().len() {
            match self.reasoner.goal(&self.state, Role::new(index)) {
                Ok(utility) => self.played.utilities += i64::from(utility.floor()),
                Err(error @ ReasonError::Stopped(_)) => return Err(error),
                Err(_) => {}
            }
        }
        self.played.playouts += 1;
        self.state.clone_from(&self.initial);
        Ok(())
    }
}
