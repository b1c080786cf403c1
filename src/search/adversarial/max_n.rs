//! `maxn`: each of any number of roles maximises its own utility.

use super::arrival::{Arrival, PartialTurn};
use super::contest::{Contest, Met, Search};
use super::continued::known_line;
use super::found::Found;
use super::remembered::Remembered;
use super::so_far::SoFar;
use super::subtrees::{Backup, Chosen, Subtrees, first_best};
use super::value::{Value, Worth};
use crate::game::{BatchReasoner, Move, ReasonError, Reasoner, Role, Utility};
use crate::limits::heap_block;
use crate::search::outcome::Halt;
use crate::search::{Budget, Finished, Guarantee, NodeId, Observer, Outcome, SearchError};
use crate::stack::with_room;

/// The utility of each role if each maximises its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shares {
    /// The utilities, in the order of the roles.
    pub worths: Vec<Worth>,
    /// The joint moves that lead there.
    pub line: Vec<Vec<Move>>,
    /// How much of the first choice was finished, if the search was stopped before it had finished all of it. The
    /// guarantee is for the first of the roles that have this choice, the role that asks before all others.
    pub finished: Option<Finished>,
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
/// - Cost: every node of the tree below the state; with a table every state below the first, for each number of plies
///   to the horizon.
/// - Source: Luckhardt and Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986.
pub fn max_n<R: BatchReasoner>(
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
    let subtrees = Subtrees::new(&search, !known.is_on());
    let mut max_n = MaxN { search, known, subtrees, so_far: SoFar::new(), spare: Vec::new() };
    let mut end = max_n.value(state, Arrival::ROOT);
    let MaxN { mut search, mut so_far, mut known, .. } = max_n;
    if let Some(found) = known_line(&mut end, &mut so_far).filter(|_| known.is_on()) {
        search.continue_line(state, found, |search, state| {
            let (subtrees, so_far) = (Subtrees::new(&search, false), SoFar::new());
            let mut max_n = MaxN { search, known: known.lend(), subtrees, so_far, spare: Vec::new() };
            let further = max_n.value(state, Arrival::ROOT).ok();
            known = max_n.known;
            further
        });
    }
    let (halt, known) = so_far.known(end);
    let shares = known.map(|(found, finished)| {
        search.show(&found);
        let worths = found.value.iter().map(|value| search.worth(*value)).collect();
        Shares { worths, line: found.joint_moves(search.roles()), finished }
    });
    search.outcome(halt, shares, false)
}

/// The value for each role.
type Values = Vec<Value>;

struct MaxN<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    known: Remembered<R::State, Values>,
    subtrees: Subtrees<Value>,
    so_far: SoFar<Values>,
    /// The memory of values that are no longer needed.
    spare: Vec<Values>,
}

impl<R: BatchReasoner, O: Observer> MaxN<'_, R, O> {
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<Values>, Halt> {
        if let Some(found) = self.subtrees.value(&mut self.search, &ForAll, state, arrival)? {
            return Ok(found);
        }
        let (node, met) = self.search.enter(state, arrival)?;
        let known = if met == Met::Middle { self.known.value(&self.search, state, arrival) } else { None };
        let found = match (met, known) {
            (Met::End, _) => {
                let utilities = self.utilities(state)?;
                self.search.lines.end(utilities, node)
            }
            (Met::Horizon, _) => {
                let estimates = self.estimates(state)?;
                self.search.lines.end(estimates, node)
            }
            (Met::Middle, Some(values)) => {
                self.search.tell_repeated(node);
                self.search.lines.end(values, node)
            }
            (Met::Middle, None) => {
                // The role that asks decides first; the others keep their order.
                let mut turn = self.search.partial_turn(state, node, arrival, |_| false)?;
                let found = self.decide(state, &mut turn, 0)?;
                self.search.over(turn);
                if self.known.is_on() {
                    let heap = heap_block(size_of_val(&found.value[..]));
                    self.known.store(&mut self.search, state, arrival, (found.value.clone(), heap))?;
                }
                found
            }
        };
        self.tell(node, &found.value);
        Ok(found)
    }

    /// The best line for the first of the roles that still have to decide, recursively; `decided` roles have decided.
    fn decide(&mut self, state: &R::State, turn: &mut PartialTurn<'_>, decided: usize) -> Result<Found<Values>, Halt> {
        let Some(&role) = turn.choices.deciding.get(decided) else {
            let (joint_move, arrival) = turn.made();
            let next = self.search.next_state(state, joint_move)?;
            let end = with_room(|| self.value(&next, arrival));
            self.search.states.push(next);
            if end.is_err() && turn.here().is_before_choice() {
                self.so_far.came_by(joint_move, turn.node);
            }
            return Ok(self.search.lines.after(end?, joint_move, turn.node));
        };
        let is_first = turn.here().is_first_choice() && decided == 0;
        let count = turn.choices.joint_moves.legal(role).len();
        if is_first {
            self.so_far.begin(count, Guarantee::AtLeast);
        }
        let mut best: Option<Found<Values>> = None;
        for index in 0..count {
            turn.choices.joint_moves.choose(role, index);
            let found = self.decide(state, turn, decided + 1)?;
            let worse = match &best {
                Some(best) if found.value[role.index()] <= best.value[role.index()] => Some(found),
                _ => best.replace(found),
            };
            if let Some(mut worse) = worse {
                self.spare.push(std::mem::take(&mut worse.value));
                self.search.lines.give_back(worse);
            }
            if let Some(best) = best.as_ref().filter(|_| is_first) {
                self.so_far.note(best, best.value.clone());
            }
        }
        Ok(best.expect("a role that has a choice has a move"))
    }

    fn utilities(&mut self, state: &R::State) -> Result<Values, Halt> {
        let mut values = self.no_values();
        let Search { reasoner, scale, .. } = &mut self.search;
        for role in (0..reasoner.roles().len()).map(Role::new) {
            values.push(scale.value(reasoner.goal(state, role)?));
        }
        Ok(values)
    }

    fn estimates(&mut self, state: &R::State) -> Result<Values, Halt> {
        let mut values = self.no_values();
        estimates(&mut self.search, state, &mut values)?;
        Ok(values)
    }

    /// An empty list, if possible with memory.
    fn no_values(&mut self) -> Values {
        let mut values = self.spare.pop().unwrap_or_default();
        values.clear();
        values
    }

    fn tell(&mut self, node: NodeId, values: &[Value]) {
        if self.search.observer.is_on() {
            self.search.tell_values(node, values);
        }
    }
}

/// Adds the evaluation of a state for each role.
fn estimates<R: Reasoner, O: Observer>(
    search: &mut Search<'_, R, O>,
    state: &R::State,
    values: &mut Vec<Value>,
) -> Result<(), Halt> {
    let Search { reasoner, evaluation, .. } = search;
    for role in (0..reasoner.roles().len()).map(Role::new) {
        values.push(match evaluation {
            Some(evaluation) => Value::estimate(evaluation.evaluate(reasoner, state, role)?),
            None => Value::UNKNOWN,
        });
    }
    Ok(())
}

/// Values for all roles: each takes the greatest for itself.
struct ForAll;

impl<R: Reasoner, O: Observer> Backup<R, O> for ForAll {
    type Number = Value;
    type Value = Values;

    fn numbers(&self, search: &Search<'_, R, O>) -> usize {
        search.roles()
    }

    fn end(
        &self,
        search: &Search<'_, R, O>,
        goals: &[Result<Utility, ReasonError>],
        values: &mut Vec<Value>,
    ) -> Result<(), ReasonError> {
        for goal in goals {
            values.push(search.scale.value(goal.clone()?));
        }
        Ok(())
    }

    fn estimate(&self, search: &mut Search<'_, R, O>, state: &R::State, values: &mut Vec<Value>) -> Result<(), Halt> {
        estimates(search, state, values)
    }

    fn choose(
        &self,
        search: &Search<'_, R, O>,
        chooser: Option<Role>,
        successors: &[Value],
        values: &mut Vec<Value>,
    ) -> Chosen {
        let (roles, role) = (search.roles(), chooser.map_or(0, Role::index));
        let value = |index: usize| successors[index * roles + role];
        let index = first_best(successors.len() / roles, |one, best| value(one) > value(best));
        values.extend_from_slice(&successors[index * roles..(index + 1) * roles]);
        Chosen { index, goes_on: true }
    }

    fn value(&self, numbers: &[Value]) -> Values {
        numbers.to_vec()
    }
}
