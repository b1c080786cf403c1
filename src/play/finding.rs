//! Logs the results of players' searches at level `debug`.

use crate::search::{Cost, Outcome};
use tracing::debug;

/// Logs the result and the cost of a player's search. `describe` is called only if the level is enabled.
pub(super) fn log_search<T>(search: &str, outcome: &Outcome<T>, describe: impl FnOnce(&T) -> String) {
    let Cost { nodes, depth, time, .. } = outcome.cost;
    let found = || outcome.answer.as_ref().map_or_else(|| "nothing".to_string(), describe);
    let end = || outcome.stopped.map_or_else(|| "exact".to_string(), |stop| stop.to_string());
    debug!(nodes, depth, ?time, "{search}: {}; {}", found(), end());
}
