//! `planner`: finds a plan in the start clock, then reads it off.

use super::deliberation::unless_one_role;
use crate::engine::EngineState;
use crate::game::{Move, Reasoner, Utility};
use crate::play::planning::{Planned, Planning};
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};

/// Sequential planning. Where the world is not what the plan expects, and where a better plan may exist, it plans again from there.
///
/// - Precondition: one role; of other games it makes the first legal moves.
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on small single-player games.
#[derive(Default)]
pub struct Planner {
    planning: Planning,
    plan: Option<Ahead>,
}

/// What is left of a plan.
struct Ahead {
    /// The moves, the next one last.
    moves: Vec<Move>,
    utility: Utility,
    is_best: bool,
    /// The state in which the next move is to be made.
    expected: EngineState,
}

impl Planner {
    /// What the plan that it follows comes to, and whether nothing better exists.
    pub fn prospect(&self) -> Option<(Utility, bool)> {
        self.plan.as_ref().map(|plan| (plan.utility, plan.is_best))
    }

    /// Looks for a plan that is better than the one there is.
    fn think(&mut self, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        let Some(Planned { mut plan, is_best }) = self.planning.find(position, stop)? else { return Ok(()) };
        if self.plan.as_ref().is_none_or(|known| is_best || plan.utility > known.utility) {
            plan.moves.reverse();
            let expected = position.state.clone();
            self.plan = Some(Ahead { moves: plan.moves, utility: plan.utility, is_best, expected });
        }
        Ok(())
    }

    /// The next move of the plan, where there is one and it fits.
    pub(super) fn next(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        self.plan = self.plan.take().filter(|plan| plan.expected == position.state && !plan.moves.is_empty());
        if self.plan.as_ref().is_none_or(|plan| !plan.is_best) {
            self.think(position, stop)?;
        }
        let Some(plan) = &mut self.plan else { return Ok(None) };
        let Some(chosen) = plan.moves.pop() else { return Ok(None) };
        plan.expected = position.engine.next_state(&position.state, &[chosen])?;
        Ok(Some(chosen))
    }
}

impl Strategy for Planner {
    fn name(&self) -> String {
        "planner".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        unless_one_role(position)?;
        self.planning.begin(start, position, stop);
        self.think(position, stop)
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Move, PlayerError> {
        if unless_one_role(position).is_err() {
            return Ok(position.legal[0]);
        }
        Ok(self.next(position, stop)?.unwrap_or(position.legal[0]))
    }

    /// A forced move is not asked for, and belongs to the plan all the same.
    fn played(&mut self, _: &[Move], position: &mut Position) {
        let Some(plan) = self.plan.as_mut().filter(|plan| plan.expected != position.state) else { return };
        let Some(&chosen) = plan.moves.last() else { return };
        if position.engine.next_state(&plan.expected, &[chosen]).is_ok_and(|next| next == position.state) {
            plan.moves.pop();
            plan.expected = position.state.clone();
        }
    }

    fn forget(&mut self) {
        *self = Self::default();
    }
}
