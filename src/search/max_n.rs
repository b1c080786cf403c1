//! `maxn`: each of any number of roles maximises its own utility.

use super::arrival::{Arrival, PartialTurn};
use super::contest::{Contest, Found, Met, Search};
use super::outcome::Halt;
use super::remembered::Remembered;
use super::value::{Value, Worth};
use super::{Budget, Event, NodeId, Observer, Outcome, SearchError};
use crate::game::{Move, Reasoner, Role};
use crate::limits::heap_block;

/// The utility of each role if each maximises its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The utilities, in the order of the roles.
    pub worths: Vec<Worth>,
    /// The joint moves that lead there.
    pub line: Vec<Vec<Move>>,
}

/// The utilities that a state comes to when each role maximises its own and knows that all others do the same.
///
/// Of moves with the same value for a role the first in canonical order is chosen, whatever its value for the others.
/// If several roles have a choice at once, the role that asks decides first and the others, in their order, know what
/// was decided before them. At the horizon each role's value is its own evaluation.
///
/// - Precondition: no chance.
/// - Guarantee: an equilibrium of the turn-taking game if its tree is finite and the budget allows. Other equilibria
///   may have other values if roles are indifferent; in a game of two opponents all have the same value, and it is that
///   of minimax.
/// - Cost: every node of the tree below the state; with a table every state below the first, for each number of plies to
///   the horizon.
/// - Source: Luckhardt and Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986.
pub fn max_n<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Shares>, SearchError> {
    let known = Remembered::new(contest.table);
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    if search.chance().is_some() {
        return Err(SearchError::Chance);
    }
    let mut max_n = MaxN { search, known };
    let end = max_n.value(state, Arrival::ROOT);
    let MaxN { mut search, .. } = max_n;
    let (halt, found) = match end {
        Ok(found) => (None, Some(found)),
        Err(halt) => (Some(halt), None),
    };
    let (is_exact, scale) = (!search.is_cut, search.scale);
    let shares = found.map(|found| {
        search.show(&found);
        let worths = found.value.iter().map(|value| scale.worth(*value, is_exact)).collect();
        Shares { worths, line: found.line.into_iter().rev().collect() }
    });
    search.outcome(halt, shares, false)
}

/// The value for each role.
type Values = Vec<Value>;

struct MaxN<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    known: Remembered<R::State, Values>,
}

impl<R: Reasoner, O: Observer> MaxN<'_, R, O> {
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<Values>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        let known = if met == Met::Middle { self.known.value(&self.search, state, arrival) } else { None };
        let found = match (met, known) {
            (Met::End, _) => Found::end(self.utilities(state)?, node),
            (Met::Horizon, _) => Found::end(self.estimates(state)?, node),
            (Met::Middle, Some(values)) => {
                self.search.tell_repeated(node);
                Found::end(values, node)
            }
            (Met::Middle, None) => {
                let mut turn = self.search.partial_turn(state, node, arrival)?;
                // The role that asks decides first; the others keep their order.
                let deciding = turn.deciding(self.search.role, |_| false);
                let found = self.decide(state, &mut turn, &deciding)?;
                let heap = heap_block(size_of_val(&found.value[..]));
                self.known.store(&mut self.search, state, arrival, (found.value.clone(), heap))?;
                found
            }
        };
        self.tell(node, &found.value);
        Ok(found)
    }

    /// The best line for the first of the roles that still have to decide, recursively.
    fn decide(
        &mut self,
        state: &R::State,
        turn: &mut PartialTurn<'_>,
        deciding: &[Role],
    ) -> Result<Found<Values>, Halt> {
        let Some((&role, others)) = deciding.split_first() else {
            let (joint_move, arrival) = turn.made();
            let next = self.search.reasoner.next_state(state, joint_move)?;
            let found = self.value(&next, arrival)?;
            return Ok(found.after(joint_move, turn.node));
        };
        let mut best: Option<Found<Values>> = None;
        for index in 0..turn.joint_moves.legal(role).len() {
            turn.joint_moves.choose(role, index);
            let found = self.decide(state, turn, others)?;
            if best.as_ref().is_none_or(|best| found.value[role.index()] > best.value[role.index()]) {
                best = Some(found);
            }
        }
        Ok(best.expect("a role that has a choice has a move"))
    }

    fn utilities(&mut self, state: &R::State) -> Result<Values, Halt> {
        let roles = (0..self.search.reasoner.roles().len()).map(Role::new);
        let Search { reasoner, scale, .. } = &mut self.search;
        roles.map(|role| Ok(scale.value(reasoner.goal(state, role)?))).collect()
    }

    fn estimates(&mut self, state: &R::State) -> Result<Values, Halt> {
        let roles = (0..self.search.reasoner.roles().len()).map(Role::new);
        let Search { reasoner, evaluation, .. } = &mut self.search;
        roles
            .map(|role| match evaluation {
                Some(evaluation) => Ok(Value::estimate(evaluation.evaluate(reasoner, state, role)?)),
                None => Ok(Value::estimate(0)),
            })
            .collect()
    }

    fn tell(&mut self, node: NodeId, values: &[Value]) {
        if self.search.observer.is_on() {
            let estimated = self.search.evaluation.is_some();
            let numbers: Vec<f64> = values.iter().map(|value| self.search.scale.number(*value, estimated)).collect();
            self.search.observer.observe(&Event::Valued { node, values: numbers.into() });
        }
    }
}
