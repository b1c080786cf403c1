//! `negamax`: minimax with one rule for both sides.

use super::contest::{Arrival, Choice, Contest, Found, Met, Search};
use super::outcome::Halt;
use super::turn::{Reply, RoleTurn};
use super::value::Value;
use super::{Budget, NodeId, Observer, Outcome, SearchError};
use crate::game::{Reasoner, Role};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// What one side gains the other loses, so each side chooses what is worth least to the other: the value of a node is
/// the greatest of the negated values of its successors. Simultaneous moves are two such choices, the role's first.
///
/// - Guarantee, cost and nodes: those of [`super::minimax()`]; it is the same search, written once for both sides.
/// - Source: Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975, where it is called
///   F0.
pub fn negamax<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    let mut negamax = Negamax { search, best: None };
    let end = negamax.state(state, Arrival::ROOT);
    negamax.search.finish(end, negamax.best)
}

struct Negamax<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    /// The best of the first moves that have been searched to their end.
    best: Option<Found<Value>>,
}

/// A choice of one side.
enum Decision<'t, S> {
    /// The role chooses one of its moves.
    Own(&'t RoleTurn<S>),
    /// The others choose one of their replies.
    Reply(&'t [Reply<S>]),
}

impl<R: Reasoner, O: Observer> Negamax<'_, R, O> {
    /// The value of a state for the role.
    fn state(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<Value>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        if met != Met::Middle {
            return self.search.leaf(state, node, met);
        }
        let turn = self.search.turn(state)?;
        self.search.tell_expanded(node, None);
        let found = self.value(state, node, arrival, &turn.choosing, &Decision::Own(&turn))?;
        self.search.tell_value(node, found.value);
        Ok(found)
    }

    /// The value of a decision for the side that decides.
    fn value(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
        choosing: &[Role],
        decision: &Decision<'_, R::State>,
    ) -> Result<Found<Value>, Halt> {
        let (mut best, mut index): (Option<Found<Value>>, usize) = (None, 0);
        loop {
            let successor = match decision {
                Decision::Own(turn) => match turn.options.get(index) {
                    Some(option) => self.value(state, node, arrival, choosing, &Decision::Reply(&option.replies))?,
                    None => break,
                },
                Decision::Reply(replies) => match replies.get(index) {
                    Some(Reply { joint_move, .. }) => {
                        let next = self.search.reasoner.next_state(state, joint_move)?;
                        self.state(&next, arrival.next(node, joint_move, choosing))?.after(joint_move, node)
                    }
                    None => break,
                },
            };
            let found = Found { value: -successor.value, ..successor };
            if arrival.depth == 0 && matches!(decision, Decision::Own(_)) {
                self.search.note_first(&found, best.as_ref());
            }
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
            if arrival.depth == 0 && matches!(decision, Decision::Own(_)) {
                self.best.clone_from(&best);
            }
            index += 1;
        }
        Ok(best.expect("there is a joint move for each move of the role"))
    }
}
