//! The lanes of a network. What differs from the network is left out of all lanes of it and of its clones.

use super::Propnet;
use crate::lanes::{BackEnds, Lanes, LanesError, Questions, SteppedGames, Width};
use crate::program::Program;
use gdl::limits::{Limits, Stop};
use ggp_game::{Move, Role};
use std::sync::Arc;

impl Propnet {
    /// What the lanes of this network may use, and what was left out since it changes the game on this sheet: faults of
    /// this program.
    pub fn back_ends(&self) -> &BackEnds {
        &self.back_ends
    }

    /// Lanes for random play ([`Lanes::new`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn lanes(&self, width: Option<Width>, limits: &Limits) -> Result<Lanes, LanesError> {
        Lanes::new(&self.program, &self.back_ends, width, limits)
    }

    /// The same game for random play with decisive moves: a role that can win at once may make no other moves, and one
    /// that cannot may make none after which another role can, unless there are no others. States of one program are
    /// states of the other. `None` if random play would be much slower, or if no move can be seen to win. It is made
    /// once for this network and its clones, which takes up to a few tenths of a second.
    ///
    /// # Errors
    /// If the limits end the work.
    pub fn decisive_program(&self, limits: &Limits) -> Result<Option<&Arc<Program>>, Stop> {
        self.decisive.get(&self.program, &self.back_ends, limits)
    }

    /// Lanes for random play with decisive moves, if there are any ([`Propnet::decisive_program`]).
    ///
    /// # Errors
    /// As [`Propnet::lanes`].
    pub fn decisive_lanes(&self, width: Option<Width>, limits: &Limits) -> Result<Option<Lanes>, LanesError> {
        let Some(program) = self.decisive_program(limits)? else { return Ok(None) };
        Lanes::new(program, &self.back_ends, width, limits).map(Some)
    }

    /// This many games that the caller steps ([`SteppedGames::new`]).
    ///
    /// # Errors
    /// If the limits end the work, or if even the plainest lanes differ from the network.
    pub fn stepped_games(&self, games: usize, limits: &Limits) -> Result<SteppedGames, LanesError> {
        SteppedGames::new(&self.program, games, &self.back_ends, limits)
    }

    /// Every move with its role, in the order of [`Program::moves`].
    pub(crate) fn moves_of_lanes(&self) -> impl Iterator<Item = (Role, Move)> {
        (0..).zip(&self.program.moves).map(|(index, known)| (known.role, self.move_at(index)))
    }

    /// Lanes for questions about many states; `None` if all that can be made differ from the network.
    pub(super) fn questions(&self) -> Option<Questions> {
        Questions::new(&self.program, &self.back_ends, &Limits::none()).ok()
    }
}
