//! `deliberation`: searches for a plan again at every step.

use crate::planning::Planning;
use crate::{Deadline, Equipment, PlayerError, Position, Start, Strategy};
use ggp_game::{Move, Reasoner};
use ggp_search::SearchError;

/// Compulsive deliberation: makes the first move of the best plan that it finds now, and forgets the rest.
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
pub(super) fn unless_one_role(position: &Position) -> Result<(), PlayerError> {
    match position.engine.roles().len() {
        1 => Ok(()),
        roles => Err(SearchError::NotOneRole { roles }.into()),
    }
}
