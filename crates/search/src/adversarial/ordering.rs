//! The order in which an alpha-beta search tries moves, and what it learns for it from its cuts. The better the first
//! move, the more is pruned.

use super::contest::{Arrival, ContestSearch};
use super::transposition::{TableBound, TableEntry, Transpositions, state_hash};
use super::turn::{JointIndex, RoleTurn};
use crate::outcome::Halt;
use crate::{NodeId, Observer, Value};
use ggp_game::stack::with_room_at;
use ggp_game::{Chance, Move, Reasoner};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;

/// The order in which moves are tried; moves of equal rank stay in canonical order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// Canonical order: by the printed text of the moves, numbers by value.
    #[default]
    Canonical,
    /// By the value of the state after each joint move: its utility if it is terminal, otherwise its evaluation. These
    /// states do not count as nodes.
    Evaluation,
    /// By the evaluation alone, also of terminal states: so a win is not tried first, as in programs that order moves
    /// before they make them. These states do not count as nodes.
    Estimate,
    /// The best move of an earlier search of the state first.
    Table,
    /// By the minimax value of the state after each joint move, the best first, so that as much as possible is pruned:
    /// what a perfect ordering would save. The searches that find these values do not count as nodes.
    Best,
    /// By the same values, the worst first.
    Worst,
    /// At random, anew in each state.
    Random {
        /// The seed of the random choices.
        seed: u64,
    },
}

/// Options of an alpha-beta search that change its node counts and no value; all are off in the textbook's form.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Enhancements {
    /// The last two moves that have cut at the same depth are tried before others (killer heuristic).
    ///
    /// - Source: Akl and Newborn, *The Principal Continuation and the Killer Heuristic*, ACM 1977.
    pub killers: bool,
    /// Moves that have cut often anywhere are tried before others, cuts far from the horizon counting more (history
    /// heuristic).
    ///
    /// - Source: Schaeffer, *The History Heuristic*, ICCA Journal 6, 1983.
    pub history: bool,
    /// After the first move the others are only asked whether they are better, with a window that holds no value, and
    /// searched again if they are (principal variation search).
    ///
    /// - Source: Marsland and Campbell, *Parallel Search of Strongly Ordered Game Trees*, Computing Surveys 14, 1982.
    pub null_windows: bool,
    /// In iterative deepening each round begins with a window around the value of the round before; if the value lies
    /// outside, the round is repeated (aspiration windows).
    ///
    /// - Source: Slate and Atkin, *CHESS 4.5*, 1977.
    pub aspiration: bool,
}

impl Enhancements {
    /// All of them.
    pub const ALL: Self = Self { killers: true, history: true, null_windows: true, aspiration: true };
}

/// Orders the joint moves of turns, and keeps what an order needs from turn to turn.
pub(super) struct TurnArranger {
    ordering: Ordering,
    enhancements: Enhancements,
    random: Chance,
    /// The minimax values of states, each with the number of joint moves to the horizon, if they make the order.
    values: Option<Transpositions>,
    /// For each depth in joint moves, the last two joint moves that have cut there, the newest first.
    killers: Vec<[Vec<Move>; 2]>,
    /// For each joint move, the sum of the weights of its cuts.
    history: FxHashMap<Vec<Move>, u64>,
}

impl TurnArranger {
    /// An arranger that has seen no turn; it remembers values of states in this much memory, in bytes.
    #[inline]
    pub(super) fn new(ordering: Ordering, enhancements: Enhancements, memory: u64) -> Self {
        // Without random order no number is drawn, so any seed will do.
        let seed = if let Ordering::Random { seed } = ordering { seed } else { 0 };
        let has_values = matches!(ordering, Ordering::Best | Ordering::Worst);
        Self {
            ordering,
            enhancements,
            random: Chance::new(seed),
            values: has_values.then(|| Transpositions::new(memory)),
            killers: Vec::new(),
            history: FxHashMap::default(),
        }
    }

    /// Orders the joint moves of a turn, first by the cuts so far and then by the ordering; `best` is the index of the
    /// joint move that the table recommends.
    pub(super) fn arrange<R: Reasoner, O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        arrival: &Arrival<'_>,
        turn: &mut RoleTurn<R::State>,
        best: Option<JointIndex>,
    ) -> Result<(), Halt> {
        if turn.order.len() < 2 {
            return Ok(());
        }
        // Before the ordering, whose sorts are stable: the cuts decide among moves of equal rank.
        self.arrange_by_cuts(arrival.depth, turn);
        match self.ordering {
            Ordering::Canonical => {}
            Ordering::Table => best.into_iter().for_each(|index| put_first(turn, index)),
            Ordering::Random { .. } => self.shuffle(turn),
            Ordering::Evaluation => {
                let values = values_after(search, state, turn, |search, next| {
                    if search.reasoner.is_terminal(next)? { search.utility(next) } else { search.estimate(next) }
                })?;
                sort_by_value(turn, &values, false);
            }
            Ordering::Estimate => {
                let values = values_after(search, state, turn, |search, next| search.estimate(next))?;
                sort_by_value(turn, &values, false);
            }
            Ordering::Best | Ordering::Worst => {
                let choosing = turn.choosing.clone();
                let after = arrival.after(NodeId::new(0), &[], &choosing);
                let values = values_after(search, state, turn, |search, next| self.minimax(search, next, &after))?;
                sort_by_value(turn, &values, self.ordering == Ordering::Worst);
            }
        }
        Ok(())
    }

    /// Notes a joint move that has cut, at this depth and with this many plies left to the horizon.
    pub(super) fn note(&mut self, depth: u32, remaining: u32, joint_move: &[Move]) {
        if self.enhancements.killers {
            let depth = depth as usize;
            if self.killers.len() <= depth {
                self.killers.resize(depth + 1, [Vec::new(), Vec::new()]);
            }
            let [first, second] = &mut self.killers[depth];
            if *first != joint_move {
                // The oldest killer is dropped, and the new one takes its memory.
                std::mem::swap(first, second);
                first.clear();
                first.extend_from_slice(joint_move);
            }
        }
        if self.enhancements.history {
            // Without a horizon all cuts count the same.
            let weight = if remaining > 1 << 16 { 1 } else { u64::from(remaining).pow(2).max(1) };
            match self.history.get_mut(joint_move) {
                // A move that is known needs no copy for its key.
                Some(sum) => *sum += weight,
                None => drop(self.history.insert(joint_move.to_vec(), weight)),
            }
        }
    }

    /// Puts the moves that have cut first: the killers of this depth, then by their history; others keep their order.
    fn arrange_by_cuts<S>(&self, depth: u32, turn: &mut RoleTurn<S>) {
        if self.enhancements.history && !self.history.is_empty() {
            // The order is still the canonical one.
            let mut sums: Vec<u64> = Vec::with_capacity(turn.order.len());
            for position in 0..turn.order.len() {
                let index = turn.order[position];
                sums.push(self.history.get(turn.joint_move(index)).copied().unwrap_or(0));
            }
            sort_replies(turn, |reply| Reverse(sums[reply.index()]));
            sort_options(turn, |replies| Reverse(replies.iter().map(|reply| sums[reply.index()]).max()));
        }
        if let Some(killers) = self.killers.get(depth as usize) {
            // The newest killer is put first last, so it comes before the older one.
            for killer in killers.iter().rev().filter(|killer| !killer.is_empty()) {
                for position in 0..turn.order.len() {
                    let index = turn.order[position];
                    if turn.joint_move(index) == &killer[..] {
                        put_first(turn, index);
                        break;
                    }
                }
            }
        }
    }

    /// Shuffles the replies to each move of the role, and the moves of the role (Fisher and Yates).
    fn shuffle<S>(&mut self, turn: &mut RoleTurn<S>) {
        let replies = turn.replies();
        for replies in turn.order.chunks_mut(replies) {
            for end in (1..replies.len()).rev() {
                replies.swap(end, self.random.below(end + 1));
            }
        }
        let mut options: Vec<&[JointIndex]> = turn.order.chunks(replies).collect();
        for end in (1..options.len()).rev() {
            options.swap(end, self.random.below(end + 1));
        }
        turn.order = options.concat();
    }

    /// The minimax value of a state, which is remembered with the number of joint moves to the horizon.
    fn minimax<R: Reasoner, O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        arrival: &Arrival<'_>,
    ) -> Result<Value, Halt> {
        // These states are no nodes, but the limits of time and memory hold for them.
        search.meter.pause()?;
        if search.reasoner.is_terminal(state)? {
            return search.utility(state);
        }
        if search.is_at_horizon(state, arrival)? {
            return search.estimate(state);
        }
        search.meter.reach(arrival.depth)?;
        let remaining = search.remaining(arrival);
        // The number is part of the hash, so the entries of one state do not replace each other.
        let hash = state_hash(&(state, remaining));
        if let Some(known) = self.values.as_ref().and_then(|values| values.get(hash)) {
            return Ok(known.value);
        }
        let mut turn = search.turn(state)?;
        let mut best: Option<Value> = None;
        let replies = turn.replies();
        for first in (0..turn.count()).step_by(replies) {
            let mut worst: Option<Value> = None;
            for place in first..first + replies {
                let next = turn.make(search.reasoner, state, place)?;
                let after = arrival.after(NodeId::new(0), next.joint_move, next.choosing);
                let value = with_room_at(arrival.depth, || self.minimax(search, next.state, &after))?;
                worst = Some(worst.map_or(value, |worst| worst.min(value)));
            }
            best = best.max(worst);
        }
        search.spare_turns.push(turn);
        let value = best.expect("a state that is not over has at least one joint move");
        if let Some(values) = &mut self.values {
            // Only the value of these entries is read.
            let best = JointIndex::default();
            values.set(hash, TableEntry { value, bound: TableBound::Exact, remaining, is_complete: true, best });
            search.meter.remembered(values.len() as u64);
        }
        Ok(value)
    }
}

/// The value of the state after each joint move, by the index of the joint move; the states are kept in the turn.
fn values_after<R: Reasoner, O: Observer>(
    search: &mut ContestSearch<'_, R, O>,
    state: &R::State,
    turn: &mut RoleTurn<R::State>,
    mut value: impl FnMut(&mut ContestSearch<'_, R, O>, &R::State) -> Result<Value, Halt>,
) -> Result<Vec<Value>, Halt> {
    turn.compute_all(search.reasoner, state)?.iter().map(|next| value(search, next)).collect()
}

/// Puts the others' best reply first, and of the role's moves the one whose best reply has the greatest value for the
/// role; or the worst of both.
fn sort_by_value<S>(turn: &mut RoleTurn<S>, values: &[Value], worst_first: bool) {
    let rank = |value: Value| if worst_first { -value } else { value };
    sort_replies(turn, |reply| rank(values[reply.index()]));
    // The value of a move is that of the others' best reply, wherever it is tried.
    sort_options(turn, |replies| Reverse(replies.iter().map(|reply| values[reply.index()]).min().map(rank)));
}

/// Sorts the replies to each move of the role.
fn sort_replies<S, K: Ord>(turn: &mut RoleTurn<S>, key: impl Fn(JointIndex) -> K) {
    let replies = turn.replies();
    turn.order.chunks_mut(replies).for_each(|replies| replies.sort_by_key(|&reply| key(reply)));
}

/// Sorts the moves of the role by the replies to each.
fn sort_options<S, K: Ord>(turn: &mut RoleTurn<S>, key: impl Fn(&[JointIndex]) -> K) {
    let replies = turn.replies();
    if replies == 1 {
        turn.order.sort_by_key(|&only| key(&[only]));
        return;
    }
    let mut options: Vec<&[JointIndex]> = turn.order.chunks(replies).collect();
    options.sort_by_key(|option| key(option));
    turn.order = options.concat();
}

/// Moves a joint move, and with it the option that contains it, before all others.
fn put_first<S>(turn: &mut RoleTurn<S>, first: JointIndex) {
    let replies = turn.replies();
    let Some(position) = turn.order.iter().position(|&index| index == first) else { return };
    let start = position - position % replies;
    turn.order[start..=position].rotate_right(1);
    turn.order[..start + replies].rotate_right(replies);
}
