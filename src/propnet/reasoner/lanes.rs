//! The lanes of a network. What differs from the network is left out of all lanes of it and of its clones.

use super::Propnet;
use crate::lanes::{BackEnds, Lanes, LanesError, Questions, SteppedGames, Width};
use crate::limits::Limits;

impl Propnet {
    /// What the lanes of this network may use, and what was left out since it changes the game on this sheet: faults of
    /// this program.
    pub fn back_ends(&self) -> &BackEnds {
        &self.back_ends
    }

    /// Lanes for random play ([`Lanes::within`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn lanes(&self, width: Option<Width>, limits: &Limits) -> Result<Lanes, LanesError> {
        Lanes::within(&self.program, &self.back_ends, width, limits)
    }

    /// This many games that the caller steps ([`SteppedGames::within`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn stepped_games(&self, games: usize, limits: &Limits) -> Result<SteppedGames, LanesError> {
        SteppedGames::within(&self.program, games, &self.back_ends, limits)
    }

    /// Lanes for questions about many states; `None` if all that can be made differ from the network.
    pub(super) fn questions(&self) -> Option<Questions> {
        Questions::within(&self.program, &self.back_ends, &Limits::none()).ok()
    }
}
