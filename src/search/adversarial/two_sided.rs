//! What minimax and negamax are: one role against all others, who decide together. They differ in the side for which
//! the value of a node is reported.

use super::arrival::Arrival;
use super::backup::{Backup, Decision, DecisionResult, FirstMove};
use super::contest::{Choice, Contest, ContestSearch};
use super::full_tree::{SearchedTree, search_tree};
use super::value::{PayoffRange, Value};
use crate::game::{BatchReasoner, ReasonError, Role, Utility};
use crate::search::outcome::Halt;
use crate::search::{Budget, Guarantee, NodeId, Observer, Outcome, SearchError};

/// Searches the whole tree below a state. The value of a node is reported for the role that asks or, if `is_sided`, for
/// the side that has moved there.
pub(super) fn two_sided<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    is_sided: bool,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let table = contest.table;
    let (mut search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    search.task.is_sided = is_sided;
    let mut backup = AgainstAll { role: search.task.role, scale: search.task.scale };
    let SearchedTree { search, end, so_far } = search_tree(search, state, &mut backup, table);
    search.finish(state, end, so_far)
}

/// Values for the role that asks: it takes the first of the greatest, the others the first of the least.
struct AgainstAll {
    role: Role,
    scale: PayoffRange,
}

/// A decision of the role that asks or of all others.
struct OneSide {
    is_asking: bool,
    best: Option<Value>,
}

impl Decision<Value> for OneSide {
    /// What one side gains the other loses, so each takes what is worth least to the other.
    #[inline]
    fn take(&mut self, _: usize, value: &[Value]) -> bool {
        let value = value[0];
        let is_better = match self.best {
            None => true,
            Some(best) if self.is_asking => value > best,
            Some(best) => value < best,
        };
        if is_better {
            self.best = Some(value);
        }
        is_better
    }

    #[inline]
    fn settled(&self) -> DecisionResult<Value> {
        DecisionResult::Best
    }

    fn guarantee(&self) -> Guarantee {
        if self.is_asking { Guarantee::AtLeast } else { Guarantee::AtMost }
    }
}

impl<R: BatchReasoner> Backup<R> for AgainstAll {
    type Number = Value;
    type Value = Value;
    type Decision = OneSide;

    const REPLIES: bool = true;

    fn value(&mut self, numbers: &[Value]) -> Value {
        numbers[0]
    }

    fn numbers(value: &Value) -> &[Value] {
        std::slice::from_ref(value)
    }

    fn end(
        &self,
        mut goal: impl FnMut(Role) -> Result<Utility, ReasonError>,
        values: &mut Vec<Value>,
    ) -> Result<(), ReasonError> {
        values.push(self.scale.value(goal(self.role)?));
        Ok(())
    }

    fn estimate<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        state: &R::State,
        values: &mut Vec<Value>,
    ) -> Result<(), Halt> {
        values.push(search.estimate(state)?);
        Ok(())
    }

    fn decision(&self, role: Role, _: usize) -> OneSide {
        OneSide { is_asking: role == self.role, best: None }
    }

    /// Notes the move if it is one of the best, and its value.
    fn note_first<O: Observer>(&mut self, search: &mut ContestSearch<'_, R, O>, first: FirstMove<'_, Value>) {
        search.note_first(first.chosen, *first.value, first.best.copied());
        search.rate_first(first.chosen, *first.value);
    }

    fn tell<O: Observer>(search: &mut ContestSearch<'_, R, O>, node: NodeId, value: &Value, arrival: &Arrival<'_>) {
        search.tell_value(node, *value, arrival);
    }
}
