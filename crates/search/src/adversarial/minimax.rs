//! `minimax`: the utility that a role can force against all others, who decide together; and `negamax`, which has one
//! rule for both sides. They differ in the side for which the value of a node is reported.

use super::contest::{Arrival, Contest, ContestSearch};
use super::full_tree::{Backup, Decision, DecisionResult, TreeResult, search_tree};
use crate::outcome::Halt;
use crate::value::PayoffRange;
use crate::{Budget, Choice, Guarantee, NodeId, Observer, Outcome, SearchError, Value};
use ggp_game::{BatchReasoner, Move, ReasonError, Role, Utility};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// With simultaneous moves the value is the pessimistic one: the others choose knowing the role's move. In a
/// turn-taking game of two opponents it is the value of the game.
///
/// - Guarantee: exact if the game tree below the state is finite and the budget allows; with a limited depth, the value
///   of the tree down to the horizon, where the evaluation replaces what lies beyond; when stopped, the best of the
///   moves that were searched completely.
/// - Cost: every node of the tree below the state; nothing is pruned. With a table every state below the first, for
///   each number of joint moves to the horizon.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small multiple-player games.
pub fn minimax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, false, budget, observer)
}

/// The utility that a role can force from a state if all other roles play together against it.
///
/// Each side chooses what is worth least to the other, which loses what it gains: the value of a node is the greatest
/// of the negated values of its successors. Simultaneous moves are two such choices, the role's first.
///
/// Observers get the value of a node for the side that has moved there, as the rule has it.
///
/// - Guarantee, cost and nodes: those of [`super::minimax()`]; it is the same search, written once for both sides.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975, where it is called
///   F0.
pub fn negamax<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    two_sided(reasoner, contest, true, budget, observer)
}

/// Searches the whole tree below a state. The value of a node is reported for the role that asks or, if `is_sided`, for
/// the side that has moved there.
fn two_sided<R: BatchReasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    is_sided: bool,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let table = contest.table;
    let (search, state) = ContestSearch::start(reasoner, contest, budget, observer);
    let mut backup = AgainstAll { role: search.role, scale: search.scale, is_sided, firsts: Vec::new() };
    let TreeResult { search, end, so_far } = search_tree(search, state, &mut backup, table);
    search.finish(state, end, so_far, backup.firsts)
}

/// Values for the role that asks: it takes the first of the greatest, the others the first of the least.
struct AgainstAll {
    role: Role,
    scale: PayoffRange,
    /// True if the value of a node is reported for the side that has moved there, as negamax does.
    is_sided: bool,
    /// The first moves of the role, with their values.
    firsts: Vec<(Move, Value)>,
}

/// A decision of the role that asks or of all others.
struct OneSide {
    is_asking: bool,
    best: Option<Value>,
}

impl Decision<Value> for OneSide {
    /// The role that asks takes the greatest value, the others the least; of equal ones the first.
    #[inline]
    fn take(&mut self, _: usize, value: &[Value]) -> bool {
        let value = value[0];
        // Only a strictly better value: of equal moves the first in canonical order is kept.
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

    #[inline]
    fn guarantee(&self) -> Guarantee {
        if self.is_asking { Guarantee::AtLeast } else { Guarantee::AtMost }
    }
}

impl<R: BatchReasoner> Backup<R> for AgainstAll {
    type Number = Value;
    type Value = Value;
    type Decision = OneSide;

    const REPLIES: bool = true;

    #[inline]
    fn value_of(&mut self, numbers: &[Value]) -> Value {
        numbers[0]
    }

    #[inline]
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

    #[inline]
    fn decision(&self, role: Role, _: usize) -> OneSide {
        OneSide { is_asking: role == self.role, best: None }
    }

    #[inline]
    fn note_first(&mut self, chosen: Move, _: usize, value: &Value) {
        self.firsts.push((chosen, *value));
    }

    fn tell<O: Observer>(
        &self,
        search: &mut ContestSearch<'_, R, O>,
        node: NodeId,
        value: &Value,
        arrival: &Arrival<'_>,
    ) {
        let by_others = !arrival.choosing.is_empty() && !arrival.choosing.contains(&self.role);
        search.tell_values(node, &[if self.is_sided && by_others { -*value } else { *value }]);
    }
}
