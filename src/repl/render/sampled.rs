//! Renders what random games say of the moves of a role.

use super::{counted_as, folded_line, grouped, line};
use crate::limits::Stop;
use crate::repl::answer::{SampledChoice, SampledMove};
use crate::search::Cost;
use crate::search::trace::value_text;
use crate::syntax::Dialect;
use crate::table::{Column, Table};

/// A line for each of the best moves, then the recommended one with the line that is expected.
pub(super) fn found_text(choice: &SampledChoice, full: bool, dialect: Dialect) -> String {
    let SampledChoice { role, chosen, mean, proven, line: moves, moves: all, listed, .. } = choice;
    let rows = all.iter().take(*listed).map(|SampledMove { chosen, visits, mean, interval, proven }| {
        let note = match (proven, interval) {
            (Some(_), _) => "proven".to_string(),
            (None, Some(interval)) => format!("± {:.1}", interval.half_width()),
            (None, None) => String::new(),
        };
        let mean = match (proven, mean) {
            (Some(proven), _) => value_text(*proven),
            (None, Some(mean)) => format!("{mean:.1}"),
            (None, None) => "-".to_string(),
        };
        [chosen.display(dialect).to_string(), grouped(visits), mean, note]
    });
    let table = Table::new([Column::Left, Column::Right, Column::Right, Column::Left]);
    let table = table.row(["move", "visits", "mean", ""]).rows(rows).to_string();
    let more = match all.len().saturating_sub(*listed) {
        0 => String::new(),
        count => line(format!("… {}", counted_as(count as u64, "move more", "moves more"))),
    };
    let value = if *proven { value_text(*mean) } else { format!("{mean:.1} on average") };
    let by = if moves.is_empty() { String::new() } else { format!(" by {}", folded_line(moves, full, dialect)) };
    table + &more + &format!("{role}: {value} with {}{by}", chosen.display(dialect))
}

/// Why a search by random games ended, and what it cost. A limit on visits or time is no interruption: random play has
/// no other end.
pub(super) fn end_text(choice: &SampledChoice, stopped: Option<Stop>, cost: &Cost) -> String {
    let end = match stopped {
        None => "exact; ".to_string(),
        Some(Stop::Nodes { .. }) => String::new(),
        Some(stop @ Stop::Time { .. }) => format!("{stop}; "),
        Some(stop) => format!("best so far, {stop}; "),
    };
    let games = match choice.games {
        1 => String::new(),
        games => format!(" of {games} games"),
    };
    let nodes = choice.tree_nodes.map_or(String::new(), |nodes| {
        format!(", {}, depth {}", counted_as(nodes as u64, "node", "nodes"), cost.depth)
    });
    format!("{end}{}{games}{nodes}", counted_as(cost.nodes, "visit", "visits"))
}
