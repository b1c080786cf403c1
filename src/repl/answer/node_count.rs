//! What is counted as a node.

use ggp_search::Cost;
use serde::Serialize;

/// What is counted as a node: five conventions of textbooks and courses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NodeCount {
    /// Calls of the recursive function, the one for the root included.
    Calls,
    /// Nodes that were created, the root included.
    Generated,
    /// Nodes whose children were created.
    Expanded,
    /// Nodes that were taken from the queue or stack.
    Pops,
    /// Terminal nodes, and nodes at the horizon.
    Leaves,
}

impl NodeCount {
    /// All of them.
    pub(crate) const ALL: [Self; 5] = [Self::Calls, Self::Generated, Self::Expanded, Self::Pops, Self::Leaves];

    /// Its word, in the plural.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Calls => "calls",
            Self::Generated => "generated",
            Self::Expanded => "expanded",
            Self::Pops => "pops",
            Self::Leaves => "leaves",
        }
    }

    /// The count of a search; `None` if the search has no such thing.
    pub(crate) fn count_in(self, cost: &Cost) -> Option<u64> {
        match self {
            Self::Calls => cost.calls(),
            Self::Generated => Some(cost.nodes),
            Self::Expanded => Some(cost.expanded),
            Self::Pops => cost.pops,
            Self::Leaves => cost.leaves,
        }
    }
}
