//! The order in which an alpha-beta search tries moves, and what it learns for it from its cuts. The better the first
//! move, the more is pruned.

use super::arrival::{Arrival, VisitedNode};
use super::contest::ContestSearch;
use super::turn::RoleTurn;
use super::turn_moves::TurnMoves;
use super::value::Value;
use crate::game::{Chance, Move, Reasoner};
use crate::number::to_u32;
use crate::search::memory::StateTable;
use crate::search::outcome::Halt;
use crate::search::{NodeId, Observer};
use crate::stack::with_room_at;
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

/// Orders the joint moves of turns, and keeps what an order needs from turn to turn.
pub(super) struct TurnArranger<S> {
    ordering: Ordering,
    random: Chance,
    /// The minimax values of states, by the number of joint moves to the horizon.
    values: StateTable<(S, u32), Value>,
}

impl<S: Clone + Eq + std::hash::Hash> TurnArranger<S> {
    /// An arranger that has seen no turn.
    pub(super) fn new(ordering: Ordering) -> Self {
        let seed = if let Ordering::Random { seed } = ordering { seed } else { 0 };
        Self { ordering, random: Chance::new(seed), values: StateTable::default() }
    }

    /// Orders the joint moves of a turn; `best` is the index of the joint move that the table recommends.
    pub(super) fn arrange<R: Reasoner<State = S>, O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &S,
        arrival: &Arrival<'_>,
        turn: &mut RoleTurn<S>,
        best: Option<u32>,
    ) -> Result<(), Halt> {
        match self.ordering {
            _ if turn.moves.len() < 2 => {}
            Ordering::Canonical => {}
            Ordering::Table => best.into_iter().for_each(|index| turn.moves.put_first(index)),
            Ordering::Random { .. } => self.shuffle(&mut turn.moves),
            Ordering::Evaluation => {
                let values = after_each(search, state, turn, static_value)?;
                sort(&mut turn.moves, &values, false);
            }
            Ordering::Estimate => {
                let values = after_each(search, state, turn, |search, next| search.estimate(next))?;
                sort(&mut turn.moves, &values, false);
            }
            Ordering::Best | Ordering::Worst => {
                let choosing = turn.moves.choosing.clone();
                let here = VisitedNode { node: NodeId::new(0), arrival, choosing: &choosing };
                let after = here.next(&[]);
                let values = after_each(search, state, turn, |search, next| self.minimax(search, next, &after))?;
                sort(&mut turn.moves, &values, self.ordering == Ordering::Worst);
            }
        }
        Ok(())
    }

    /// Shuffles the options of the role, and the replies to each (Fisher and Yates).
    fn shuffle(&mut self, moves: &mut TurnMoves) {
        moves.reorder_replies(|replies| shuffle(replies, &mut self.random));
        moves.reorder_options(|options, _| shuffle(options, &mut self.random));
    }

    /// The minimax value of a state. It is kept by the number of joint moves to the horizon, so each state is searched
    /// once.
    fn minimax<R: Reasoner<State = S>, O: Observer>(
        &mut self,
        search: &mut ContestSearch<'_, R, O>,
        state: &S,
        arrival: &Arrival<'_>,
    ) -> Result<Value, Halt> {
        search.meter.pause()?;
        if search.reasoner.is_terminal(state)? {
            return search.utility(state);
        }
        if search.is_at_horizon(state, arrival)? {
            return search.estimate(state);
        }
        search.meter.reach(arrival.depth)?;
        let key = (state.clone(), search.remaining(arrival));
        if let Some(number) = self.values.find(&key) {
            return Ok(*self.values.value(number));
        }
        let mut turn = search.turn(state)?;
        let RoleTurn { moves, successors } = &mut *turn;
        let after = VisitedNode { node: NodeId::new(0), arrival, choosing: &moves.choosing }.next(&[]);
        let mut best: Option<Value> = None;
        for option in &moves.options {
            let mut worst: Option<Value> = None;
            for reply in option.replies() {
                let next = successors.at(search.reasoner, state, &*moves, reply)?;
                let value = with_room_at(arrival.depth, || self.minimax(search, next, &after))?;
                worst = Some(worst.map_or(value, |worst| worst.min(value)));
            }
            best = best.max(worst);
        }
        search.memory.turns.give_back(turn);
        let value = best.expect("a state that is not over has at least one joint move");
        let heap = search.reasoner.heap_bytes(state);
        search.meter.remember(self.values.bytes_for_next(heap))?;
        self.values.insert(key, value, heap);
        Ok(value)
    }
}

fn shuffle<T>(items: &mut [T], random: &mut Chance) {
    for end in (1..items.len()).rev() {
        items.swap(end, random.below(end + 1));
    }
}

/// The value of the state after each joint move, by the index of the joint move; the states are kept in the turn.
fn after_each<R: Reasoner, O: Observer>(
    search: &mut ContestSearch<'_, R, O>,
    state: &R::State,
    turn: &mut RoleTurn<R::State>,
    mut value: impl FnMut(&mut ContestSearch<'_, R, O>, &R::State) -> Result<Value, Halt>,
) -> Result<Vec<Value>, Halt> {
    let RoleTurn { moves, successors } = turn;
    let successors = successors.compute_all(search.reasoner, state, moves)?;
    let mut values = Vec::with_capacity(moves.len());
    for next in successors {
        values.push(value(search, next)?);
    }
    Ok(values)
}

/// Puts the others' best reply first, and of the role's moves the one whose best reply has the greatest value for the
/// role; or the worst of both.
fn sort(moves: &mut TurnMoves, values: &[Value], worst_first: bool) {
    let value = |&reply: &u32| values[reply as usize];
    let rank = |value: Value| if worst_first { -value } else { value };
    moves.reorder_replies(|replies| replies.sort_by_key(|reply| rank(value(reply))));
    // The value of an option is that of the others' best reply, wherever it is tried.
    moves.reorder_options(|options, order| {
        options.sort_by_key(|option| Reverse(order[option.replies()].iter().map(value).min().map(rank)));
    });
}

fn static_value<R: Reasoner, O: Observer>(
    search: &mut ContestSearch<'_, R, O>,
    state: &R::State,
) -> Result<Value, Halt> {
    if search.reasoner.is_terminal(state)? { search.utility(state) } else { search.estimate(state) }
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

/// The moves that have cut.
pub(super) struct Cutoffs {
    enhancements: Enhancements,
    /// For each depth in joint moves, the last two joint moves that have cut there, the newest first.
    killers: Vec<[Vec<Move>; 2]>,
    history: FxHashMap<Vec<Move>, u64>,
}

impl Cutoffs {
    pub(super) fn new(enhancements: Enhancements) -> Self {
        Self { enhancements, killers: Vec::new(), history: FxHashMap::default() }
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
                std::mem::swap(first, second);
                first.clear();
                first.extend_from_slice(joint_move);
            }
        }
        if self.enhancements.history {
            // Without a horizon all cuts count the same.
            let weight = if remaining > 1 << 16 { 1 } else { u64::from(remaining).pow(2).max(1) };
            match self.history.get_mut(joint_move) {
                Some(sum) => *sum += weight,
                None => drop(self.history.insert(joint_move.to_vec(), weight)),
            }
        }
    }

    /// Puts the moves that have cut first: the killers of this depth, then by their history; others keep their order.
    pub(super) fn arrange(&self, depth: u32, moves: &mut TurnMoves) {
        if moves.len() < 2 {
            return;
        }
        if self.enhancements.history && !self.history.is_empty() {
            let sums: Vec<u64> = (0..moves.len())
                .map(|index| self.history.get(moves.with_index(to_u32(index))).copied().unwrap_or(0))
                .collect();
            let sum = |&index: &u32| sums[index as usize];
            moves.reorder_replies(|replies| replies.sort_by_key(|reply| Reverse(sum(reply))));
            moves.reorder_options(|options, order| {
                options.sort_by_key(|option| Reverse(order[option.replies()].iter().map(sum).max()));
            });
        }
        if let Some(killers) = self.killers.get(depth as usize) {
            for killer in killers.iter().rev().filter(|killer| !killer.is_empty()) {
                let index = (0..moves.len()).find(|&index| moves.with_index(to_u32(index)) == &killer[..]);
                index.into_iter().for_each(|index| moves.put_first(to_u32(index)));
            }
        }
    }
}
