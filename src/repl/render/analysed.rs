//! Renders analyses, as the final answer and as the screen that is kept up to date while they run.

use super::{counted_as, grouped, line, line_in_row};
use crate::limits::Stop;
use crate::repl::answer::{Analysed, AnalysedMove, AnalysedValue, AnalysisProgress};
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// The heading without counts, then a line for each move.
pub(in crate::repl) fn analysed(analysed: &Analysed, dialect: Dialect) -> String {
    line(format!("{}; {}", heading(analysed), end_text(analysed))) + &rows(analysed, dialect)
}

/// What is analysed, how, and how far it has come: `red to move: alphabeta, depth 7`.
pub(in crate::repl) fn heading(Analysed { algorithm, role, reached, .. }: &Analysed) -> String {
    let reached = match reached {
        AnalysisProgress::Depth(depth) => format!("depth {depth}"),
        AnalysisProgress::Visits(visits) => counted_as(*visits, "visit", "visits"),
    };
    format!("{role} to move: {algorithm}, {reached}")
}

/// A line for each of the best moves: its rank, its value, and the line that begins with it.
pub(in crate::repl) fn rows(Analysed { moves, others, .. }: &Analysed, dialect: Dialect) -> String {
    let row = |(index, AnalysedMove { chosen, value, line }): (usize, &AnalysedMove)| {
        let line = if line.is_empty() { chosen.display(dialect).to_string() } else { line_in_row(line, dialect) };
        let visits = match value {
            Some(AnalysedValue::Mean { visits, .. }) => grouped(visits),
            _ => String::new(),
        };
        let value = value.as_ref().map_or("unknown".to_string(), AnalysedValue::text);
        [(index + 1).to_string(), visits, value, line]
    };
    let rows: Vec<[String; 4]> = moves.iter().enumerate().map(row).collect();
    let is_counted = rows.iter().any(|[_, visits, ..]| !visits.is_empty());
    let table = match is_counted {
        true => Table::new([Column::Right, Column::Right, Column::Right, Column::Left]).rows(rows),
        false => {
            let rows = rows.into_iter().map(|[rank, _, value, line]| [rank, value, line]);
            Table::new([Column::Right, Column::Left, Column::Left]).rows(rows)
        }
    };
    let more = match others {
        0 => String::new(),
        count => line(format!("… {}", counted_as(*count as u64, "move more", "moves more"))),
    };
    table.to_string() + &more
}

/// Why the analysis ended, and what it cost.
fn end_text(Analysed { reached, stopped, cost, .. }: &Analysed) -> String {
    let is_sampled = matches!(reached, AnalysisProgress::Visits(_));
    let end = match stopped {
        None => "exact".to_string(),
        Some(Stop::Nodes { limit }) if is_sampled => {
            format!("the limit of {} was reached", counted_as(*limit, "visit", "visits"))
        }
        Some(stop) => stop.to_string(),
    };
    if is_sampled { end } else { format!("{end}; {}", counted_as(cost.nodes, "node", "nodes")) }
}
