//! Games that are played once each: one from each of many states, for their outcomes, or one in each lane, recorded
//! move by move, with which the tests compare other evaluators.

use super::batch::LaneBatch;
use super::outcomes::each_only;
use super::ply::Draws;
use super::word::{Word, and, any, lane_indices, lanes, none, or, without};
use crate::program::NetworkState;
use gdl::number::to_u32;
use ggp_game::{Role, Utility};

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
    /// For each role the first state whose game ended without a utility for it, and the end.
    without_utility: Vec<Option<(usize, NetworkState)>>,
    /// The first state in whose game a role had no move, and the state in which that was.
    stuck: Option<(usize, NetworkState)>,
}

impl Rollouts {
    pub(super) fn new(roles: usize, states: usize) -> Self {
        Self {
            roles,
            utilities: vec![None; states * roles],
            plies: vec![0; states],
            without_utility: vec![None; roles],
            ..Self::default()
        }
    }

    /// The same outcomes with room for the states in which each of this many moves is made.
    pub(super) fn keeping(self, moves: usize) -> Self {
        let columns = self.plies.len().div_ceil(64);
        Self { made: vec![0; moves * columns], columns, ..self }
    }

    /// The utility of each role at the end of the game from this state. `None` if the rules define no integer or
    /// several, or if the game did not end because it was too long or a role had no move.
    pub fn utilities(&self, state: usize) -> &[Option<Utility>] {
        &self.utilities[state * self.roles..][..self.roles]
    }

    /// The last state of the first game that the rules do not value for one of these roles, because they define no
    /// integer or several at its end, or because a role had no move.
    pub fn faulty(&self, roles: impl IntoIterator<Item = Role>) -> Option<&NetworkState> {
        let ends = roles.into_iter().filter_map(|role| self.without_utility[role.index()].as_ref());
        ends.chain(&self.stuck).min_by_key(|(index, _)| *index).map(|(_, state)| state)
    }

    /// The number of plies that were played from this state.
    pub fn plies(&self, state: usize) -> u32 {
        self.plies[state]
    }

    /// The states, ascending, in whose games a role made this move where it had others, the move being given by its
    /// index in [`Program::moves`](crate::program::Program::moves). None if the lanes do not keep moves.
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
    // One evaluation more than plies: the state after the last ply may be terminal.
    while any(&playing) && clock <= longest {
        let over = and(&batch.evaluate_state(), &playing);
        if any(&over) {
            batch.evaluate_goals();
            note(batch, &over, values, first, rollouts);
        }
        batch.choose(&without(&playing, &over), Draws::UntilAll);
        let stuck = batch.stuck_lanes();
        let stuck = and(&stuck, &playing);
        if any(&stuck) {
            keep_first(batch, &stuck, first, &mut rollouts.stuck);
        }
        let ended = or(&over, &stuck);
        lane_indices(&ended).for_each(|lane| rollouts.plies[first + lane] = clock);
        playing = without(&playing, &ended);
        batch.advance(&none());
        if rollouts.columns > 0 {
            note_moves(batch, &playing, first / 64, rollouts);
        }
        clock += 1;
    }
    lane_indices(&playing).for_each(|lane| rollouts.plies[first + lane] = longest);
}

/// Records the utilities of the games in these lanes, after [`LaneBatch::evaluate_goals`].
fn note<const W: usize>(
    batch: &mut LaneBatch<W>,
    over: &Word<W>,
    values: &[Option<Utility>],
    first: usize,
    rollouts: &mut Rollouts,
) {
    let compiled = batch.compiled().clone();
    for (role, goals) in compiled.goals.iter().enumerate() {
        let valued = |goal: usize| and(&batch.valued(goal), over);
        let mut without_utility = *over;
        each_only(goals, valued, |goal, lanes_of_goal| {
            if values[goal].is_some() {
                without_utility = without(&without_utility, &lanes_of_goal);
            }
            for lane in lane_indices(&lanes_of_goal) {
                rollouts.utilities[(first + lane) * rollouts.roles + role] = values[goal];
            }
        });
        if any(&without_utility) {
            keep_first(batch, &without_utility, first, &mut rollouts.without_utility[role]);
        }
    }
}

/// Keeps the first of the states in these lanes, with its index; those of the batch begin with index `first`.
#[cold]
fn keep_first<const W: usize>(
    batch: &mut LaneBatch<W>,
    states: &Word<W>,
    first: usize,
    kept: &mut Option<(usize, NetworkState)>,
) {
    let Some(lane) = lane_indices(states).next() else { return };
    if kept.as_ref().is_none_or(|&(known, _)| first + lane < known) {
        *kept = Some((first + lane, batch.get(lane / 64, to_u32(lane % 64))));
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

/// A game played in a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// All states from the first to the last.
    pub states: Vec<NetworkState>,
    /// The joint move from each state to the next, one index into [`crate::program::Program::moves`] per role.
    pub joint_moves: Vec<Vec<usize>>,
    /// True if the last state is terminal.
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
        let over = and(&batch.evaluate_state(), &playing);
        if any(&over) {
            batch.evaluate_goals();
            note(batch, &over, values, 0, &mut rollouts);
        }
        lane_indices(&over).for_each(|lane| lines[lane].is_over = true);
        playing = without(&playing, &over);
        for (line, index) in lines.iter().zip(0..) {
            let is_longest = to_u32(line.joint_moves.len()) == longest;
            playing[index / 64] &= !(u64::from(is_longest) << (index % 64));
        }
        if !any(&playing) {
            break;
        }
        batch.choose(&playing, Draws::ByPace);
        let stuck = batch.stuck_lanes();
        playing = without(&playing, &stuck);
        batch.advance(&none());
        let moving = without(&playing, &batch.held);
        record_moves(batch, &moving, roles, &mut lines);
        for lane in lane_indices(&moving) {
            lines[lane].states.push(batch.get(lane / 64, to_u32(lane % 64)));
        }
    }
    for (lane, line) in lines.iter_mut().enumerate() {
        line.utilities = rollouts.utilities(lane).to_vec();
    }
    lines
}

fn record_moves<const W: usize>(batch: &mut LaneBatch<W>, playing: &[u64; W], roles: usize, lines: &mut [Line]) {
    let compiled = batch.compiled().clone();
    for lane in lane_indices(playing) {
        lines[lane].joint_moves.push(vec![usize::MAX; roles]);
    }
    for (role, candidate) in compiled.choices.candidates() {
        for lane in lane_indices(&and(&batch.made(candidate), playing)) {
            if let Some(moves) = lines[lane].joint_moves.last_mut() {
                debug_assert_eq!(moves[role], usize::MAX, "a role makes one move");
                moves[role] = candidate.index as usize;
            }
        }
    }
}
