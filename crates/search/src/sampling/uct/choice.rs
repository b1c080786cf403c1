//! The moves of a role in a state, with the statistics of each.

use super::later_moves::LaterGames;
use super::proof::OPEN;
use gdl::limits::heap_block;
use ggp_game::{Move, Role};

/// The moves of a role that has more than one.
pub(super) struct RoleChoice {
    pub(super) role: Role,
    pub(super) arms: Box<[Arm]>,
    /// For each move the games in which it was made later; empty if they do not count.
    pub(super) later: Box<[LaterGames]>,
    /// The exact value of each move for the role, if no other player decides, and [`OPEN`] where it is not known; empty if
    /// none is.
    pub(super) proven: Box<[f64]>,
}

/// The statistics of one move of a role. Selection reads more of them than it changes, so derived numbers are updated
/// with each change.
#[derive(Clone, Copy)]
pub(super) struct Arm {
    pub(super) chosen: Move,
    /// The number of random games that began with it, including those that wait to be played.
    pub(super) visits: u32,
    /// The number of games that have been played.
    pub(super) over: u32,
    /// The sum of their utilities for the role.
    sum: f64,
    /// Their mean; 0 if there are none.
    pub(super) mean: f32,
    /// One over the square root of the visits; infinite if there are none.
    pub(super) doubt: f32,
    /// The utility that a learned evaluation expects after it; minus infinity if there is none.
    pub(super) estimate: f32,
}

impl RoleChoice {
    /// The moves of a role, of which nothing is known yet; `counts_later` if games with later moves count.
    #[inline]
    pub(super) fn new(role: Role, moves: &[Move], counts_later: bool) -> Self {
        let later = vec![LaterGames::default(); if counts_later { moves.len() } else { 0 }];
        let arms = moves.iter().copied().map(Arm::new).collect();
        Self { role, arms, later: later.into(), proven: Box::default() }
    }

    /// The approximate heap bytes.
    #[inline]
    pub(super) fn bytes(&self) -> usize {
        let proven = if self.proven.is_empty() { 0 } else { heap_block(size_of_val(&*self.proven)) };
        heap_block(size_of_val(&*self.arms)) + heap_block(size_of_val(&*self.later)) + proven
    }

    /// Notes the exact value of a move.
    #[inline]
    pub(super) fn note_proven(&mut self, pick: usize, value: f64) {
        if self.proven.is_empty() {
            self.proven = vec![OPEN; self.arms.len()].into();
        }
        self.proven[pick] = value;
    }
}

impl Arm {
    #[inline]
    fn new(chosen: Move) -> Self {
        Self { chosen, visits: 0, over: 0, sum: 0.0, mean: 0.0, doubt: f32::INFINITY, estimate: f32::NEG_INFINITY }
    }

    /// Counts a random game that waits to be played.
    #[inline]
    pub(super) fn visit(&mut self) {
        self.visits += 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Removes a game that waits.
    #[inline]
    pub(super) fn take_back(&mut self) {
        self.visits -= 1;
        self.doubt = (self.visits as f32).sqrt().recip();
    }

    /// Adds the result of a played game.
    #[inline]
    pub(super) fn reward(&mut self, worth: f32) {
        self.over += 1;
        self.sum += f64::from(worth);
        #[expect(clippy::cast_possible_truncation, reason = "means are compared in 32 bits")]
        let mean = (self.sum / f64::from(self.over)) as f32;
        self.mean = mean;
    }
}
