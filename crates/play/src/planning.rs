//! Finds a plan for one player within a time limit, by combining the searches for one player.

use super::finding::log_search;
use super::{Deadline, PlayerError, Position, Start};
use gdl::rules::RuleSet;
use ggp_engine::ground::GroundBudget;
use ggp_engine::{Engine, Measure, RelaxedHeuristic};
use ggp_game::{Move, Reasoner};
use ggp_search::{Budget, Exploration, Outcome, Plan, Problem, SearchError, best_plan, breadth_first, dive, greedy};
use std::sync::Arc;
use std::time::Duration;

/// Searches for plans, with what it keeps during one match.
#[derive(Default)]
pub(crate) struct Planning {
    /// The rules, until the heuristic has been made.
    rules: Option<Arc<RuleSet>>,
    /// Guides the greedy search; `None` if it has not been made yet or cannot be made.
    heuristic: Option<RelaxedHeuristic>,
    /// The search that continues from move to move.
    exploration: Option<Exploration<Engine>>,
    /// The number of random searches so far.
    dives: u64,
}

/// A plan, and whether it is known to be the best.
#[derive(Clone, Debug)]
pub(crate) struct BestKnownPlan {
    /// The moves to a terminal state, and its utility.
    pub(crate) plan: Plan,
    /// Whether no better plan exists.
    pub(crate) is_best: bool,
}

impl Planning {
    /// The memory limit of a search, in bytes; two searches exist at a time.
    const MEMORY: u64 = 512 << 20;
    /// A fixed seed, so that random lines are the same in every match.
    const SEED: u64 = 0;
    /// With less time than this the heuristic is not made, because it needs the ground rules.
    const TIME_FOR_HEURISTIC: Duration = Duration::from_millis(500);
    /// The time for making the heuristic is the remaining time divided by this.
    const SHARE_FOR_HEURISTIC: u32 = 3;

    /// Drops everything about the previous match.
    pub(crate) fn begin(&mut self, start: &Start) {
        *self = Self { rules: Some(start.game.rules.clone()), ..Self::default() };
    }

    /// Drops what is valid only for the previous engine.
    pub(crate) fn change_engine(&mut self) {
        self.exploration = None;
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.change_engine();
        }
    }

    /// Continues the search that is kept from move to move; starts it if there is none.
    ///
    /// # Errors
    /// If the game has more than one role, or the rules give no answer.
    pub(crate) fn explore(
        &mut self,
        position: &mut Position,
        stop: Deadline,
    ) -> Result<Option<BestKnownPlan>, PlayerError> {
        let budget = budget(position, stop, Self::MEMORY);
        let Position { engine, state, .. } = position;
        let exploration = match &mut self.exploration {
            Some(exploration) => exploration,
            none => none.insert(Exploration::new(engine, state, Self::SEED)?),
        };
        let outcome = exploration.search(engine, &budget)?;
        let is_exact = exploration.is_exact();
        let most = engine.utility_range().most;
        let planned = |plan: Plan| BestKnownPlan { is_best: is_exact || plan.utility >= most, plan };
        Ok(outcome.answer.map(planned))
    }

    /// Continues the kept search from the state after a move.
    pub(crate) fn advance(&mut self, chosen: Move, position: &Position) {
        if let Some(exploration) = &mut self.exploration {
            exploration.advance(&position.engine, chosen, &position.state);
        }
    }

    /// The move that preserves most of the kept search.
    pub(crate) fn widest(&self) -> Option<Move> {
        self.exploration.as_ref()?.widest()
    }

    /// The best plan that is found in time: first breadth first, which finds the shortest if there are few states, then
    /// along lines with few legal moves, then greedily by the heuristic, then depth first. The kept search
    /// ([`Planning::explore`]) replaces the first of these, if there is one.
    ///
    /// # Errors
    /// If the game has more than one role, or the rules give no answer.
    pub(crate) fn find(
        &mut self,
        position: &mut Position,
        stop: Deadline,
    ) -> Result<Option<BestKnownPlan>, PlayerError> {
        let mut best: Option<BestKnownPlan> = None;
        let most = position.engine.utility_range().most;
        let stages =
            [PlanningStage::BreadthFirst, PlanningStage::Dive, PlanningStage::Greedy, PlanningStage::DepthFirst];
        for stage in stages.into_iter().skip(usize::from(self.exploration.is_some())) {
            if stage == PlanningStage::Greedy {
                self.make_heuristic(position, stop);
            }
            let time = stop.remaining() * stage.share() / 100;
            let budget = budget(position, Deadline::after(time), Self::MEMORY);
            let Some(outcome) = self.search(stage, position, &budget)? else { continue };
            log_search(stage.name(), &outcome, |plan| format!("{} moves, worth {}", plan.moves.len(), plan.utility));
            let is_exact =
                outcome.is_exact() && matches!(stage, PlanningStage::BreadthFirst | PlanningStage::DepthFirst);
            if let Some(plan) = outcome.answer
                && best.as_ref().is_none_or(|best| plan.utility > best.plan.utility)
            {
                best = Some(BestKnownPlan { is_best: is_exact || plan.utility >= most, plan });
            }
            if is_exact || best.as_ref().is_some_and(|best| best.is_best) {
                break;
            }
        }
        Ok(best)
    }

    /// Makes the heuristic, once, if there is time for it.
    fn make_heuristic(&mut self, position: &Position, stop: Deadline) {
        let remaining = stop.remaining();
        if remaining < Self::TIME_FOR_HEURISTIC {
            return;
        }
        if let Some(rules) = self.rules.take() {
            let budget = GroundBudget::new().with_interrupt(position.interrupt.clone());
            let budget = budget.with_time(remaining / Self::SHARE_FOR_HEURISTIC);
            let most = position.engine.utility_range().most;
            self.heuristic = RelaxedHeuristic::within(&rules, Measure::FastForward, Some(most), &budget).ok();
        }
    }

    /// Runs one search; `None` if it needs a heuristic that does not exist.
    fn search(
        &mut self,
        stage: PlanningStage,
        position: &mut Position,
        budget: &Budget,
    ) -> Result<Option<Outcome<Plan>>, SearchError> {
        let engine = &mut position.engine;
        let problem = Problem::new(&position.state);
        // A different seed each time, so that the same lines are not drawn again.
        self.dives += u64::from(stage == PlanningStage::Dive);
        let seed = Self::SEED.wrapping_add(self.dives);
        Ok(match (stage, &mut self.heuristic) {
            (PlanningStage::BreadthFirst, _) => Some(breadth_first(engine, &problem, budget, ())?),
            (PlanningStage::Dive, _) => Some(dive(engine, &problem, seed, budget)?),
            (PlanningStage::Greedy, Some(heuristic)) => Some(greedy(engine, &problem, heuristic, budget, ())?),
            (PlanningStage::Greedy, None) => None,
            (PlanningStage::DepthFirst, _) => Some(best_plan(engine, &problem, budget, ())?),
        })
    }
}

/// The searches, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanningStage {
    BreadthFirst,
    Dive,
    Greedy,
    DepthFirst,
}

impl PlanningStage {
    /// The name in the log.
    fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth first",
            Self::Dive => "dive",
            Self::Greedy => "greedy",
            Self::DepthFirst => "depth first",
        }
    }

    /// The share of the remaining time, in percent. A large search needs time to free its memory.
    fn share(self) -> u32 {
        match self {
            Self::BreadthFirst => 40,
            Self::Dive => 20,
            Self::Greedy => 60,
            Self::DepthFirst => 90,
        }
    }
}

/// The limits of a search from a position until a deadline. Players look beyond forced joint moves, which cost them
/// little and may decide the game.
pub(super) fn budget(position: &Position, stop: Deadline, memory: u64) -> Budget {
    let budget = Budget::new().with_time(stop.remaining()).with_memory(memory).extending_forced();
    budget.with_interrupt(Arc::clone(&position.interrupt))
}
