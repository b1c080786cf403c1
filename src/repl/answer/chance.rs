//! Answers of random play.

use super::{GoalValue, Ply};
use crate::limits::Stop;
use crate::rules::GroundTerm;
use serde::Serialize;

/// A random line of play from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutAnswer {
    /// Its plies, numbered on from those of the match.
    pub(crate) plies: Vec<Ply>,
    /// The goal values at the end; `None` if the line was cut off before the end of the game.
    pub(crate) result: Option<Vec<GoalValue>>,
}

/// Many random games from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct Playouts {
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
