//! A plan for one player within a time, by the searches that there are for one.

use super::finding::log_search;
use super::{Deadline, PlayerError, Position, Start};
use crate::engine::{Engine, Measure, Relaxed};
use crate::game::{Move, Utility};
use crate::ground::GroundBudget;
use crate::rules::RuleSet;
use crate::search::{Budget, Exploration, Outcome, Plan, Problem, SearchError, best_plan, breadth_first, dive, greedy};
use std::sync::Arc;
use std::time::Duration;

/// Looks for plans, with what it keeps for one match.
#[derive(Default)]
pub struct Planning {
    /// The rules, as long as there may be a heuristic that has not been made.
    rules: Option<Arc<RuleSet>>,
    /// Leads the search where there are too many states to see all; `None` where it is not known yet, or cannot be had.
    heuristic: Option<Relaxed>,
    /// The search that goes on from move to move.
    exploration: Option<Exploration<Engine>>,
    /// How many random searches have been made.
    dives: u64,
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
    /// Bytes that a search may use for what it remembers; there are two at a time.
    const MEMORY: u64 = 512 << 20;
    /// Random lines are the same in every match.
    const SEED: u64 = 0;
    /// Without so much time there is no heuristic: the rules have to be grounded for it.
    const TIME_FOR_HEURISTIC: Duration = Duration::from_millis(500);
    /// The divisor of the time that gives the share of the heuristic.
    const SHARE_FOR_HEURISTIC: u32 = 3;

    /// Gets ready for a match.
    pub fn begin(&mut self, start: &Start) {
        *self = Self { rules: Some(start.game.rules.clone()), ..Self::default() };
    }

    /// Forgets what means something only to the engine that there was.
    pub fn change_engine(&mut self) {
        self.exploration = None;
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.change_engine();
        }
    }

    /// Goes on with the search that is kept from move to move, which begins here if there is none.
    ///
    /// # Errors
    /// Where the game has more than one role, or the rules give no answer.
    pub fn explore(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Planned>, PlayerError> {
        let budget = budget(position, stop, Self::MEMORY);
        let Position { engine, state, .. } = position;
        let exploration = match &mut self.exploration {
            Some(exploration) => exploration,
            none => none.insert(Exploration::new(engine, state, Self::SEED)?),
        };
        let outcome = exploration.search(engine, &budget)?;
        let is_exact = exploration.is_exact();
        let planned = |plan: Plan| Planned { is_best: is_exact || plan.utility >= Utility::MAX, plan };
        Ok(outcome.answer.map(planned))
    }

    /// A move that was made: the search that is kept goes on from the state after it.
    pub fn advance(&mut self, chosen: Move, position: &Position) {
        if let Some(exploration) = &mut self.exploration {
            exploration.advance(&position.engine, chosen, &position.state);
        }
    }

    /// The move after which most of the search that is kept goes on.
    pub fn widest(&self) -> Option<Move> {
        self.exploration.as_ref()?.widest()
    }

    /// The best plan that is found in time: first breadth first, which finds the shortest where the states are few, then by lines that keep to
    /// few moves, then towards what the heuristic promises, then depth first. The search that is kept ([`Planning::explore`]) takes the
    /// place of the first, where there is one.
    ///
    /// # Errors
    /// Where the game has more than one role, or the rules give no answer.
    pub fn find(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Planned>, PlayerError> {
        let mut best: Option<Planned> = None;
        let stages = [Stage::BreadthFirst, Stage::Dive, Stage::Greedy, Stage::DepthFirst];
        for stage in stages.into_iter().skip(usize::from(self.exploration.is_some())) {
            if stage == Stage::Greedy {
                self.make_heuristic(position, stop);
            }
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

    /// Makes the heuristic, once, if there is time for it.
    fn make_heuristic(&mut self, position: &Position, stop: Deadline) {
        let remaining = stop.remaining();
        if remaining < Self::TIME_FOR_HEURISTIC {
            return;
        }
        if let Some(rules) = self.rules.take() {
            let budget = GroundBudget::new().with_interrupt(position.interrupt.clone());
            let budget = budget.with_time(remaining / Self::SHARE_FOR_HEURISTIC);
            self.heuristic = Relaxed::within(&rules, Measure::FastForward, Some(Utility::MAX), &budget).ok();
        }
    }

    /// One search; `None` where it cannot be done.
    fn search(
        &mut self,
        stage: Stage,
        position: &mut Position,
        budget: &Budget,
    ) -> Result<Option<Outcome<Plan>>, SearchError> {
        let (engine, problem) = (&mut position.engine, Problem::new(&position.state));
        // Another seed each time: what was drawn before need not be drawn again.
        self.dives += u64::from(stage == Stage::Dive);
        let seed = Self::SEED.wrapping_add(self.dives);
        Ok(match (stage, &mut self.heuristic) {
            (Stage::BreadthFirst, _) => Some(breadth_first(engine, &problem, budget, ())?),
            (Stage::Dive, _) => Some(dive(engine, &problem, seed, budget)?),
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
