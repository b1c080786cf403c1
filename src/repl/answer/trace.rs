//! What was observed of a search, as part of its answer: its events.

use crate::game::Reasoner;
use crate::rules::GroundTerm;
use crate::search::{Event, NodeId, Recorder};
use serde::Serialize;

/// The events of a search.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Trace {
    /// The events, in the order in which they happened.
    pub(crate) events: Vec<Event<'static, GroundTerm>>,
    /// The states of the nodes, if `--positions` was given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) positions: Vec<NodePosition>,
    /// The number of later events, which are not shown.
    pub(crate) left_out: u64,
}

/// The state of a node.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct NodePosition {
    /// The node.
    pub node: NodeId,
    /// The facts that hold in its state, in canonical order.
    pub facts: Vec<GroundTerm>,
    /// The facts on one line: what stands where.
    #[serde(skip)]
    pub text: String,
}

impl Trace {
    /// The recorded events, with moves as the reasoner's terms.
    pub(crate) fn from_recorder<R: Reasoner>(recorder: Recorder, reasoner: &R) -> Self {
        let Recorder { events, left_out, .. } = recorder;
        let shown = |event: &Event<'_>| event.map_moves(|&chosen| reasoner.move_term(chosen));
        Self { events: events.iter().map(shown).collect(), left_out, positions: Vec::new() }
    }
}
