//! Players of games with one role that look for a plan themselves.
//!
//! They combine the searches for one player within one clock ([`Planning`]) and differ in what they keep from turn to
//! turn: `deliberation` nothing, `planner` a plan and an unfinished search, `mixed` a plan that is certain to be the
//! best.

use super::searching::{budget, log_search};
use crate::record::goal_value;
use crate::{Deadline, Equipment, PlayerError, Position, Start, Strategy, Thought};
use gdl::number::to_u32;
use gdl::rules::{GroundTerm, RuleSet};
use ggp_engine::ground::GroundBudget;
use ggp_engine::{Engine, EngineState, Measure, RelaxedHeuristic};
use ggp_game::{Chance, Heuristic, Move, ReasonError, Reasoner, Role, Utility};
use ggp_search::{Budget, Exploration, Outcome, Plan, Problem, SearchError, best_plan, breadth_first, dive, greedy};
use std::sync::Arc;
use std::time::Duration;

/// Searches for plans, with the data that it keeps during one match.
#[derive(Default)]
struct Planning {
    /// The rules, until the heuristic has been made.
    rules: Option<Arc<RuleSet>>,
    /// Guides the greedy search; `None` if it has not been made yet or cannot be made.
    heuristic: Option<RelaxedHeuristic>,
    /// The search that continues from move to move.
    exploration: Option<Exploration<Engine>>,
    /// The number of random searches so far.
    dives: u64,
}

/// The best plan of a search.
#[derive(Clone, Debug)]
struct BestKnownPlan {
    /// The moves to a terminal state, and its utility.
    pub(crate) plan: Plan,
    /// True if no better plan exists.
    is_best: bool,
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

    /// Drops data that are valid only for the previous engine.
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
    fn explore(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<BestKnownPlan>, PlayerError> {
        let budget = budget(position, stop, Self::MEMORY);
        let Position { engine, state, .. } = position;
        let exploration = match &mut self.exploration {
            Some(exploration) => exploration,
            none => none.insert(Exploration::new(engine, state, Self::SEED)?),
        };
        let outcome = exploration.search(engine, &budget)?;
        let is_exact = exploration.is_exact();
        let most = engine.utility_range().most;
        // A plan to the greatest utility is the best, even if the search has not ended.
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
    fn widest(&self) -> Option<Move> {
        self.exploration.as_ref()?.widest()
    }

    /// The best plan that is found in time: first breadth first, which finds the shortest if there are few states, then
    /// greedily by the goal values of states before the end if the rules give them, then along lines with few legal
    /// moves, then greedily by the heuristic, then depth first. The kept search ([`Planning::explore`]) replaces the
    /// first of these, if there is one.
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
        let stages = [
            PlanningStage::BreadthFirst,
            PlanningStage::Goals,
            PlanningStage::Dive,
            PlanningStage::Greedy,
            PlanningStage::DepthFirst,
        ];
        // The kept search takes the place of the first one.
        for stage in stages.into_iter().skip(usize::from(self.exploration.is_some())) {
            if stage == PlanningStage::Greedy {
                self.make_heuristic(position, stop);
            }
            if stage == PlanningStage::Goals && !has_growing_goal(position, stop)? {
                continue;
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
        // Taken, so that a heuristic that cannot be made is not tried again.
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
            (PlanningStage::Goals, _) => {
                let most = engine.utility_range().most;
                Some(greedy(engine, &problem, MissingGoal { most }, budget, ())?)
            }
            (PlanningStage::Dive, _) => Some(dive(engine, &problem, seed, budget)?),
            (PlanningStage::Greedy, Some(heuristic)) => Some(greedy(engine, &problem, heuristic, budget, ())?),
            (PlanningStage::Greedy, None) => None,
            (PlanningStage::DepthFirst, _) => Some(best_plan(engine, &problem, budget, ())?),
        })
    }
}

/// Estimates a state by what its own goal value lacks: some sheets give a greater one to states that are closer to
/// the best end.
struct MissingGoal {
    most: Utility,
}

impl Heuristic<Engine> for MissingGoal {
    fn estimate(&mut self, engine: &mut Engine, state: &EngineState) -> Result<Option<u64>, ReasonError> {
        let goal = goal_value(engine, state, ROLE)?.unwrap_or(Utility::MIN);
        Ok(Some(u64::try_from(self.most.floor() - goal.floor()).unwrap_or(0)))
    }
}

/// True if a move leads to a state before the end whose goal value is greater than that of the current state.
fn has_growing_goal(position: &mut Position, stop: Deadline) -> Result<bool, PlayerError> {
    let Position { engine, state, legal, .. } = position;
    let here = goal_value(engine, state, ROLE)?.unwrap_or(Utility::MIN);
    for &chosen in legal.iter() {
        if stop.is_over() {
            break;
        }
        let next = engine.next_state(state, &[chosen])?;
        if !engine.is_terminal(&next)? && goal_value(engine, &next, ROLE)?.is_some_and(|goal| goal > here) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The role of a game with one.
const ROLE: Role = Role::new(0);

/// The searches, in their order.
#[derive(Clone, Copy, PartialEq, Eq)]
enum PlanningStage {
    BreadthFirst,
    Goals,
    Dive,
    Greedy,
    DepthFirst,
}

impl PlanningStage {
    /// The name in the log.
    fn name(self) -> &'static str {
        match self {
            Self::BreadthFirst => "breadth first",
            Self::Goals => "greedy by goal values",
            Self::Dive => "dive",
            Self::Greedy => "greedy",
            Self::DepthFirst => "depth first",
        }
    }

    /// The share of the remaining time, in percent. A large search needs time to free its memory.
    fn share(self) -> u32 {
        match self {
            Self::BreadthFirst => 40,
            Self::Goals | Self::Dive => 20,
            Self::Greedy => 60,
            Self::DepthFirst => 90,
        }
    }
}

/// `deliberation`: compulsive deliberation. Makes the first move of the best plan that it finds now, and forgets the
/// rest.
///
/// - Precondition: one role; in other games it makes the first legal moves.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[derive(Default)]
pub(crate) struct DeliberationPlayer {
    planning: Planning,
}

impl Strategy for DeliberationPlayer {
    fn name(&self) -> String {
        "deliberation".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        unless_one_role(position)?;
        self.planning.begin(start);
        Ok(())
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if unless_one_role(position).is_err() {
            return Ok(None);
        }
        let found = self.planning.find(position, stop)?;
        Ok(found.and_then(|found| found.plan.moves.first().copied()))
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.planning.change_engine();
        }
    }
}

/// An error for games of several roles.
fn unless_one_role(position: &Position) -> Result<(), PlayerError> {
    match position.engine.roles().len() {
        1 => Ok(()),
        roles => Err(SearchError::NotOneRole { roles }.into()),
    }
}

/// `planner`: sequential planning. Until it has a plan that is certain to be the best, it continues the search at each
/// move; without any plan it makes the move that preserves most of that search. If the state differs from the one that
/// the plan expects, it plans again from there.
///
/// - Precondition: one role; in other games it makes the first legal moves.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[derive(Default)]
pub(crate) struct Planner {
    planning: Planning,
    plan: Option<RemainingPlan>,
}

/// The rest of a plan, in terms, which are valid for every engine.
struct RemainingPlan {
    /// The moves in reverse order.
    moves: Vec<GroundTerm>,
    utility: Utility,
    is_best: bool,
    /// The facts of the state in which the next move is to be made.
    expected: Vec<GroundTerm>,
}

impl Planner {
    /// The share of a move's time for the search that is kept, in percent; the rest goes into searches from the current
    /// state.
    const EXPLORATION: u32 = 60;

    /// Searches for a better plan than the current one.
    fn think(&mut self, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        let first = Deadline::after(stop.remaining() * Self::EXPLORATION / 100);
        let explored = self.planning.explore(position, first)?;
        self.take(explored, position);
        if self.plan.as_ref().is_none_or(|plan| !plan.is_best) {
            let found = self.planning.find(position, stop)?;
            self.take(found, position);
        }
        Ok(())
    }

    /// Replaces the current plan, if the new one is better.
    fn take(&mut self, planned: Option<BestKnownPlan>, position: &Position) {
        let Some(BestKnownPlan { plan, is_best }) = planned else { return };
        if self.plan.as_ref().is_none_or(|known| is_best && !known.is_best || plan.utility > known.utility) {
            let moves = plan.moves.iter().rev().map(|&chosen| position.engine.move_term(chosen)).collect();
            let expected = position.engine.facts(&position.state);
            self.plan = Some(RemainingPlan { moves, utility: plan.utility, is_best, expected });
        }
    }

    /// The next move of the plan, if there is a plan for this state.
    pub(super) fn next(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        let facts = position.engine.facts(&position.state);
        self.plan = self.plan.take().filter(|plan| plan.expected == facts && !plan.moves.is_empty());
        if self.plan.as_ref().is_none_or(|plan| !plan.is_best) {
            self.think(position, stop)?;
        }
        let Some(plan) = &self.plan else { return Ok(None) };
        let (value, is_proven) = (Some(plan.utility.to_f64()), plan.is_best);
        position.thought = Some(Thought { value, is_proven, depth: to_u32(plan.moves.len()), ..Thought::default() });
        let Some(term) = plan.moves.last() else { return Ok(None) };
        Ok(Some(position.engine.find_move(term)?))
    }
}

impl Strategy for Planner {
    fn name(&self) -> String {
        "planner".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        unless_one_role(position)?;
        self.planning.begin(start);
        if position.is_over() { Ok(()) } else { self.think(position, stop) }
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if unless_one_role(position).is_err() {
            return Ok(None);
        }
        let planned = self.next(position, stop)?;
        Ok(planned.or_else(|| self.planning.widest()))
    }

    fn equipped(&mut self, equipment: Equipment, _: &mut Position) {
        if equipment == Equipment::Engine {
            self.planning.change_engine();
        }
    }

    /// A move that the plan does not expect ends it.
    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        let &[chosen] = joint_move else { return };
        self.planning.advance(chosen, position);
        let made = position.engine.move_term(chosen);
        self.plan = self.plan.take().and_then(|mut plan| {
            let expected = plan.moves.pop()?;
            plan.expected = position.engine.facts(&position.state);
            (expected == made && !plan.moves.is_empty()).then_some(plan)
        });
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}

/// `mixed`: makes random moves while a search for the best plan would need more nodes than the limit; then plans once,
/// and follows the plan.
///
/// - Precondition: one role.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games, which mixes
///   random opening moves with planning.
pub(crate) struct MixedPlayer {
    /// The greatest number of nodes of the search for a plan.
    limit: u64,
    random: Chance,
    /// The memory limit of that search, in bytes.
    memory: u64,
    /// The rest of the plan in reverse order, in terms, which are valid for every engine.
    plan: Option<Vec<GroundTerm>>,
}

impl MixedPlayer {
    /// The default limit.
    pub(crate) const NODES: u64 = 10_000;

    /// Makes a player with these options.
    pub(crate) fn new(limit: u64, seed: u64, memory: u64) -> Self {
        Self { limit, random: Chance::new(seed), memory, plan: None }
    }
}

impl Strategy for MixedPlayer {
    fn name(&self) -> String {
        "mixed".to_string()
    }

    fn prepare(&mut self, _: &Start, position: &mut Position, _: Deadline) -> Result<(), PlayerError> {
        unless_one_role(position)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if self.plan.is_none() {
            let budget = budget(position, stop, self.memory).with_nodes(self.limit);
            let Position { engine, state, .. } = position;
            let outcome = best_plan(engine, &Problem::new(state), &budget, ())?;
            log_search("mixed", &outcome, |plan| format!("{} moves, worth {}", plan.moves.len(), plan.utility));
            let plan = if outcome.is_exact() { outcome.answer } else { None };
            self.plan = plan.map(|plan| plan.moves.iter().rev().map(|&chosen| engine.move_term(chosen)).collect());
        }
        match self.plan.as_ref().and_then(|plan| plan.last()) {
            Some(term) => Ok(Some(position.engine.find_move(term)?)),
            None => Ok(Some(position.legal[self.random.below(position.legal.len())])),
        }
    }

    /// A move that the plan does not expect ends it.
    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        let &[chosen] = joint_move else { return };
        let made = position.engine.move_term(chosen);
        self.plan = self.plan.take().and_then(|mut plan| (plan.pop()? == made && !plan.is_empty()).then_some(plan));
    }

    fn equipped(&mut self, _: Equipment, _: &mut Position) {}

    fn forget(&mut self) {
        self.plan = None;
    }
}
