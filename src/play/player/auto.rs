//! `auto`: the player that suits the game.

use super::mcts::Mcts;
use super::planner::Planner;
use crate::game::{Move, Reasoner};
use crate::play::equipment::{Equipment, Wanted};
use crate::play::{Deadline, PlayerError, Position, Start, Strategy};

/// With one role it plans, and uses Monte Carlo tree search only while it has no plan; with several roles it always
/// uses Monte Carlo tree search.
pub(crate) struct Auto {
    planner: Planner,
    mcts: Mcts,
}

impl Auto {
    /// Makes a player that searches with `mcts` when it does not plan.
    pub(crate) fn new(mcts: Mcts) -> Self {
        Self { planner: Planner::default(), mcts }
    }
}

/// Whether the game has one role.
fn plans(position: &Position) -> bool {
    position.engine.roles().len() == 1
}

impl Strategy for Auto {
    fn name(&self) -> String {
        "auto".to_string()
    }

    fn prepare(&mut self, start: &Start, position: &mut Position, stop: Deadline) -> Result<(), PlayerError> {
        if plans(position) {
            self.planner.prepare(start, position, stop)
        } else {
            self.mcts.prepare(start, position, stop)
        }
    }

    fn choose(&mut self, position: &mut Position, stop: Deadline) -> Result<Option<Move>, PlayerError> {
        if plans(position) {
            let half = Deadline::after(stop.remaining() / 2);
            if let Some(chosen) = self.planner.next(position, half)? {
                return Ok(Some(chosen));
            }
        }
        self.mcts.choose(position, stop)
    }

    fn played(&mut self, joint_move: &[Move], position: &mut Position) {
        if plans(position) {
            self.planner.played(joint_move, position);
        }
        self.mcts.played(joint_move, position);
    }

    fn ponder(&mut self, position: &mut Position) {
        if !plans(position) {
            self.mcts.ponder(position);
        }
    }

    fn wants(&self) -> Wanted {
        self.mcts.wants()
    }

    fn equipped(&mut self, equipment: Equipment, position: &mut Position) {
        self.planner.equipped(equipment, position);
        self.mcts.equipped(equipment, position);
    }

    fn forget(&mut self) {
        self.planner.forget();
        self.mcts.forget();
    }
}
