//! The order in which an alpha-beta search tries moves. The better the first move, the more is pruned.

use super::Observer;
use super::arrival::Arrival;
use super::contest::Search;
use super::memory::StateTable;
use super::outcome::Halt;
use super::turn::{Reply, RoleTurn};
use super::value::Value;
use crate::game::{Chance, Reasoner};

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
pub(super) struct Arranger<S> {
    ordering: Ordering,
    random: Chance,
    /// The minimax values of states, by the number of plies to the horizon.
    values: StateTable<(S, u32), Value>,
}

impl<S: Clone + Eq + std::hash::Hash> Arranger<S> {
    /// An arranger that has seen no turn.
    pub(super) fn new(ordering: Ordering) -> Self {
        let seed = if let Ordering::Random { seed } = ordering { seed } else { 0 };
        Self { ordering, random: Chance::new(seed), values: StateTable::default() }
    }

    /// Orders the joint moves of a turn; `best` is the index of the joint move that the table recommends.
    pub(super) fn arrange<R: Reasoner<State = S>, O: Observer>(
        &mut self,
        search: &mut Search<'_, R, O>,
        (state, arrival): (&S, Arrival<'_>),
        turn: &mut RoleTurn<S>,
        best: Option<u32>,
    ) -> Result<(), Halt> {
        let joint_moves: usize = turn.options.iter().map(|option| option.replies.len()).sum();
        match self.ordering {
            _ if joint_moves < 2 => {}
            Ordering::Canonical => {}
            Ordering::Table => best.into_iter().for_each(|index| turn.put_first(index)),
            Ordering::Random { .. } => self.shuffle(turn),
            Ordering::Evaluation => {
                let values = after_each(search, state, turn, static_value)?;
                sort(turn, &values, false);
            }
            Ordering::Estimate => {
                let values = after_each(search, state, turn, |search, next| search.estimate(next))?;
                sort(turn, &values, false);
            }
            Ordering::Best | Ordering::Worst => {
                let plies = search.remaining(arrival);
                let after = if turn.choosing.is_empty() { plies } else { plies.saturating_sub(1) };
                let values = after_each(search, state, turn, |search, next| self.minimax(search, next, after))?;
                sort(turn, &values, self.ordering == Ordering::Worst);
            }
        }
        Ok(())
    }

    /// Shuffles the options of the role, and the replies to each (Fisher and Yates).
    fn shuffle(&mut self, turn: &mut RoleTurn<S>) {
        for option in &mut turn.options {
            shuffle(&mut option.replies, &mut self.random);
        }
        shuffle(&mut turn.options, &mut self.random);
    }

    /// The minimax value of a state with this many plies to the horizon. It is kept, so each state is searched once.
    fn minimax<R: Reasoner<State = S>, O: Observer>(
        &mut self,
        search: &mut Search<'_, R, O>,
        state: &S,
        plies: u32,
    ) -> Result<Value, Halt> {
        search.meter.pause()?;
        if search.reasoner.is_terminal(state)? {
            return search.utility(state);
        }
        if plies == 0 {
            return search.estimate(state);
        }
        let key = (state.clone(), plies);
        if let Some(number) = self.values.find(&key) {
            return Ok(*self.values.value(number));
        }
        let turn = search.turn(state)?;
        let after = if turn.choosing.is_empty() { plies } else { plies.saturating_sub(1) };
        let mut best: Option<Value> = None;
        for option in &turn.options {
            let mut worst: Option<Value> = None;
            for reply in &option.replies {
                let next = search.reasoner.next_state(state, &reply.joint_move)?;
                let value = self.minimax(search, &next, after)?;
                worst = Some(worst.map_or(value, |worst| worst.min(value)));
            }
            best = best.max(worst);
        }
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
    search: &mut Search<'_, R, O>,
    state: &R::State,
    turn: &mut RoleTurn<R::State>,
    mut value: impl FnMut(&mut Search<'_, R, O>, &R::State) -> Result<Value, Halt>,
) -> Result<Vec<Value>, Halt> {
    let joint_moves = turn.options.iter().map(|option| option.replies.len()).sum();
    let mut values = vec![Value::estimate(0); joint_moves];
    for Reply { index, joint_move, next } in turn.options.iter_mut().flat_map(|option| &mut option.replies) {
        let after = search.reasoner.next_state(state, joint_move)?;
        values[*index as usize] = value(search, &after)?;
        *next = Some(after);
    }
    Ok(values)
}

/// Puts the others' best reply first, and of the role's moves the one whose best reply has the greatest value for the
/// role; or the worst of both.
fn sort<S>(turn: &mut RoleTurn<S>, values: &[Value], worst_first: bool) {
    let value = |reply: &Reply<S>| values[reply.index as usize];
    let rank = |value: Value| if worst_first { -value } else { value };
    for option in &mut turn.options {
        option.replies.sort_by_key(|reply| rank(value(reply)));
    }
    // The value of an option is that of the others' best reply, wherever it is tried.
    turn.options.sort_by_key(|option| std::cmp::Reverse(option.replies.iter().map(value).min().map(rank)));
}

fn static_value<R: Reasoner, O: Observer>(search: &mut Search<'_, R, O>, state: &R::State) -> Result<Value, Halt> {
    if search.reasoner.is_terminal(state)? { search.utility(state) } else { search.estimate(state) }
}
