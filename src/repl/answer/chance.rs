//! Answers of random play.

use super::content::{AnswerContent, TextStyle};
use super::position::{MatchPly, history_text};
use super::state::{GoalValue, result_text};
use super::text::line;
use crate::limits::Stop;
use crate::quantity::{counted_as, grouped};
use crate::repl::value::AnswerValue;
use crate::rules::GroundTerm;
use serde::Serialize;

/// A random line of play from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutAnswer {
    /// Its plies, numbered on from those of the match.
    pub(crate) plies: Vec<MatchPly>,
    /// The goal values at the end; `None` if the line was cut off before the end of the game.
    pub(crate) result: Option<Vec<GoalValue>>,
}

/// Many random games from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutsAnswer {
    /// The number of games that were played.
    pub(crate) playouts: u64,
    /// The number of games that were cut off before the end; they have no utilities.
    pub(crate) unfinished: u64,
    /// The number of joint moves of all games.
    pub(crate) plies: u64,
    /// The mean utility of each role that has any.
    pub(crate) means: Vec<MeanUtility>,
    /// The limit that stopped the games early, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
}

/// The mean of a role's utilities.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct MeanUtility {
    /// The role to which the utilities belong.
    pub(crate) role: GroundTerm,
    /// The mean over the games in which the role has a utility.
    pub(crate) mean: f64,
}

impl AnswerContent for PlayoutAnswer {
    fn kind(&self) -> &'static str {
        "playout"
    }

    fn text(&self, style: &TextStyle<'_>) -> String {
        let end = match &self.result {
            Some(goals) => result_text(goals),
            None => line("the game did not end within the limit of moves".to_string()),
        };
        history_text(&self.plies, style.dialect) + &end
    }

    fn value(&self) -> Option<AnswerValue> {
        self.result.as_deref().map(GoalValue::as_value)
    }

    fn count(&self) -> Option<AnswerValue> {
        Some(AnswerValue::number(self.plies.len()))
    }
}

impl AnswerContent for PlayoutsAnswer {
    fn kind(&self) -> &'static str {
        "playouts"
    }

    fn text(&self, _style: &TextStyle<'_>) -> String {
        let Self { playouts, unfinished, plies, means, stopped } = self;
        let mut text = counted_as(*playouts, "game", "games");
        text += &format!(" of {:.2} plies on average", *plies as f64 / *playouts as f64);
        if *unfinished > 0 {
            text += &format!(", {} did not end", grouped(*unfinished));
        }
        if let Some(stop) = stopped {
            text += &format!(" ({stop})");
        }
        line(text)
            + &means.iter().map(|MeanUtility { role, mean }| line(format!("{role}: {mean:.2}"))).collect::<String>()
    }

    fn stopped(&self) -> Option<Stop> {
        self.stopped
    }
}
