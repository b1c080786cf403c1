//! Renders the answer of `best`: a line that says what was taken and why, before the answer of that search.

use super::line;
use crate::repl::answer::{Best, Tried};

/// The line before the answer: `two opponents take turns: solve, by visiting all states (exact)`.
pub(super) fn heading(Best { game, search, reason, exact, before, .. }: &Best) -> String {
    let exact = if *exact { "exact" } else { "not exact" };
    let before: Vec<String> = before.iter().map(|Tried { search, end }| format!("; {search}: {end}")).collect();
    line(format!("{game}: {search}, {reason} ({exact}{})", before.concat()))
}
