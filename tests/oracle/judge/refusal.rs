//! Errors: each says something true of the game.

use super::{Judge, Judgement, Verdict};
use crate::values::plans::reached;

impl Judge<'_> {
    /// Judges an error by what it says.
    pub(super) fn refusal(&self, error: &str) -> Judgement {
        let space = &self.game.space;
        let reasons = [
            ("the limit of", self.question.nodes.is_some() || self.question.depth.is_some()),
            ("does not support chance", space.chance.is_some()),
            ("here roles choose at the same time", space.is_simultaneous()),
            ("here chance moves at the same time", space.is_simultaneous() && space.chance.is_some()),
            ("one gains what the other loses", space.constant_sum().is_none()),
            ("a state can be reached again", space.is_cyclic),
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
