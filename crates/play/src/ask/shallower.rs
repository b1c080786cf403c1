//! The answer of a search that was stopped before it knew anything: that of a search which looks less far ahead.

use super::budget::QuestionBudget;
use gdl::limits::Stop;
use ggp_search::{Budget, Cost, Outcome};

/// The part of the work of the stopped search that another may take, and the most nodes of it.
const PART: u32 = 10;
const MOST_NODES: u64 = 10_000;

/// The limits of searches in place of one that was stopped: a tenth of its nodes, and of its time where time was what
/// it had too little of. What they visit does not count as its nodes.
pub fn budget_after(budget: &QuestionBudget, stop: Stop, cost: &Cost) -> QuestionBudget {
    budget.with(|budget| {
        let left = budget.within().with_nodes((cost.nodes / u64::from(PART)).min(MOST_NODES));
        match stop {
            Stop::Time { .. } | Stop::Interrupted => left.with_time(cost.time / PART),
            _ => left,
        }
    })
}

/// What a search finds 1, 2, 3 and so on joint moves ahead with the limits that are left after another: of the last
/// depth that it finishes, or nothing. A failure of the engine ends it like a limit.
pub(super) fn deepest<T, E>(
    left: &QuestionBudget,
    most_depth: Option<u32>,
    mut search: impl FnMut(&QuestionBudget) -> Result<Outcome<T>, E>,
) -> Option<(Outcome<T>, u32)> {
    let (mut last, mut spent) = (None, Cost::default());
    for depth in 1..most_depth.unwrap_or(Budget::DEPTH) {
        let left = left.with(|budget| budget.after(spent.nodes, spent.time).with_depth(depth));
        let Ok(outcome) = search(&left) else { break };
        spent = spent.with(outcome.cost);
        match outcome.stopped {
            None => return Some((outcome, depth)),
            Some(Stop::Depth { limit }) if limit == depth => last = Some((outcome, depth)),
            Some(_) => break,
        }
    }
    last
}
