//! One random game from each of many states.

use super::batch::LaneBatch;
use super::play::lanes;
use super::ply::Draws;
use super::single_goals::each_only;
use super::word::{Word, and, any, none, or, without};
use crate::game::Utility;
use crate::program::NetworkState;

/// The outcomes of one game from each of several states, by the index of the state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rollouts {
    roles: usize,
    /// The utilities of all roles, state by state.
    utilities: Vec<Option<Utility>>,
    /// The number of plies, state by state.
    plies: Vec<u32>,
    /// The states in whose games each move was made, 64 in a word, move by move; empty if moves are not kept.
    made: Vec<u64>,
    /// The number of these words for each move.
    columns: usize,
}

impl Rollouts {
    pub(super) fn new(roles: usize, states: usize) -> Self {
        Self { roles, utilities: vec![None; states * roles], plies: vec![0; states], made: Vec::new(), columns: 0 }
    }

    /// Keeps which of this many moves are made.
    pub(super) fn keeping(self, moves: usize) -> Self {
        let columns = self.plies.len().div_ceil(64);
        Self { made: vec![0; moves * columns], columns, ..self }
    }

    /// The utility of each role at the end of the game from this state. `None` if the rules define no integer or
    /// several, or if the game did not end because it was too long or a role had no move.
    pub fn utilities(&self, state: usize) -> &[Option<Utility>] {
        &self.utilities[state * self.roles..][..self.roles]
    }

    /// The number of plies that were played from this state.
    pub fn plies(&self, state: usize) -> u32 {
        self.plies[state]
    }

    /// The states, ascending, in whose games a role made this move where it had others, the move being given by its index
    /// in [`Program::moves`](crate::program::Program::moves). None if the lanes do not keep moves.
    pub fn made(&self, chosen: usize) -> impl Iterator<Item = usize> {
        let columns = self.made.iter().skip(chosen * self.columns).take(self.columns).enumerate();
        columns.flat_map(|(column, &made)| lanes(made).map(move |lane| column * 64 + lane as usize))
    }
}

/// Random games that are played once each.
#[derive(Clone, Copy, Debug)]
pub(super) struct RandomGames {
    /// The seed of all choices.
    pub(super) seed: u64,
    /// The number of plies after which a game is abandoned.
    pub(super) longest: u32,
}

/// Plays one game from each of these states, at most one a lane, and stores the outcomes from index `first` on.
pub(super) fn roll_out<const W: usize>(
    batch: &mut LaneBatch<W>,
    states: &[&NetworkState],
    RandomGames { seed, longest }: RandomGames,
    values: &[Option<Utility>],
    first: usize,
    rollouts: &mut Rollouts,
) {
    batch.set_all(states);
    let mut playing = none();
    (0..states.len()).for_each(|index| playing[index / 64] |= 1 << (index % 64));
    (0..W).for_each(|column| batch.random.seed(column, seed, (first / 64 + column) as u64));
    let mut clock = 0;
    while any(&playing) && clock <= longest {
        let over = and(&batch.evaluate_state(), &playing);
        if any(&over) {
            batch.evaluate_goals();
            note(batch, &over, values, first, rollouts);
        }
        batch.choose(&without(&playing, &over), Draws::UntilAll);
        let stuck = batch.stuck.iter().fold(none(), |all, lanes| or(&all, lanes));
        let ended = or(&over, &stuck);
        for (column, &ended) in ended.iter().enumerate() {
            lanes(ended).for_each(|lane| rollouts.plies[first + column * 64 + lane as usize] = clock);
        }
        playing = without(&playing, &ended);
        batch.advance(&none());
        if rollouts.columns > 0 {
            note_moves(batch, &playing, first / 64, rollouts);
        }
        clock += 1;
    }
    for (column, &unfinished) in playing.iter().enumerate() {
        lanes(unfinished).for_each(|lane| rollouts.plies[first + column * 64 + lane as usize] = longest);
    }
}

/// Records the utilities of the games in these lanes, after [`LaneBatch::evaluate_goals`].
pub(super) fn note<const W: usize>(
    batch: &mut LaneBatch<W>,
    over: &Word<W>,
    values: &[Option<Utility>],
    first: usize,
    rollouts: &mut Rollouts,
) {
    let compiled = batch.compiled().clone();
    for (role, goals) in compiled.goals.iter().enumerate() {
        let valued = |goal: usize| and(&batch.valued(goal), over);
        each_only(goals, valued, |goal, lanes_of_goal| {
            for (column, &lanes_of_goal) in lanes_of_goal.iter().enumerate() {
                for lane in lanes(lanes_of_goal) {
                    let state = first + column * 64 + lane as usize;
                    rollouts.utilities[state * rollouts.roles + role] = values[goal];
                }
            }
        });
    }
}

/// Records the moves that were made in these lanes, after [`LaneBatch::advance`].
fn note_moves<const W: usize>(batch: &mut LaneBatch<W>, playing: &Word<W>, first: usize, rollouts: &mut Rollouts) {
    let compiled = batch.compiled().clone();
    for candidate in compiled.choices(batch.form()).contested_candidates() {
        let made = and(&batch.made(candidate), playing);
        let start = candidate.index as usize * rollouts.columns;
        let noted = &mut rollouts.made[start + first..start + rollouts.columns];
        noted.iter_mut().zip(made).for_each(|(noted, made)| *noted |= made);
    }
}
