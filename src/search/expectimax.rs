//! `expectimax` and `expectiminimax`: the expected utility of a role in a game with chance.

use super::arrival::{Arrival, PartialTurn};
use super::contest::{Contest, Found, Met, Search};
use super::memory::StateTable;
use super::outcome::Halt;
use super::{Budget, Event, Observer, Outcome, SearchError};
use crate::game::{Move, Reasoner, Role};

/// The expected utility of a role, and the move that it should make.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The mean utility, from 0 to 100.
    pub utility: f64,
    /// The first move, in canonical order, that reaches it; `None` if the game is over.
    pub chosen: Option<Move>,
}

/// The mean utility that a role can force if the role `random` makes each of its legal moves with the same probability,
/// and all others play together against the role.
///
/// If several roles move at once, the role decides first, the others know its move, and chance decides last: a
/// pessimistic view except of chance, which has no knowledge and no aim. At the horizon a state counts as 50 plus its
/// evaluation, limited to 0 to 100, since means need a scale and not only an order.
///
/// - Guarantee: exact, up to rounding of floating-point numbers, if the game tree below the state is finite and the
///   budget allows.
/// - Cost: every node of the tree below the state; nothing is pruned, and no state is remembered.
/// - Source: Michie, *Game-Playing and Game-Learning Automata*, 1966; Russell and Norvig, *Artificial Intelligence: A
///   Modern Approach*, the section on stochastic games. Without opponents it is expectimax.
#[doc(alias = "expectimax")]
pub fn expectiminimax<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Expectation>, SearchError> {
    expectimax_against(reasoner, contest, Belief::default(), budget, observer)
}

/// What a role believes about the others, and whether the search remembers states.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Belief {
    /// The assumed behaviour of the other roles.
    pub others: Others,
    /// Whether values of states are remembered. It does not change the values.
    pub table: bool,
}

/// The assumed behaviour of the other roles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They play together against the role.
    #[default]
    Adversarial,
    /// They make each move with the same probability, as chance does.
    Random,
}

/// [`expectiminimax()`] with a choice of belief about the other roles; if they move at random it is plain expectimax.
///
/// - Cost: without a table that of [`expectiminimax()`]; with one every state below the first, for each number of plies
///   to the horizon.
///
/// # Errors
/// If the role that asks is chance.
pub fn expectimax_against<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    belief: Belief,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Expectation>, SearchError> {
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    let (role, chance) = (search.role, search.chance());
    if chance == Some(role) {
        return Err(SearchError::AsksChance);
    }
    let table = belief.table.then(StateTable::default);
    let mut expectimax = Expectimax { search, chance, others: belief.others, table, best: None };
    let end = expectimax.value(state, Arrival::ROOT);
    let Expectimax { mut search, best, .. } = expectimax;
    let (halt, found) = match end {
        Ok(found) => (None, Some(found)),
        Err(halt) => (Some(halt), best),
    };
    let expectation = found.map(|found| {
        search.show(&found);
        let chosen = found.line.last().map(|joint_move| joint_move[role.index()]);
        Expectation { utility: found.value, chosen }
    });
    search.outcome(halt, expectation, false)
}

struct Expectimax<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    chance: Option<Role>,
    others: Others,
    /// The values of states, by the number of plies left to the horizon.
    table: Option<StateTable<(R::State, u32), f64>>,
    /// The best of the first moves that have been searched to their end.
    best: Option<Found<f64>>,
}

impl<R: Reasoner, O: Observer> Expectimax<'_, R, O> {
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<f64>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        let found = match met {
            Met::End => Found::end(f64::from(self.search.reasoner.goal(state, self.search.role)?.0), node),
            Met::Horizon => Found::end(self.search.mean_estimate(state)?, node),
            Met::Middle if let Some(value) = self.known(state, arrival) => {
                self.search.tell_repeated(node);
                Found::end(value, node)
            }
            Met::Middle => {
                let mut turn = self.search.partial_turn(state, node, arrival)?;
                // The role decides first, chance last.
                let deciding = turn.deciding(self.search.role, |role| self.is_chance(role));
                let found = self.decide(state, &mut turn, &deciding)?;
                self.remember(state, arrival, found.value)?;
                found
            }
        };
        self.search.observer.observe(&Event::Valued { node, values: (&[found.value]).into() });
        Ok(found)
    }

    /// The value after the first of the remaining roles has decided, recursively.
    fn decide(&mut self, state: &R::State, turn: &mut PartialTurn<'_>, deciding: &[Role]) -> Result<Found<f64>, Halt> {
        let Some((&role, others)) = deciding.split_first() else {
            let (joint_move, arrival) = turn.made();
            let next = self.search.reasoner.next_state(state, joint_move)?;
            let found = self.value(&next, arrival)?;
            return Ok(found.after(joint_move, turn.node));
        };
        let count = turn.joint_moves.legal(role).len();
        let (mut best, mut sum): (Option<Found<f64>>, f64) = (None, 0.0);
        for index in 0..count {
            turn.joint_moves.choose(role, index);
            let found = self.decide(state, turn, others)?;
            sum += found.value;
            let is_better = |best: &Found<f64>| match role {
                role if role == self.search.role => found.value > best.value,
                role if self.is_chance(role) => false,
                _ => found.value < best.value,
            };
            if best.as_ref().is_none_or(is_better) {
                best = Some(found);
            }
            if turn.arrival.depth == 0 && role == self.search.role {
                self.best.clone_from(&best);
            }
        }
        let best = best.expect("a role that has a choice has a move");
        Ok(if self.is_chance(role) { best.only_first(sum / count as f64, turn.node) } else { best })
    }

    /// Whether the role that asks believes that `role` moves at random.
    fn is_chance(&self, role: Role) -> bool {
        Some(role) == self.chance || self.others == Others::Random && role != self.search.role
    }

    /// The value of a state that has been searched before. The first state is always searched, since its move is
    /// needed.
    fn known(&self, state: &R::State, arrival: Arrival<'_>) -> Option<f64> {
        let table = self.table.as_ref().filter(|_| arrival.depth > 0)?;
        table.find(&(state.clone(), self.search.remaining(arrival))).map(|number| *table.value(number))
    }

    fn remember(&mut self, state: &R::State, arrival: Arrival<'_>, value: f64) -> Result<(), Halt> {
        let Some(table) = &mut self.table else { return Ok(()) };
        let key = (state.clone(), self.search.remaining(arrival));
        match table.find(&key) {
            Some(number) => *table.value_mut(number) = value,
            None => {
                let heap = self.search.reasoner.heap_bytes(state);
                self.search.meter.remember(table.bytes_for_next(heap))?;
                table.insert(key, value, heap);
            }
        }
        Ok(())
    }
}
