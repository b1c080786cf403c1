//! Trials: short games between a tree search with a learned evaluation and one without.

use super::Playouts;
use super::learned::{Learned, share_of_first};
use super::uct::{Uct, UctOptions};
use crate::game::{Chance, JointMoves, Reasoner, Role};
use crate::search::{Budget, SearchError};
use std::time::Duration;

/// What has come out of a trial.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Trial {
    /// The number of games.
    pub(crate) games: u32,
    /// The points of the search with the evaluation: 1 for a won game, and shares of it.
    pub(crate) points: f32,
}

impl Trial {
    /// The least number of points above half of them, and the least share of them. Of evaluations that gain nothing
    /// about one in five passes, which costs nothing either.
    const LEAST_GAIN: f32 = 2.0;
    const LEAST_SHARE: f32 = 0.55;
    /// The most visits for a move.
    const VISITS: u64 = 1000;
    /// The memory of each tree, in bytes.
    const MEMORY: u64 = 64 << 20;
    /// The number of random plies with which a game begins.
    const OPENING: usize = 2;
    /// The longest game, in plies; longer ones are draws.
    const LONGEST: usize = 500;

    /// Whether the evaluation has shown that it gains something.
    pub(crate) fn is_passed(self) -> bool {
        let games = self.games as f32;
        self.points >= games / 2.0 + Self::LEAST_GAIN && self.points >= Self::LEAST_SHARE * games
    }

    /// Plays games from a state, each opening twice with sides swapped, with this time for a move, until `is_over`, which
    /// is asked before each move.
    ///
    /// # Errors
    /// If the rules give no answer in a state.
    pub(crate) fn run<R: Reasoner>(
        reasoner: &mut R,
        state: &R::State,
        learned: &Learned,
        options: UctOptions,
        playouts: &mut dyn Playouts<R>,
        time: Duration,
        is_over: &mut dyn FnMut() -> bool,
    ) -> Result<Self, SearchError> {
        let budget = Budget::new().with_nodes(Self::VISITS).with_memory(Self::MEMORY).with_time(time);
        let (mut trial, mut random) = (Self::default(), Chance::new(options.seed));
        loop {
            let opening = opening(reasoner, state, &mut random)?;
            let mut points = 0.0;
            for side in [Role::new(0), Role::new(1)] {
                let mut with = Uct::new(reasoner, &opening, options)?;
                with.estimate_by(learned.clone());
                let without = Uct::new(reasoner, &opening, options)?;
                let trees = if side.index() == 0 { [with, without] } else { [without, with] };
                let Some(share) = play(reasoner, &opening, trees, playouts, &budget, is_over)? else {
                    return Ok(trial);
                };
                points += if side.index() == 0 { share } else { 1.0 - share };
            }
            trial.games += 2;
            trial.points += points;
        }
    }
}

/// A state after a few random plies.
fn opening<R: Reasoner>(reasoner: &mut R, state: &R::State, random: &mut Chance) -> Result<R::State, SearchError> {
    let mut opening = state.clone();
    for _ in 0..Trial::OPENING {
        reasoner.random_step(&mut opening, &mut |count| random.below(count))?;
    }
    Ok(if reasoner.is_terminal(&opening)? { state.clone() } else { opening })
}

/// Plays a game between two trees, the first for the first role; returns the share of the range that the first role
/// gets, or `None` if the time is over.
fn play<R: Reasoner>(
    reasoner: &mut R,
    opening: &R::State,
    mut trees: [Uct<R>; 2],
    playouts: &mut dyn Playouts<R>,
    budget: &Budget,
    is_over: &mut dyn FnMut() -> bool,
) -> Result<Option<f32>, SearchError> {
    let mut state = opening.clone();
    for _ in 0..Trial::LONGEST {
        if reasoner.is_terminal(&state)? {
            return Ok(Some(share_of_first(reasoner, &state)?));
        }
        if is_over() {
            return Ok(None);
        }
        let joint_moves = JointMoves::of(reasoner, &state)?;
        let mut joint_move = joint_moves.current().to_vec();
        for role in joint_moves.each_choosing() {
            let advice = trees[role.index()].search(reasoner, role, playouts, budget)?.answer;
            joint_move[role.index()] = advice.map_or(joint_move[role.index()], |advice| advice.chosen);
        }
        state = reasoner.next_state(&state, &joint_move)?;
        for tree in &mut trees {
            tree.advance(reasoner, &joint_move, &state)?;
        }
    }
    Ok(Some(0.5))
}
