//! One game in each lane, recorded move by move, with which the tests compare other evaluators.

use super::batch::LaneBatch;
use super::play::lanes;
use super::ply::Draws;
use super::rollouts::{RandomGames, Rollouts};
use super::word::{any, none, or, without};
use crate::program::NetworkState;
use gdl::number::to_u32;
use ggp_game::Utility;

/// A game played in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// All states from the first to the last.
    pub states: Vec<NetworkState>,
    /// The joint move from each state to the next, one index into [`crate::program::Program::moves`] per role.
    pub joint_moves: Vec<Vec<usize>>,
    /// Whether the last state is terminal.
    pub is_over: bool,
    /// The utility of the last state for each role; `None` if it is not terminal, or the rules define no integer or
    /// several.
    pub utilities: Vec<Option<Utility>>,
}

/// Plays one game from a state in every lane, for at most `longest` plies.
pub(super) fn lines<const W: usize>(
    batch: &mut LaneBatch<W>,
    from: &NetworkState,
    RandomGames { seed, longest }: RandomGames,
    values: &[Option<Utility>],
) -> Vec<Line> {
    batch.expect(&[from]);
    batch.keep_moves();
    batch.set_initial(from);
    for column in 0..W {
        batch.begin(column, u64::MAX);
        batch.random.seed(column, seed, column as u64);
    }
    let roles = batch.compiled().choices.roles();
    let start = Line { states: vec![from.clone()], joint_moves: Vec::new(), is_over: false, utilities: Vec::new() };
    let mut lines = vec![start; W * 64];
    let mut rollouts = Rollouts::new(roles, W * 64);
    let mut playing = [u64::MAX; W];
    loop {
        let over = super::word::and(&batch.evaluate_state(), &playing);
        if any(&over) {
            batch.evaluate_goals();
            super::rollouts::note(batch, &over, values, 0, &mut rollouts);
        }
        for (column, &over) in over.iter().enumerate() {
            lanes(over).for_each(|lane| lines[column * 64 + lane as usize].is_over = true);
        }
        playing = without(&playing, &over);
        for (line, index) in lines.iter().zip(0..) {
            let is_longest = to_u32(line.joint_moves.len()) == longest;
            playing[index / 64] &= !(u64::from(is_longest) << (index % 64));
        }
        if !any(&playing) {
            break;
        }
        batch.choose(&playing, Draws::ByPace);
        let stuck = batch.stuck.iter().fold(none(), |all, lanes| or(&all, lanes));
        playing = without(&playing, &stuck);
        batch.advance(&none());
        let moving = without(&playing, &batch.held);
        note_moves(batch, &moving, roles, &mut lines);
        for (column, &moving) in moving.iter().enumerate() {
            for lane in lanes(moving) {
                let state = batch.get(column, lane);
                lines[column * 64 + lane as usize].states.push(state);
            }
        }
    }
    for (lane, line) in lines.iter_mut().enumerate() {
        line.utilities = rollouts.utilities(lane).to_vec();
    }
    lines
}

fn note_moves<const W: usize>(batch: &mut LaneBatch<W>, playing: &[u64; W], roles: usize, lines: &mut [Line]) {
    let compiled = batch.compiled().clone();
    for (column, &playing) in playing.iter().enumerate() {
        lanes(playing).for_each(|lane| lines[column * 64 + lane as usize].joint_moves.push(vec![usize::MAX; roles]));
        for (role, candidate) in compiled.choices.candidates() {
            for lane in lanes(batch.made(candidate)[column] & playing) {
                if let Some(moves) = lines[column * 64 + lane as usize].joint_moves.last_mut() {
                    debug_assert_eq!(moves[role], usize::MAX, "a role makes one move");
                    moves[role] = candidate.index as usize;
                }
            }
        }
    }
}
