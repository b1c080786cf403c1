//! `bestplan`: a line of moves to the best utility in a one-player game.

use super::bounded::{Rounds, bounded};
use super::{Budget, Observer, Outcome, Plan, Problem, SearchError};
use crate::game::Reasoner;

/// The first plan, in the order of moves, that reaches the best utility. It need not be the shortest.
///
/// As a tree search ([`super::Form::Tree`]) this is the textbook's recursive form, node by node: depth first, without
/// memory, ended early only by the best possible utility, and not even by that without [`Problem::exit`]. As a graph
/// search it visits each state once and finds the same plan: a state that is reached again was already searched on an
/// earlier line, and the earlier line comes first in the order of moves.
///
/// - Precondition: one role.
/// - Guarantee: exact if the budget allows and there are finitely many states (as a tree search: lines); otherwise the
///   best plan found. A tree search without a limit on depth stops at lines of [`Budget::DEPTH`] moves.
/// - Cost: every state below the first, up to the first terminal one that is worth 100, in time and memory; as a tree
///   search every node of the tree in time, and one line in memory.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[doc(alias = "bestplan")]
pub fn best_plan<R: Reasoner>(
    reasoner: &mut R,
    problem: &Problem<'_, R::State>,
    budget: &Budget,
    observer: impl Observer,
) -> Result<Outcome<Plan>, SearchError> {
    bounded(reasoner, problem, (), Rounds::One, budget, observer)
}
