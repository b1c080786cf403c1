//! Errors: each says something true of the game.

use super::{Judge, Judgement, Verdict};
use crate::values::plans::reached;

impl Judge<'_> {
    /// Judges an error by what it says.
    pub(super) fn refusal(&self, error: &str) -> Judgement {
        let space = &self.game.space;
        let repeats_for_several =
            space.is_cyclic && space.roles.len() > 1 && (space.constant_sum().is_none() || space.players().len() > 2);
        let reasons = [
            ("the limit of", self.question.nodes.is_some() || self.question.depth.is_some()),
            ("does not support chance", space.chance.is_some()),
            ("here roles choose at the same time", space.is_simultaneous()),
            ("here chance moves at the same time", space.is_simultaneous() && space.chance.is_some()),
            ("a state can be reached again", repeats_for_several),
            ("equilibrium of pure strategies", space.is_simultaneous() && space.players().len() > 2),
            ("the game never ends", space.ends().next().is_none()),
            ("no line of moves ends the game", reached(space, self.whole()).is_empty()),
            ("goal", !space.has_utilities()),
        ];
        match reasons.iter().find(|(words, holds)| *holds && error.contains(words)) {
            Some(_) => Ok(Verdict::Refused),
            None => Err("the error is not true of the game".to_string()),
        }
    }
}
