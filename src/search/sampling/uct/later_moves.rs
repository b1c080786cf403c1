//! Later moves: what the games through a state tell of the moves that a role made at any later ply in them (all moves as
//! first, RAVE).
//!
//! Where the order of moves matters little, such as in games of stones, a state knows something of each of its moves after
//! a few visits. These games count as visits of a move, [`super::UctOptions::rave`] of them at most, so what follows the
//! move itself overrules them later.
//!
//! Source: Gelly and Silver, *Monte-Carlo Tree Search and Rapid Action Value Estimation in Computer Go*, 2011.

use super::tree::{Arm, RoleChoice};
use crate::game::{Move, Role};
use crate::search::sampling::playouts::PlayedMove;

/// The games through a state in which a role made a move there or later.
#[derive(Clone, Copy, Default)]
pub(super) struct LaterGames {
    /// Their number, as shares of visits.
    games: f32,
    /// The sum of their utilities for the role.
    sum: f32,
}

impl LaterGames {
    fn add(&mut self, other: Self) {
        self.games += other.games;
        self.sum += other.sum;
    }

    /// What a move is expected to give, and the number of visits that this is worth: the mean of its own games together
    /// with that of these, which count as at most `most` visits. `None` if nothing is known.
    pub(super) fn expected(self, arm: &Arm, most: f32) -> Option<(f32, f32)> {
        if self.games == 0.0 {
            return None;
        }
        let weight = most / (self.games + most);
        let (own, later) = (arm.visits as f32, self.games * weight);
        Some(((own * arm.mean + self.sum * weight) / (own + later), own + later))
    }
}

/// The moves that each role makes in the games from a node, by the number of the move.
#[derive(Default)]
pub(super) struct LaterMoves {
    by_role: Vec<Vec<LaterGames>>,
    /// The moves of which something is known.
    known: Vec<(Role, Move)>,
}

impl LaterMoves {
    /// Replaces the contents by the moves of the games from a leaf.
    pub(super) fn begin(&mut self, moves: &[PlayedMove]) {
        for (role, chosen) in self.known.drain(..) {
            self.by_role[role.index()][chosen.index()] = LaterGames::default();
        }
        for played in moves {
            self.add(played.role, played.chosen, LaterGames { games: played.share, sum: played.worth });
        }
    }

    /// Adds these games to the moves of a choice, and then the move that was picked there.
    pub(super) fn tell(&mut self, choice: &mut RoleChoice, pick: usize, worth: f32) {
        let picked = choice.arms[pick].chosen;
        self.add(choice.role, picked, LaterGames { games: 1.0, sum: worth });
        let of_role = &self.by_role[choice.role.index()];
        for (later, arm) in choice.later.iter_mut().zip(&choice.arms) {
            if let Some(games) = of_role.get(arm.chosen.index()) {
                later.add(*games);
            }
        }
    }

    fn add(&mut self, role: Role, chosen: Move, games: LaterGames) {
        if self.by_role.len() <= role.index() {
            self.by_role.resize(role.index() + 1, Vec::new());
        }
        let of_role = &mut self.by_role[role.index()];
        if of_role.len() <= chosen.index() {
            of_role.resize(chosen.index() + 1, LaterGames::default());
        }
        of_role[chosen.index()].add(games);
        self.known.push((role, chosen));
    }
}
