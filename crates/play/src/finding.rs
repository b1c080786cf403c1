//! Logs the results of players' searches at level `debug`.

use crate::log;
use ggp_search::{Cost, Outcome};
use std::fmt;

/// Logs the result and the cost of a player's search. `describe` is called only if the level is enabled.
pub(super) fn log_search<T>(search: &str, outcome: &Outcome<T>, describe: impl Fn(&T) -> String) {
    let Cost { nodes, depth, time, .. } = outcome.cost;
    let found = fmt::from_fn(|out| match &outcome.answer {
        Some(answer) => out.write_str(&describe(answer)),
        None => out.write_str("nothing"),
    });
    let end = fmt::from_fn(|out| match outcome.stopped {
        Some(stop) => write!(out, "{stop}"),
        None => out.write_str("exact"),
    });
    log::debug(format_args!("{search}: {found}; {end} nodes={nodes} depth={depth} time={time:?}"));
}
