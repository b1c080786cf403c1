//! A plan for one player within a time, by the searches that there are for one.

use super::finding::log_search;
use super::{Deadline, PlayerError, Position, Start};
use crate::engine::{Measure, Relaxed};
use crate::game::{Reasoner, Utility};
use crate::search::{Budget, Outcome, Plan, Problem, SearchError, best_plan, breadth_first, dive, greedy};
use std::sync::Arc;
use std::time::Duration;

/// Looks for plans, with what it keeps for one match.
#[derive(Default)]
pub struct Planning {
    /// Leads the search where there are too many states to see all; `None` where it is not known yet, or cannot be had.
    heuristic: Option<Relaxed>,
}

/// A plan, and whether no better one exists.
#[derive(Clone, Debug)]
pub struct Planned {
    /// The plan.
    pub plan: Plan,
    /// Whether it is the best that can be reached.
    pub is_best: bool,
}

impl Planning {
    /// Bytes that a search may use for what it remembers.
    const MEMORY: u64 = 1 << 30;
    /// Random lines are the same in every match.
    const SEED: u64 = 0;
    /// Without so much time there is no heuristic: the rules have to be grounded for it.
    const TIME_FOR_HEURISTIC: Duration = Duration::from_secs(1);

    /// Gets ready for a match.
    pub fn begin(&mut self, start: &Start, position: &Position, stop: Deadline) {
        self.heuristic = None;
        if position.engine.roles().len() == 1 && stop.remaining() >= Self::TIME_FOR_HEURISTIC {
            let (rules, interrupt) = (&start.game.rules, position.interrupt.clone());
            self.heuristic = Relaxed::new(rules, Measure::FastForward, Some(Utility::MAX), interrupt).ok();
        }
    }

    /// The best plan that is found in time: first breadth first, which finds the shortest where the states are few, then by lines that keep to
    /// few moves, then towards what the heuristic promises, then depth first.
    ///
    /// # Errors
    /// Where the game has more than one role, or the rules give no answer.
    pub fn find(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Planned>, PlayerError> {
        let mut best: Option<Planned> = None;
        for stage in [Stage::BreadthFirst, Stage::Dive, Stage::Greedy, Stage::DepthFirst] {
            let time = stop.remaining() * stage.share() / 100;
            let budget = budget(position, Deadline::after(time), Self::MEMORY);
            let Some(outcome) = self.search(stage, position, &budget)? else { continue };
            log_search(stage.name(), &outcome, |plan| format!("{} moves, worth {}", plan.moves.len(), plan.utility));
            let is_exact = outcome.is_exact() && matches!(stage, Stage::BreadthFirst | Stage::DepthFirst);
            if let Some(plan) = outcome.answer
                && best.as_ref().is_none_or(|best| plan.utility > best.plan.utility)
            {
                best = Some(Planned { is_best: is_exact || plan.utility >= Utility::MAX, plan });
            }
            if is_exact || best.as_ref().is_some_and(|best| best.is_best) {
                break;
            }
        }
        Ok(best)
    }

    /// One search; `None` where it cannot be done.
    fn search(
        &mut self,
        stage: Stage,
        position: &mut Position,
        budget: &Budget,
    ) -> Result<Option<Outcome<Plan>>, SearchError> {
        let (engine, problem) = (&mut position.engine, Problem::new(&position.state));
        Ok(match (stage, &mut self.heuristic) {
            (Stage::BreadthFirst, _) => Some(breadth_first(engine, &problem, budget, ())?),
            (Stage::Dive, _) => Some(dive(engine, &problem, Self::SEED, budget)?),
            (Stage::Greedy, Some(heuristic)) => Some(greedy(engine, &problem, heuristic, budget, ())?),
            (Stage::Greedy, None) => None,
            (Stage::DepthFirst, _) => Some(best_plan(engine, &problem, budget, ())?),
        })
    }
}

/// The searches, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    BreadthFirst,
    Dive,
    Greedy,
    DepthFirst,
}

impl Stage {
    /// What the log calls it.
    fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth first",
            Self::Dive => "dive",
            Self::Greedy => "greedy",
            Self::DepthFirst => "depth first",
        }
    }

    /// How much of the time that is left it may take, in hundredths. What a large search remembers takes time to be given back.
    fn share(self) -> u32 {
        match self {
            Self::BreadthFirst => 40,
            Self::Dive => 20,
            Self::Greedy => 60,
            Self::DepthFirst => 90,
        }
    }
}

/// The limits of a search from a position until a deadline.
pub(super) fn budget(position: &Position, stop: Deadline, memory: u64) -> Budget {
    let budget = Budget::new().with_time(stop.remaining()).with_memory(memory);
    budget.with_interrupt(Arc::clone(&position.interrupt))
}
