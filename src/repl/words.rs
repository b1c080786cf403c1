//! Costs in words: what errors and answers both say.

use gdl::quantity::{counted_as, grouped};
use ggp_search::Cost;

/// The cost of a search, without its time.
pub(super) fn cost_text(Cost { nodes, expanded, states, depth, .. }: &Cost) -> String {
    let states = states.map_or(String::new(), |states| format!(", {}", counted_as(states, "state", "states")));
    format!("{}, {} expanded{states}, depth {depth}", counted_as(*nodes, "node", "nodes"), grouped(expanded))
}
