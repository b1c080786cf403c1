//! The best plan after each first move, depth by depth: an analysis of a game of one player.

use super::best_plan::best_plan;
use super::problem::ordered_moves;
use crate::outcome::Halt;
use crate::{Budget, Cost, Outcome, Plan, Problem, SearchError};
use gdl::limits::Stop;
use gdl::sorting;
use gdl::time::Instant;
use ggp_game::{Move, Reasoner};
use std::cmp::Reverse;

/// The first moves of the player with the best plans at one depth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstPlans {
    /// The depth of the last complete round: the greatest number of moves of a plan.
    pub depth: u32,
    /// All first moves: those with the greatest utilities first, of equal ones those with the shortest plans.
    pub moves: Vec<FirstPlan>,
}

/// A first move with the best plan that begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstPlan {
    /// The first move.
    pub chosen: Move,
    /// The plan, with that move; `None` if no line to an end is short enough.
    pub plan: Option<Plan>,
    /// True if no deeper search can find a better plan.
    pub is_exact: bool,
}

/// Searches for the best plan after each first move, of at most 1 move, then 2, and so on, until all are exact or a
/// limit is reached. `watch` is called with the plans after each complete round.
///
/// - Precondition: one role, a state that is not terminal.
/// - Guarantee: after a round to depth d the best utility is that of [`best_plan()`] with a limit of d moves.
/// - Cost: a search for each first move and depth; a move whose plan is worth the best possible utility is not searched
///   again.
/// - Source: Korf, *Depth-First Iterative-Deepening*, Artificial Intelligence 27, 1985.
pub fn first_plans<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    budget: &Budget,
    watch: &mut dyn FnMut(&mut R, &FirstPlans),
) -> Result<Outcome<FirstPlans>, SearchError> {
    SearchError::unless_one_role(reasoner.roles())?;
    if reasoner.is_terminal(state)? {
        return Err(SearchError::Over);
    }
    let moves = ordered_moves(reasoner, state, &Problem::new(state))?.into_iter();
    let mut moves: Vec<FirstPlan> = moves.map(|chosen| FirstPlan { chosen, plan: None, is_exact: false }).collect();
    let started = Instant::now();
    let mut cost = Cost::default();
    let last = budget.depth().unwrap_or(u32::MAX);
    let mut depth = 0;
    let mut stopped = None;
    while stopped.is_none() && depth < last && moves.iter().any(|first| !first.is_exact) {
        depth += 1;
        let round = search_round(reasoner, state, &mut moves, depth, budget, started, &mut cost);
        stopped = round.err().map(Halt::stop).transpose()?;
        if stopped.is_none() {
            watch(reasoner, &FirstPlans { depth, moves: sorted(&moves) });
        }
    }
    if stopped.is_none() && moves.iter().any(|first| !first.is_exact) {
        stopped = Some(Stop::Depth { limit: last });
    }
    // A round that was stopped does not count, but what it had found does.
    let depth = if matches!(stopped, None | Some(Stop::Depth { .. })) { depth } else { depth - 1 };
    let is_known = depth > 0 || moves.iter().any(|first| first.plan.is_some());
    let answer = is_known.then(|| FirstPlans { depth, moves: sorted(&moves) });
    Ok(Outcome { answer, stopped, cost: Cost { time: started.elapsed(), ..cost } })
}

/// The best moves first.
fn sorted(moves: &[FirstPlan]) -> Vec<FirstPlan> {
    let mut sorted = moves.to_vec();
    sorting::sort_by_key(&mut sorted, |first| {
        let length = first.plan.as_ref().map_or(usize::MAX, |plan| plan.moves.len());
        (Reverse(first.plan.as_ref().map(|plan| plan.utility)), length)
    });
    sorted
}

/// Searches after each first move that is not exact yet, and adds the cost. If the round is stopped, the plans found so
/// far stay. The time of the budget began with the first round.
fn search_round<R: Reasoner>(
    reasoner: &mut R,
    state: &R::State,
    moves: &mut [FirstPlan],
    depth: u32,
    budget: &Budget,
    started: Instant,
    cost: &mut Cost,
) -> Result<(), Halt> {
    for first in moves.iter_mut().filter(|first| !first.is_exact) {
        let next = reasoner.next_state(state, &[first.chosen])?;
        let left = budget.after(cost.nodes, started.elapsed());
        let outcome = best_plan(reasoner, &Problem::new(&next), &left.silent().with_depth(depth - 1), ())?;
        *cost = cost.with(outcome.cost);
        cost.depth = cost.depth.max(outcome.cost.depth + 1);
        budget.publish(cost.nodes, depth);
        let is_better = |plan: &Plan| first.plan.as_ref().is_none_or(|known| plan.utility > known.utility);
        if let Some(plan) = outcome.answer.filter(is_better) {
            let moves = std::iter::once(first.chosen).chain(plan.moves).collect();
            first.is_exact = plan.utility >= reasoner.utility_range().most;
            first.plan = Some(Plan { moves, ..plan });
        }
        match outcome.stopped {
            None => first.is_exact = true,
            Some(Stop::Depth { .. }) => {}
            Some(stop) => return Err(budget.whole(stop).into()),
        }
    }
    Ok(())
}
