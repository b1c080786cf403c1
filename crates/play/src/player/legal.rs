//! `legal`: always the first legal move.

use crate::equipment::Requirement;
use crate::{Deadline, PlayerError, Position, Strategy};
use ggp_game::Move;

/// Makes the first legal move in canonical order.
///
/// - Source: Genesereth and Thielscher, *General Game Playing*, the chapter on game playing.
pub(crate) struct LegalPlayer;

impl Strategy for LegalPlayer {
    fn name(&self) -> String {
        "legal".to_string()
    }

    fn wants(&self) -> Requirement {
        Requirement::Nothing
    }

    fn choose(&mut self, position: &mut Position, _: Deadline) -> Result<Option<Move>, PlayerError> {
        Ok(position.legal.first().copied())
    }
}
