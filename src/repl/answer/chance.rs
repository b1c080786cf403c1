//! Answers of random play.

use super::{GoalValue, Ply};
use crate::rules::GroundTerm;
use crate::search::Stop;
use serde::Serialize;

/// A random line of play from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct PlayoutAnswer {
    /// Its plies; the numbers go on from those of the match.
    pub plies: Vec<Ply>,
    /// What the end is worth to each role; `None` where the line was cut off before there was one.
    pub result: Option<Vec<GoalValue>>,
}

/// Many random games from the current state.
#[derive(Clone, Debug, Serialize)]
pub struct Playouts {
    /// How many were played.
    pub playouts: u64,
    /// How many of them were cut off before they were over; they have no utilities.
    pub unfinished: u64,
    /// The joint moves of all of them together.
    pub plies: u64,
    /// For each role that has any, the mean of its utilities.
    pub means: Vec<MeanUtility>,
    /// What kept the others from being played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stopped: Option<Stop>,
}

/// The mean of a role's utilities.
#[derive(Clone, Debug, Serialize)]
pub struct MeanUtility {
    /// The role.
    pub role: GroundTerm,
    /// The mean.
    pub mean: f64,
}
