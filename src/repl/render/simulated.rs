//! Renders simulations.

use super::{counted_as, terms};
use crate::repl::answer::{Bin, Simulated, SimulatedRole, StuckPlayouts};
use crate::syntax::Dialect;

/// The length of the longest bar, in characters.
const LONGEST_BAR: f64 = 50.0;

/// A line with the counts, then for each role the mean with its confidence interval and a histogram, and a histogram of
/// the lengths.
pub(super) fn simulated(simulated: &Simulated, dialect: Dialect) -> String {
    let Simulated { game, playouts, states, roles, lengths, unfinished, stuck, stopped, files, .. } = simulated;
    let mut text =
        format!("{game}: {}, {}", counted_as(*playouts, "playout", "playouts"), counted_as(*states, "state", "states"));
    if let Some(stop) = stopped {
        text += &format!(" ({stop})");
    }
    text += "\n";
    roles.iter().for_each(|role| text += &role_text(role));
    if !lengths.is_empty() {
        text += &format!("plies\n{}", histogram(&Simulated::bins(lengths)));
    }
    if *unfinished > 0 {
        text += &format!("{} cut off as too long\n", counted_as(*unfinished, "playout", "playouts"));
    }
    if let Some(StuckPlayouts { playouts, role, state }) = stuck {
        let state = if state.is_empty() { "the empty state".to_string() } else { terms(state, " ", dialect) };
        let playouts = counted_as(*playouts, "playout", "playouts");
        text += &format!("{playouts} stopped where a role has no move; the first: {role} in {state}\n");
    }
    files.iter().for_each(|file| text += &format!("written: {file}\n"));
    text
}

fn role_text(role: &SimulatedRole) -> String {
    let mut text = role.role.to_string();
    match (role.mean, role.interval()) {
        (_, Some(mean)) => text += &format!(": mean {:.3} ± {:.3} (95%)\n", mean.value, mean.half_width()),
        (Some(mean), None) => text += &format!(": {mean:.3}\n"),
        _ => text += ": no game with a utility\n",
    }
    text += &histogram(&Simulated::utility_bins(&role.utilities));
    if role.without > 0 {
        text += &format!("  {} without a single goal value\n", counted_as(role.without, "playout", "playouts"));
    }
    text
}

/// A line for each value, or for each range of values if there are many.
fn histogram(bins: &[Bin]) -> String {
    let most = bins.iter().map(|bin| bin.count).max().unwrap_or(1).max(1) as f64;
    let width = bins.iter().map(|bin| bin.label().len()).max().unwrap_or(0);
    let line = |bin: &Bin| {
        #[expect(clippy::cast_possible_truncation, reason = "a bar is at most LONGEST_BAR long")]
        let length = (bin.count as f64 / most * LONGEST_BAR).round() as usize;
        let bar = "#".repeat(length);
        let share = bin.share * 100.0;
        format!("  {:>width$} {share:7.3}% {bar}", bin.label()).trim_end().to_string() + "\n"
    };
    bins.iter().map(line).collect()
}
