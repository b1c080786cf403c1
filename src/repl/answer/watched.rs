//! The positions of a line of play, one after another.

use super::boards::Boards;
use super::content::{AnswerContent, TextStyle};
use super::position::{MatchPly, MatchPosition};
use super::text::joined;
use crate::board::Setting;
use crate::game::{Move, ReasonError, Reasoner};
use crate::quantity::Seconds;
use crate::repl::session::MatchStep;
use serde::Serialize;

/// The positions of a line of play.
#[derive(Clone, Debug, Serialize)]
pub struct WatchAnswer {
    /// The positions, from the first.
    pub(crate) positions: Vec<MatchPosition>,
    /// The seconds between two of them, if they were given.
    #[serde(skip)]
    pub(crate) delay: Option<Seconds>,
}

impl WatchAnswer {
    /// The positions of a line of play from a state. The joint moves must be legal.
    ///
    /// # Errors
    /// Those of the engine.
    pub(crate) fn new<R: Reasoner>(
        reasoner: &mut R,
        setting: &Setting,
        first: &R::State,
        line: &[Vec<Move>],
        delay: Option<Seconds>,
    ) -> Result<Self, ReasonError> {
        let (mut state, mut facts) = (first.clone(), reasoner.facts(first));
        let drawn = Boards::from_facts(setting, &facts, None);
        let start = MatchPly::new(0, reasoner.roles(), None);
        let mut positions = vec![MatchPosition { drawn: Some(drawn), ..MatchPosition::at(reasoner, &state, start)? }];
        for (number, joint_move) in line.iter().enumerate() {
            let moves = joint_move.iter().map(|&chosen| reasoner.move_term(chosen)).collect();
            let last = MatchPly::new(number + 1, reasoner.roles(), Some(MatchStep::Played(moves)));
            state = reasoner.next_state(&state, joint_move)?;
            let before = std::mem::replace(&mut facts, reasoner.facts(&state));
            let drawn = Some(Boards::from_facts(setting, &facts, Some(&before)));
            positions.push(MatchPosition { drawn, ..MatchPosition::at(reasoner, &state, last)? });
        }
        Ok(Self { positions, delay })
    }
}

impl AnswerContent for WatchAnswer {
    fn kind(&self) -> &'static str {
        "watched"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        joined(self.positions.iter().map(|shown| shown.text(style)), "\n")
    }
}
