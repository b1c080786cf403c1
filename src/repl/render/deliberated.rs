//! Renders what deliberation costs, and what moves promise.

use super::{counted_as, grouped, line};
use crate::repl::answer::{Deliberated, Prospects};
use crate::repl::words::cost_text;
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// A line for each step, and the sum beside the cost of planning once.
pub(super) fn deliberated(deliberated: &Deliberated, dialect: Dialect) -> String {
    let rows = deliberated.steps.iter().zip(1..).map(|(step, number)| {
        let chosen = step.chosen.display(dialect).to_string();
        [number.to_string(), chosen, step.utility.to_string(), grouped(step.calls)]
    });
    use Column::{Left, Right};
    let table =
        Table::new([Right, Left, Right, Right]).row(["step", "move", "utility", "calls"]).rows(rows).to_string();
    let (calls, planning) = (deliberated.calls(), deliberated.planning);
    let ratio = calls as f64 / planning as f64;
    table
        + &line(format!("deliberation: {}, ends with {}", counted_as(calls, "call", "calls"), deliberated.utility))
        + &line(format!("planning once: {}, ends with {}", counted_as(planning, "call", "calls"), deliberated.planned))
        + &line(format!("ratio: {ratio:.2}"))
}

/// A line for the state, and one for each move.
pub(super) fn prospects(prospects: &Prospects, dialect: Dialect) -> String {
    let rows = prospects.rows.iter().map(|row| {
        [
            row.chosen.as_ref().map_or("(none)".to_string(), |chosen| chosen.display(dialect).to_string()),
            row.reward.map_or("none".to_string(), |reward| reward.to_string()),
            row.utility_text(),
        ]
    });
    use Column::{Left, Right};
    let table = Table::new([Left, Right, Right]).row(["move", "reward now", "utility"]).rows(rows).to_string();
    let end = prospects.stopped().map_or("exact".to_string(), |stop| format!("best so far, {stop}"));
    table + &line(format!("({end}; {})", cost_text(&prospects.cost)))
}
