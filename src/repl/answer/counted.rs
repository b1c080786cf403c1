//! Answers that count the game tree.

use super::{EstimatedTree, RoleMove};
use crate::limits::Stop;
use crate::rules::GroundTerm;
use crate::search::{Cost, Count, DepthCount, GameTree};
use serde::Serialize;

/// The size of the game tree below the current state.
#[derive(Clone, Debug, Serialize)]
pub struct CountedTree {
    /// The roles, in the order of the utilities.
    pub(crate) roles: Vec<GroundTerm>,
    /// The counts; complete unless `stopped` is set.
    #[serde(flatten)]
    pub(crate) tree: GameTree,
    /// What random games make of the tree, if it was not counted completely.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) estimate: Option<EstimatedTree>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of counting, in states.
    pub(crate) cost: Cost,
}

/// The nodes of the game tree by depth and by first joint move.
#[derive(Clone, Debug, Serialize)]
pub struct CountedDepths {
    /// The counts for each depth, from 0.
    pub(crate) depths: Vec<DepthCount>,
    /// For each first joint move, the nodes below it at the last depth.
    pub(crate) first_moves: Vec<CountedMove>,
    /// The limit that stopped the count, if one did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) stopped: Option<Stop>,
    /// The cost of counting, in states.
    pub(crate) cost: Cost,
}

/// A first joint move with its count.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct CountedMove {
    /// The joint move, role by role.
    pub(crate) joint_move: Vec<RoleMove>,
    /// The number of nodes below it.
    pub(crate) nodes: Count,
}
