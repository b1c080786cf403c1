//! `planner`: finds a plan in the start clock, then follows it.

use super::deliberation::unless_one_role;
use crate::planning::{BestKnownPlan, Planning};
use crate::{Deadline, Equipment, PlayerError, Position, Start, Strategy};
use gdl::rules::GroundTerm;
use ggp_game::{Move, Reasoner, Utility};

/// Sequential planning. Until it has a plan that is certain to be the best, it continues the search at each move;
/// without any plan it makes the move that preserves most of that search. If the state differs from what the plan
/// expects, it plans again from there.
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
