//! `maxn`: each of any number of roles maximises its own utility.

use super::contest::{Arrival, Contest, ContestSearch};
use super::full_tree::{Backup, Decision, DecisionResult, TreeResult, search_tree};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, FinishedMoves, LineEnd, NodeId, Observer, Outcome, SearchError, Value, Worth};
use gdl::limits::heap_block;
use ggp_game::{BatchReasoner, Move, ReasonError, Role, Utility};
use serde::Serialize;

/// The utility of each role if each maximises its own, with values of type `W` and a line of type `L`: those of a
/// search, or others once they are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shares<W = Worth, L = Vec<Vec<Move>>> {
    /// The utilities, in the order of the roles.
    #[serde(rename = "shares")]
    pub worths: Vec<W>,
    /// The joint moves that lead there.
    pub line: L,
    /// The kind of state in which the line ends.
    pub line_ends: LineEnd,
    /// The finished part of the first choice, if the search was stopped before it had finished all of it. The guarantee
    /// is for the first of the roles that have this choice, the role that asks before all others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finished: Option<FinishedMoves>,
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
    if Role::chance(reasoner.roles()).is_some() {
        return Err(SearchError::Chance);
    }
    let table = contest.table;
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let mut backup = RoleValuesBackup { roles: search.roles(), scale: search.scale, spare: Vec::new() };
    let TreeResult { mut search, end, so_far } = search_tree(search, state, &mut backup, table);
    let (halt, found, finished) = so_far.known(end);
    let shares = found.map(|found| {
        search.tell_best_line(&found);
        let worths = found.value.iter().map(|value| search.worth(*value)).collect();
        let line_ends = search.line_end(state, &found);
        Shares { worths, line: found.joint_moves, line_ends, finished }
    });
    search.outcome(halt, shares, false)
}

/// Values for all roles: each takes the greatest for itself.
struct RoleValuesBackup {
    roles: usize,
    scale: PayoffRange,
    /// Empty lists, so that no node allocates one.
    spare: Vec<Vec<Value>>,
}

/// The maximum number of lists that are kept for reuse: values that were remembered are copies, so without a limit
/// there would be ever more of them.
const MOST_SPARE: usize = 256;

/// A role takes the first of the values that are greatest for itself.
struct GreatestOwn {
    role: Role,
    best: Option<Value>,
}

impl Decision<Value> for GreatestOwn {
    #[inline]
    fn take(&mut self, _: usize, values: &[Value]) -> bool {
        let own = values[self.role.index()];
        let is_better = self.best.is_none_or(|best| own > best);
        if is_better {
            self.best = Some(own);
        }
        is_better
    }

    #[inline]
    fn settled(&self) -> DecisionResult<Value> {
        DecisionResult::Best
    }
}

impl<R: BatchReasoner> Backup<R> for RoleValuesBackup {
    type Number = Value;
    type Value = Vec<Value>;
    type Decision = GreatestOwn;

    #[inline]
    fn count(&self) -> usize {
        self.roles
    }

    #[inline]
    fn value_of(&mut self, numbers: &[Value]) -> Vec<Value> {
        let mut values = self.spare.pop().unwrap_or_default();
        values.extend_from_slice(numbers);
        values
    }

    #[inline]
    fn numbers(values: &Vec<Value>) -> &[Value] {
        values
    }

    #[inline]
    fn give_back(&mut self, mut values: Vec<Value>) {
        if self.spare.len() < MOST_SPARE {
            values.clear();
            self.spare.push(values);
        }
    }

    #[inline]
    fn heap(values: &Vec<Value>) -> usize {
        heap_block(size_of_val(&values[..]))
    }

    fn end(
        &self,
        mut goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Value>,
    ) -> Result<(), ReasonError> {
        for role in (0..self.roles).map(Role::new) {
            values.push(self.scale.value(goal(role)?));
        }
        Ok(())
    }

    fn estimate<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Value>,
    ) -> Result<(), Halt> {
        let ContestSearch { reasoner, evaluation, .. } = search;
        for role in (0..self.roles).map(Role::new) {
            values.push(match evaluation {
                Some(evaluation) => Value::estimate(evaluation.evaluate(reasoner, state, role)?),
                None => Value::UNKNOWN,
            });
        }
        Ok(())
    }

    #[inline]
    fn decision(&self, role: Role, _: usize) -> GreatestOwn {
        GreatestOwn { role, best: None }
    }

    fn tell<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        node: NodeId,
        values: &Vec<Value>,
        _: &Arrival<'_>,
    ) {
        search.tell_values(node, values);
    }
}
