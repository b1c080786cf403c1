//! Later moves: statistics of the moves that a role made at any later ply in the games through a state (all moves as
//! first, RAVE).
//!
//! In games in which the order of moves matters little, such as games of stones, a state knows something of each of its
//! moves after a few visits. These games count as visits of a move, [`super::UctOptions::rave`] of them at most, so
//! that the games of the move itself overrule them later.
//!
//! Source: Gelly and Silver, *Monte-Carlo Tree Search and Rapid Action Value Estimation in Computer Go*, 2011.

use super::Uct;
use super::node::{LaterGames, NodeIndex};
use crate::sampling::playouts::PlayedMove;
use ggp_game::{Move, Reasoner, Role};
use rustc_hash::FxHashSet;

/// The moves that each role makes in the games from a node, by the number of the move.
#[derive(Default)]
pub(super) struct LaterMoves {
    by_role: Vec<Vec<LaterGames>>,
    /// The moves with later games, so that only these are reset.
    known: Vec<(Role, Move)>,
}

impl LaterMoves {
    /// Replaces the contents by the moves of the games from a leaf.
    #[inline]
    pub(super) fn begin(&mut self, moves: &[PlayedMove]) {
        // Only the moves of the last games are reset, not the whole table.
        for (role, chosen) in self.known.drain(..) {
            self.by_role[role.index()][chosen.index()] = LaterGames::default();
        }
        for played in moves {
            self.add(played.role, played.chosen, LaterGames { games: played.share, sum: played.worth });
        }
    }

    /// Adds a game in which a role made a move before those of the leaf.
    #[inline]
    pub(super) fn add_pick(&mut self, role: Role, picked: Move, worth: f32) {
        self.add(role, picked, LaterGames { games: 1.0, sum: worth });
    }

    /// Adds the later games to those of the moves that a role has in a state.
    #[inline]
    pub(super) fn add_to(&self, role: Role, moves: impl Iterator<Item = Move>, later: &mut [LaterGames]) {
        let Some(of_role) = self.by_role.get(role.index()) else { return };
        for (later, chosen) in later.iter_mut().zip(moves) {
            if let Some(games) = of_role.get(chosen.index()) {
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

/// Regression of the own games of moves on their later games: how much of the differences between the moves of a state
/// the later games foretell, in sums over many states.
#[derive(Default)]
struct Foretelling {
    /// The sums of the squares and of the products of the deviations from the means of a state, weighted by visits.
    later: f32,
    own: f32,
    both: f32,
    /// The number of deviations that can be chosen freely.
    freedom: usize,
}

impl Foretelling {
    /// A move is compared from this many visits on, and these later games.
    const LEAST_VISITS: u32 = 200;
    const LEAST_GAMES: f32 = 20.0;
    /// The most states that are considered.
    const MOST_STATES: usize = 2000;
    /// The least degrees of freedom for an answer.
    const LEAST_FREEDOM: usize = 24;

    /// Adds the moves of a state, each with its visits, the mean of its own games, and its games with later moves.
    fn add<'a>(&mut self, moves: impl Iterator<Item = (u32, f32, &'a LaterGames)> + Clone) {
        let known = |&(visits, _, later): &(u32, f32, &LaterGames)| {
            visits >= Self::LEAST_VISITS && later.games >= Self::LEAST_GAMES
        };
        let means = moves.filter(known).map(|(visits, own, later)| (visits as f32, own, later.sum / later.games));
        let mut count = 0;
        let mut visits = 0.0;
        let mut own_sum = 0.0;
        let mut later_sum = 0.0;
        for (weight, own, later) in means.clone() {
            (count, visits) = (count + 1, visits + weight);
            (own_sum, later_sum) = (own_sum + weight * own, later_sum + weight * later);
        }
        // One move alone has no difference to foretell.
        if count < 2 {
            return;
        }
        let own_mean = own_sum / visits;
        let later_mean = later_sum / visits;
        for (weight, own, later) in means {
            self.later += weight * (later - later_mean).powi(2);
            self.own += weight * (own - own_mean).powi(2);
            self.both += weight * (later - later_mean) * (own - own_mean);
        }
        self.freedom += count - 1;
    }

    /// The difference between the own games of two moves that is expected for a difference of 1 between their later
    /// games: the slope of the regression line, and its standard error.
    #[inline]
    fn slope(&self) -> Option<(f32, f32)> {
        if self.freedom < Self::LEAST_FREEDOM || self.later == 0.0 {
            return None;
        }
        let slope = self.both / self.later;
        // The squares that the line does not explain; rounding may make their sum slightly negative.
        let rest = (self.own - slope * self.both).max(0.0);
        Some((slope, (rest / self.later / (self.freedom - 1) as f32).sqrt()))
    }
}

impl<R: Reasoner> Uct<R> {
    /// The share of the differences between the moves of a state that their later games foretell, from 1 for all of it
    /// to 0 or less for nothing, by the states that follow from the first one by much visited moves, and the standard
    /// error of this number; `None` if too little is known. It takes a few milliseconds, however large the tree is.
    pub fn foretold_by_later_moves(&self) -> Option<(f32, f32)> {
        let mut foretelling = Foretelling::default();
        for index in self.much_visited() {
            let turn = self.tree.node(index).turn.as_ref();
            for choice in turn.map_or(&[][..], |turn| &turn.choices) {
                let moves = choice.arms.iter().zip(&choice.later);
                foretelling.add(moves.map(|(arm, later)| (arm.visits, arm.mean, later)));
            }
        }
        foretelling.slope()
    }

    /// The first state and those to which much visited moves lead from it, the nearest first, up to
    /// [`Foretelling::MOST_STATES`].
    fn much_visited(&self) -> Vec<NodeIndex> {
        let mut reached = vec![self.tree.root()];
        let mut known = FxHashSet::from_iter([self.tree.root()]);
        let mut next = 0;
        while let Some(turn) = reached.get(next).map(|&index| self.tree.node(index).turn.as_ref()) {
            next += 1;
            let moves = turn.into_iter().flat_map(|turn| turn.moves_visited(Foretelling::LEAST_VISITS));
            for child in moves.take(Foretelling::MOST_STATES - reached.len()) {
                if known.insert(child) {
                    reached.push(child);
                }
            }
        }
        reached
    }

    /// The most visits for which games with later moves count.
    #[expect(clippy::cast_possible_truncation, reason = "visits are weighed in 32 bits")]
    #[inline]
    pub(super) fn rave(&self) -> f32 {
        self.options.rave as f32
    }

    /// Lets games with later moves count also for moves that were never tried, so that a state need not try all of them
    /// before it goes deeper. Without [`super::UctOptions::rave`] nothing changes.
    #[inline]
    pub fn trust_later_moves(&mut self) {
        self.foretells_untried = true;
    }

    /// Stops counting games with later moves.
    #[inline]
    pub fn ignore_later_moves(&mut self) {
        (self.options.rave, self.foretells_untried) = (0.0, false);
        self.tree.ignore_later_moves();
    }
}
