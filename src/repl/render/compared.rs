//! Comparisons of algorithms as text: one line a run, columns aligned.

use super::{grouped, joined, line};
use crate::repl::answer::Compared;

/// Columns whose numbers are aligned on the right.
const NUMBERS: [&str; 11] =
    ["depth", "games", "wins", "draws", "losses", "unfinished", "searches", "nodes", "expanded", "states", "seconds"];

/// The table, and the files that were written.
pub(super) fn compared(compared: &Compared) -> String {
    let (names, rows) = compared.table();
    let is_number = |column: usize| NUMBERS.contains(&names[column]);
    let is_count = |column: usize| is_number(column) && names[column] != "seconds";
    let header: Vec<String> = names.iter().map(ToString::to_string).collect();
    let rows = rows.into_iter().map(|row| {
        let fields = row.into_iter().enumerate();
        fields.map(|(column, field)| if is_count(column) { grouped(field) } else { field }).collect()
    });
    let rows: Vec<Vec<String>> = std::iter::once(header).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..names.len()).map(width).collect();
    let mut text = String::new();
    for row in &rows {
        let fields = row.iter().zip(&widths).enumerate().map(|(column, (field, &width))| {
            if is_number(column) { format!("{field:>width$}") } else { format!("{field:width$}") }
        });
        text += &line(joined(fields, "  ").trim_end().to_string());
    }
    text + &compared.files.iter().map(|file| line(format!("written: {file}"))).collect::<String>()
}
