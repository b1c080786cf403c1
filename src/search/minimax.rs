//! `minimax`: the utility that a role can force against all others.

use super::contest::{Arrival, Choice, Contest, Found, Met, Search};
use super::outcome::Halt;
use super::turn::Reply;
use super::value::Value;
use super::{Budget, NodeId, Observer, Outcome, SearchError};
use crate::game::{Reasoner, Role};

/// The utility that a role can force from a state if all other roles play together against it.
///
/// With simultaneous moves the value is the pessimistic one: the others choose knowing the role's move. In a
/// turn-taking game of two opponents it is the value of the game.
///
/// - Guarantee: exact if the game tree below the state is finite and the budget allows; with a limited depth, the value
///   of the tree down to the horizon, where the evaluation replaces what lies beyond; when stopped, the best of the
///   moves that were searched completely.
/// - Cost: every node of the tree below the state; nothing is pruned, and no state is remembered.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small multiple-player games.
pub fn minimax<R: Reasoner>(
    reasoner: &mut R,
    contest: Contest<'_, R>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Choice>, SearchError> {
    let (search, state) = Search::start(reasoner, contest, budget, observer);
    let mut minimax = Minimax { search, best: None };
    let end = minimax.value(state, Arrival::ROOT);
    minimax.search.finish(end, minimax.best)
}

struct Minimax<'a, R: Reasoner, O> {
    search: Search<'a, R, O>,
    /// The best of the first moves that have been searched to their end.
    best: Option<Found<Value>>,
}

impl<R: Reasoner, O: Observer> Minimax<'_, R, O> {
    /// The best over the role's own moves.
    fn value(&mut self, state: &R::State, arrival: Arrival<'_>) -> Result<Found<Value>, Halt> {
        let (node, met) = self.search.enter(state, arrival)?;
        if met != Met::Middle {
            return self.search.leaf(state, node, met);
        }
        let turn = self.search.turn(state)?;
        self.search.tell_expanded(node, None);
        let mut best: Option<Found<Value>> = None;
        for option in &turn.options {
            let found = self.worst_reply(state, node, arrival, &option.replies, &turn.choosing)?;
            if arrival.depth == 0 {
                self.search.note_first(&found, best.as_ref());
            }
            if best.as_ref().is_none_or(|best| found.value > best.value) {
                best = Some(found);
            }
            if arrival.depth == 0 {
                self.best.clone_from(&best);
            }
        }
        let best = best.expect("a state that is not over has at least one joint move");
        self.search.tell_value(node, best.value);
        Ok(best)
    }

    /// The worst over all replies of the others to one of the role's moves.
    fn worst_reply(
        &mut self,
        state: &R::State,
        node: NodeId,
        arrival: Arrival<'_>,
        replies: &[Reply<R::State>],
        choosing: &[Role],
    ) -> Result<Found<Value>, Halt> {
        let mut worst: Option<Found<Value>> = None;
        for Reply { joint_move, .. } in replies {
            let next = self.search.reasoner.next_state(state, joint_move)?;
            let found = self.value(&next, arrival.next(node, joint_move, choosing))?;
            if worst.as_ref().is_none_or(|worst| found.value < worst.value) {
                worst = Some(found.after(joint_move, node));
            }
        }
        Ok(worst.expect("there is a joint move for each move of the role"))
    }
}
