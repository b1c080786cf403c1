//! The answer of `network`: a part of the propositional network, with values.

use crate::engine::Inspected;
use crate::rules::GroundTerm;
use serde::Serialize;

/// Components near one that was asked for, which is the first.
#[derive(Clone, Debug, Serialize)]
pub struct NetworkPart {
    /// The number of components of the whole network.
    pub(crate) size: usize,
    /// The joint move that the values suppose, if one was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moves: Option<Vec<GroundTerm>>,
    /// The components, nearest first.
    pub(crate) components: Vec<Inspected>,
    /// The number of components within the distance that are not shown.
    pub(crate) left_out: usize,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
}
