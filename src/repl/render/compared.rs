//! Renders comparisons of algorithms: one line for each run, with aligned columns.

use super::{grouped, line};
use crate::repl::answer::{Compared, ComparedRun, Oddity};
use crate::table::{Column, Table};

/// The columns of numbers, which are right-aligned.
const NUMBERS: [&str; 23] = [
    "depth",
    "games",
    "wins",
    "draws",
    "losses",
    "unfinished",
    "searches",
    "nodes",
    "expanded",
    "mean",
    "median",
    "sd",
    "ratio",
    "states",
    "seconds",
    "runs",
    "solved",
    "calls",
    "generated",
    "pops",
    "leaves",
    "q1",
    "q3",
];
/// The table, and the files that were written.
pub(super) fn compared(compared: &Compared) -> String {
    let (names, rows) = compared.table();
    let is_number = |column: usize| NUMBERS.contains(&names[column]);
    let rows = rows.into_iter().map(|row| {
        let fields = row.into_iter().enumerate();
        fields.map(move |(column, field)| if is_number(column) { grouped(field) } else { field }).collect::<Vec<_>>()
    });
    let columns: Vec<Column> =
        (0..names.len()).map(|column| if is_number(column) { Column::Right } else { Column::Left }).collect();
    let text = Table::new(columns).row(&names).rows(rows).to_string();
    let oddities = compared.oddities.iter().map(|Oddity { algorithm, game, count, before }| {
        line(format!(
            "less than on the game before: {algorithm} on {game}, {} after {}",
            grouped(count),
            grouped(before)
        ))
    });
    let unfinished = compared.runs.iter().filter_map(ComparedRun::unfinished);
    let unfinished = unfinished.map(|(stop, finished)| line(format!("{stop}: {finished} were finished")));
    let text = text + &oddities.collect::<String>() + &unfinished.collect::<String>();
    text + &compared.files.iter().map(|file| line(format!("written: {file}"))).collect::<String>()
}
