//! Renders what deliberation costs, and what moves promise.

use super::{counted, counted_as, grouped, line};
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
    let Deliberated { utility, planning, planned, is_planned, stopped, .. } = deliberated;
    let (calls, steps) = (deliberated.calls(), deliberated.steps.len());
    let (spent, ratio) = (counted_as(calls, "call", "calls"), calls as f64 / *planning as f64);
    let end = utility.map_or(String::new(), |utility| format!(", ends with {utility}"));
    let once = counted_as(*planning, "call", "calls");
    let [deliberation, planning, ratio] = match stopped {
        None => [format!("{spent}{end}"), format!("{once}, ends with {planned}"), format!("ratio: {ratio:.2}")],
        Some(stop) if !is_planned => {
            return line(format!("planning once: best so far, {stop}; {once}, ends with {planned}"));
        }
        Some(stop) if steps == 0 => {
            return line(format!("deliberation: {stop} in the first step"))
                + &line(format!("planning once: {once}, ends with {planned}"));
        }
        Some(stop) => [
            format!("{stop}; {spent} in {}{end}", counted(steps, "finished step")),
            format!("{once}, ends with {planned}"),
            format!("ratio: at least {ratio:.2}"),
        ],
    };
    table + &line(format!("deliberation: {deliberation}")) + &line(format!("planning once: {planning}")) + &line(ratio)
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
